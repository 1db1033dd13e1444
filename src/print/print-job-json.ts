// The JSON in a print job's row: its details, which name the order, and its data, which name the file.
import { readStoredJson } from '../db/stored-json.ts'
import { fromJson } from '../json/parse.ts'
import { isObject } from '../json/values.ts'

/** What a job's row names as its file. */
export interface JobFile {
  /** A path of ours or of PHP's, a URL, or a key. */
  local_file: string
  /** Of files at a remote storage: its name, what it needs in addition to the key, and the key. */
  storage?: string
  location?: string | null
  key?: string
}

/** The order of a job, from its details. */
export interface OrderOfJob {
  type: string
  orderId: string
  /** 0 if orders have no items. */
  itemId: number
}

/** Characters of a provider's variation, which is an id or a few; it goes into the job and to the provider. */
export const maxVariation = 64 * 1024

/** The details of a job, or another JSON object in its row. */
export type Details = Record<string, unknown>

/** The part of the details in the steps table, so that an index finds the jobs of an order. */
export function referenceOf(details: Details | null): { order_ref: string; item_id: number } {
  const order = orderOf(details)
  return { order_ref: order ? `${order.type}:${order.orderId}` : '', item_id: order?.itemId ?? 0 }
}

/** The order in the details of a job; undefined when there is none. Jobs of PHP may omit the type, which is then wc. */
export function orderOf(details: Details | null): OrderOfJob | undefined {
  const { order_id, item_id, order_type } = details ?? {}
  const id = String(order_id ?? '')
  if (!/^[A-Za-z0-9_-]{1,40}$/.test(id)) return undefined
  const item = Number(item_id ?? 0)
  const type = typeof order_type === 'string' && /^[a-z]{1,20}$/.test(order_type) ? order_type : 'wc'
  return { type, orderId: id, itemId: Number.isSafeInteger(item) && item > 0 ? item : 0 }
}

/** A stored JSON object; null when it is none. */
export function objectOf(stored: string | null | undefined): Details | null {
  const json = readStoredJson(stored ?? null, '{}')
  const value: unknown = json === undefined || !stored ? undefined : fromJson(String(json))
  return isObject(value) ? value : null
}

/** Why a job failed; null where nothing is stored that says so. */
export function errorOf(stored: string | null): { code: string; message: string } | null {
  const { code, message } = objectOf(stored) ?? {}
  return typeof message === 'string' ? { code: typeof code === 'string' ? code : '', message } : null
}

/** What a job keeps about its file. */
export interface JobNotes {
  warnings: readonly string[]
  /** What the renderer found, as data. */
  preflight: readonly object[]
}

export function warningsOf(data: Details | null): string[] {
  const warnings = data?.warnings
  return Array.isArray(warnings) ? warnings.filter((each) => typeof each === 'string') : []
}

export function preflightOf(data: Details | null): Details[] {
  const found = data?.preflight
  return Array.isArray(found) ? found.filter((each) => typeof each?.message === 'string') : []
}

export function fileOf(data: Details | null): JobFile | undefined {
  const { local_file, storage, location, key } = data ?? {}
  if (typeof local_file !== 'string' || local_file === '') return undefined
  if (typeof storage !== 'string' || typeof key !== 'string') return { local_file }
  return { local_file, storage, location: typeof location === 'string' ? location : null, key }
}

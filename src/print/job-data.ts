// The JSON in the rows of print jobs, which PHP reads and writes, too: `details` name the order and the settings of its export, `data`
// names the file and what was reported about it, `error` says why a job failed.
import { readStoredJson } from '../db/stored-json.ts'
import { fromJson } from '../json/parse.ts'
import { isObject } from '../json/values.ts'

/** The file in the data of a job. */
export interface JobFile {
  /** A path as this API or PHP writes it, a URL, or a key. */
  local_file: string
  /** Name of the remote storage; absent for files on local disk, as are `location` and `key`. */
  storage?: string
  /** What the storage needs in addition to the key, such as a bucket. */
  location?: string | null
  key?: string
}

/** The order of a job, from its details. */
export interface OrderOfJob {
  type: string
  orderId: string
  /** 0 for the whole order, and for orders without items. */
  itemId: number
}

/** The most characters of a `variation_printful`, which is stored with the job and sent on. An id is much shorter. */
export const maxVariation = 64 * 1024

/** The details of a job, or another JSON object in its row. */
export type Details = Record<string, unknown>

/** The order and item of a job as the steps table stores them, so that an index finds the jobs of an order. */
export function referenceOf(details: Details | null): { order_ref: string; item_id: number } {
  const order = orderOf(details)
  return { order_ref: order ? `${order.type}:${order.orderId}` : '', item_id: order?.itemId ?? 0 }
}

/**
 * The order in the details of a job; undefined if they have no valid order id. Jobs of PHP may omit the type, which is then wc, and
 * have ids as strings or with leading zeros.
 */
export function orderOf(details: Details | null): OrderOfJob | undefined {
  const { order_id, item_id, order_type } = details ?? {}
  const text = String(order_id ?? '')
  if (!/^[A-Za-z0-9_-]{1,40}$/.test(text)) return undefined
  const id = /^\d{1,15}$/.test(text) ? String(Number(text)) : text
  const item = Number(item_id ?? 0)
  const type = typeof order_type === 'string' && /^[a-z]{1,20}$/.test(order_type) ? order_type : 'wc'
  return { type, orderId: id, itemId: Number.isSafeInteger(item) && item > 0 ? item : 0 }
}

/** The object in a stored JSON text; null if it is empty, cannot be read or is no object. */
export function objectOf(stored: string | null | undefined): Details | null {
  const json = readStoredJson(stored ?? null, '{}')
  const value: unknown = json === undefined || !stored ? undefined : fromJson(String(json))
  return isObject(value) ? value : null
}

export interface JobFailure {
  /** Null if it did not fail, or no message is stored. */
  error: { code: string; message: string } | null
  /** Codes of the findings for which the renderer refused the design, each once. */
  refusals: string[]
}

export function failureOf(stored: string | null): JobFailure {
  const { code, message, refusals } = objectOf(stored) ?? {}
  if (typeof message !== 'string') return { error: null, refusals: [] }
  return { error: { code: typeof code === 'string' ? code : '', message }, refusals: stringsIn(refusals) }
}

/** What the renderer reports about a file, which its job stores. */
export interface JobNotes {
  /** Sentences. */
  warnings: readonly string[]
  /** The same findings, as data. */
  preflight: readonly object[]
  /** Places of the printed pages among all pages of the design; absent if none was left out. */
  positions?: readonly number[]
}

/** The places of the printed pages in the data of a job; undefined if none are stored. */
export function positionsOf(data: Details | null): number[] | undefined {
  const positions = data?.positions
  return Array.isArray(positions) && positions.every(Number.isSafeInteger) ? positions : undefined
}

export const warningsOf = (data: Details | null): string[] => stringsIn(data?.warnings)

/** The strings in a list; none if the value is no list. */
const stringsIn = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []

export function preflightOf(data: Details | null): Details[] {
  const findings = data?.preflight
  return Array.isArray(findings) ? findings.filter((item) => typeof item?.message === 'string') : []
}

/** The file in the data of a job; undefined until one is stored. */
export function fileOf(data: Details | null): JobFile | undefined {
  const { local_file, storage, location, key } = data ?? {}
  if (typeof local_file !== 'string' || local_file === '') return undefined
  if (typeof storage !== 'string' || typeof key !== 'string') return { local_file }
  return { local_file, storage, location: typeof location === 'string' ? location : null, key }
}

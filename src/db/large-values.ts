// Analyzes large stored strings off the main thread when they are read: whether they are JSON, and in which encoding.
import { hash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import type { KyselyPlugin } from 'kysely'
import { SvcError } from '../errors.ts'
import { JsonArgument } from '../large-json/bytes.ts'
import { largeFrom, offThread } from '../off-thread/off-thread.ts'
import { maxResultBytes } from './timeouts.ts'

/** What is known about a large string: its digest and its JSON text; undefined if it has none. */
export interface LargeValue {
  digest: string
  json: string | undefined
  /** Number of items or properties of the array or object. */
  length: number | undefined
}

/** Milliseconds that it is cached, for the request that has read it. */
const lifetime = 2000
let known = new Map<string, LargeValue>()
/** The same strings by their digests. */
let texts = new Map<string, string>()
/** Digests of strings that were decoded, until they are analyzed. */
let digests = new Map<string, string>()
let isForgetting = false

/** What is known about this string; undefined if it is not large or was not read recently. */
export const largeValue = (text: string): LargeValue | undefined =>
  text.length < largeFrom ? undefined : known.get(text)

/** The string with this digest: one that was read recently, which is not decoded again. */
export function decodedOnce(digest: string, decode: () => string): string {
  const text = texts.get(digest) ?? decode()
  digests.set(text, digest)
  forgetLater()
  return text
}

function forgetLater(): void {
  if (isForgetting) return
  isForgetting = true
  setTimeout(() => {
    isForgetting = false
    known = new Map()
    texts = new Map()
    digests = new Map()
  }, lifetime).unref()
}

/** Collision-free digest of a string. */
export const digestOf = (text: string): string => largeValue(text)?.digest ?? hash('sha256', text, 'base64')

/** Digests of JSON texts that need not be parsed again: our own writes, and those parsed before. */
const GENERATION = 20_000
let recent = new Map<string, number | undefined>()
let previous = new Map<string, number | undefined>()

export const isKnownJson = (digest: string): boolean => recent.has(digest) || previous.has(digest)

/** @param length number of items, if they have been counted */
export function rememberJson(digest: string, length?: number): void {
  if (recent.size >= GENERATION) {
    previous = recent
    recent = new Map()
  }
  recent.set(digest, length)
}

interface ReadValue {
  /** True for the stored string itself. */
  json: string | true | undefined
  length: number | undefined
}

/** Kysely plugin that analyzes large strings before a query returns them. */
export const largeValues: KyselyPlugin = {
  transformQuery: ({ node }) => node,
  async transformResult({ result }) {
    const analysis = analyzeLarge(result.rows)
    if (analysis) await analysis
    return result
  },
}

/**
 * Analyzes the large strings of rows; undefined if there are none.
 * @throws SvcError if they exceed the limit of a result together
 */
export function analyzeLarge(rows: readonly unknown[]): Promise<void> | undefined {
  const large: Place[] = []
  let size = 0
  for (const row of rows) {
    const record = row as Record<string, unknown>
    for (const key in record) {
      const value = record[key]
      if (typeof value !== 'string' || value.length < largeFrom) continue
      size += value.length
      large.push({ record, key, value })
    }
  }
  if (large.length === 0) return undefined
  // Our own connections stop earlier; those of a host have read all rows.
  if (size > maxResultBytes && rows.length > 1) throw new SvcError('svc_list_too_large')
  return analyzeAll(large)
}

interface Place {
  record: Record<string, unknown>
  key: string
  value: string
}

async function analyzeAll(places: readonly Place[]): Promise<void> {
  for (const { record, key, value } of places) {
    await analyze(value)
    // A request that reads a value several times keeps it once.
    record[key] = texts.get(known.get(value)?.digest ?? '') ?? value
  }
}

async function analyze(text: string): Promise<void> {
  if (known.has(text)) return
  // Reading, hashing and posting each get a turn of the event loop.
  await setImmediate()
  const digest = digests.get(text) ?? hash('sha256', text, 'base64')
  await setImmediate()
  let value: LargeValue = { digest, json: text, length: recent.get(digest) ?? previous.get(digest) }
  if (!isKnownJson(digest)) {
    const url = new URL(
      import.meta.url.endsWith('.ts') ? './stored-json.ts' : './stored-json.js',
      import.meta.url,
    )
    const { json, length } = await offThread<ReadValue>(url, 'readLarge', new JsonArgument(text))
    value = { digest, json: json === true ? text : json, length }
    if (json === true) rememberJson(digest, length)
  }
  known.set(text, value)
  texts.set(digest, text)
  forgetLater()
}

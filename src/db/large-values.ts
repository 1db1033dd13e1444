// Analyzes large stored values off the main thread when they are read: whether they are JSON, and in which encoding.
import { isUtf8 } from 'node:buffer'
import { hash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import type { KyselyPlugin } from 'kysely'
import { SvcError } from '../errors.ts'
import { scriptBeside } from '../installed.ts'
import { JsonText, type StoredJson } from '../json-text.ts'
import { JsonArgument, shared } from '../large-json/bytes.ts'
import { textOf } from '../large-json/scan.ts'
import { largeFrom, offThread } from '../off-thread/off-thread.ts'
import { maxResultBytes } from './timeouts.ts'

/** What is known about a large string: its digest and its JSON text; undefined if it has none. */
export interface LargeValue {
  digest: string
  json: string | undefined
  /** Number of items or properties of the array or object. */
  length: number | undefined
}

/** Columns, in any table, whose large JSON values a query returns as JsonText. */
export const jsonColumns: ReadonlySet<string> = new Set(['options', 'elements', 'designs', 'data', 'views'])

/** Milliseconds that a value is cached, for the request that has read it. */
const lifetime = 2000
let known = new Map<string, LargeValue>()
/** What was read recently, by its digest: a request that reads a value several times keeps it once. */
let strings = new Map<string, string>()
let isForgetting = false
/** The same for the bytes of JSON while anyone uses them. */
const shares = new Map<string, WeakRef<Uint8Array<SharedArrayBuffer>>>()
const unused = new FinalizationRegistry((digest: string) => {
  if (!shares.get(digest)?.deref()) shares.delete(digest)
})
/** Digests of bytes that another thread has hashed. */
const digests = new WeakMap<Uint8Array, string>()
/** Bytes whose memory is freed, without waiting for GC, when they have been analyzed. */
const disposable = new WeakSet<Uint8Array>()

/** What is known about this string; undefined if it is not large or was not read recently. */
export const largeValue = (text: string): LargeValue | undefined =>
  text.length < largeFrom ? undefined : known.get(text)

/** Remembers the SHA-256 of bytes, in base64, until they are analyzed. */
export function rememberDigest(bytes: Uint8Array<ArrayBuffer>, digest: string): void {
  digests.set(bytes, digest)
}

/** The memory of these bytes, which nobody else uses, is freed when they have been analyzed. */
export function disposeLater(bytes: Uint8Array<ArrayBuffer>): void {
  disposable.add(bytes)
}

function forgetLater(): void {
  if (isForgetting) return
  isForgetting = true
  setTimeout(() => {
    isForgetting = false
    known = new Map()
    strings = new Map()
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

/** A JSON text that is written need not be parsed, or copied while it is used, when it is read back. */
export function rememberWritten({ bytes, digest, items }: JsonText): void {
  rememberJson(digest, items)
  share(bytes, digest)
}

const lengthOf = (digest: string) => recent.get(digest) ?? previous.get(digest)

interface ReadValue {
  /** True for the stored string itself. */
  json: string | true | undefined
  length: number | undefined
}

/** Kysely plugin that analyzes large values before a query returns them. */
export const largeValues: KyselyPlugin = {
  transformQuery: ({ node }) => node,
  async transformResult({ result }) {
    const analysis = analyzeLarge(result.rows)
    if (analysis) await analysis
    return result
  },
}

/**
 * Analyzes the large values of rows, strings or their UTF-8; undefined if there are none. Bytes become strings, and large
 * JSON becomes JsonText in its columns.
 * @throws SvcError if they exceed the limit of a result together
 */
export function analyzeLarge(rows: readonly unknown[]): Promise<void> | undefined {
  const large: Place[] = []
  let size = 0
  for (const row of rows) {
    const record = row as Record<string, unknown>
    for (const key in record) {
      const value = record[key]
      if (!(typeof value === 'string' || value instanceof Uint8Array) || value.length < largeFrom) continue
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
  value: string | Uint8Array
}

async function analyzeAll(places: readonly Place[]): Promise<void> {
  for (const place of places) {
    const { record, key, value } = place
    try {
      record[key] = await analyzed(value, jsonColumns.has(key))
    } finally {
      // Neither may keep it until the last one is analyzed.
      place.value = ''
      if (disposable.has(Object(value))) (Object(value).buffer as ArrayBuffer).transfer(0)
    }
  }
}

async function analyzed(value: string | Uint8Array, isJsonColumn: boolean): Promise<StoredJson> {
  // Decoding, hashing, copying and posting each get a turn of the event loop.
  await setImmediate()
  const short = typeof value === 'string' ? undefined : shortText(value)
  if (short !== undefined) return short
  const digest = digests.get(Object(value)) ?? hash('sha256', value, 'base64')
  const before = strings.get(digest)
  if (before !== undefined) return before
  await setImmediate()
  const canBeBytes = isJsonColumn && (typeof value === 'string' || isUtf8(value))
  return canBeBytes ? analyzedJson(value, digest) : analyzedString(asString(value), digest)
}

const asString = (value: string | Uint8Array) => (typeof value === 'string' ? value : textOf(value))

/** The text of bytes with so many characters that it is not large; undefined for others. */
function shortText(bytes: Uint8Array): string | undefined {
  // A character that JavaScript counts once has at most three bytes.
  const text = bytes.length < 3 * largeFrom ? textOf(bytes) : undefined
  return text !== undefined && text.length < largeFrom ? text : undefined
}

async function analyzedJson(value: string | Uint8Array, digest: string): Promise<StoredJson> {
  const bytes = sharedOnce(value, digest)
  const items = lengthOf(digest)
  const { json, length = 0 } =
    items === undefined ? await readElsewhere(bytes) : { json: true as const, length: items }
  if (json !== true) return remembered(asString(value), { digest, json, length })
  rememberJson(digest, length)
  return new JsonText({ bytes, digest, items: length })
}

function sharedOnce(value: string | Uint8Array, digest: string): Uint8Array<SharedArrayBuffer> {
  const before = shares.get(digest)?.deref()
  if (before) return before
  return share(shared(value), digest)
}

function share(bytes: Uint8Array<SharedArrayBuffer>, digest: string): Uint8Array<SharedArrayBuffer> {
  shares.set(digest, new WeakRef(bytes))
  unused.register(bytes, digest)
  return bytes
}

async function analyzedString(text: string, digest: string): Promise<string> {
  if (isKnownJson(digest)) return remembered(text, { digest, json: text, length: lengthOf(digest) })
  const { json, length } = await readElsewhere(text)
  if (json === true) rememberJson(digest, length)
  return remembered(text, { digest, json: json === true ? text : json, length })
}

function remembered(text: string, value: LargeValue): string {
  known.set(text, value)
  strings.set(value.digest, text)
  forgetLater()
  return text
}

const readElsewhere = (value: string | Uint8Array) =>
  offThread<ReadValue>(scriptBeside(import.meta.url, 'stored-json'), 'readLarge', new JsonArgument(value))

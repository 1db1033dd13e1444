// Large stored strings are looked at when they are read, off the main thread: whether they are JSON, and in which encoding.
import { hash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import type { KyselyPlugin } from 'kysely'
import { SvcError } from '../errors.ts'
import { largeFrom, offThread } from '../off-thread/off-thread.ts'
import { maxResultBytes } from './timeouts.ts'

/** What is known of a large string: its digest, and the JSON text that it holds; undefined when it holds none. */
export interface LargeValue {
  digest: string
  json: string | undefined
  /** Items or properties of the array or object that it is. */
  length: number | undefined
}

/** Milliseconds that it is known: as long as the request that has read it may need. */
const lifetime = 2000
let known = new Map<string, LargeValue>()

/** What is known of this string; undefined for one that is not large, or was not just read. */
export const largeValue = (text: string): LargeValue | undefined =>
  text.length < largeFrom ? undefined : known.get(text)

/** Collision-free name of a text. */
export const digestOf = (text: string): string => largeValue(text)?.digest ?? hash('sha256', text, 'base64')

/** Digests of JSON texts that need not be parsed again: our own writes, and what was looked at before. */
const GENERATION = 20_000
let recent = new Map<string, number | undefined>()
let previous = new Map<string, number | undefined>()

export const isKnownJson = (digest: string): boolean => recent.has(digest) || previous.has(digest)

/** @param length items of the text, where they have been counted */
export function rememberJson(digest: string, length?: number): void {
  if (recent.size >= GENERATION) {
    previous = recent
    recent = new Map()
  }
  recent.set(digest, length)
}

interface ReadValue {
  /** True for the stored text itself. */
  json: string | true | undefined
  length: number | undefined
}

/** Kysely plugin: no query gives out a large string before it was looked at. */
export const largeValues: KyselyPlugin = {
  transformQuery: ({ node }) => node,
  async transformResult({ result }) {
    let size = 0
    for (const row of result.rows) {
      for (const key in row) {
        const value = row[key]
        if (typeof value !== 'string' || value.length < largeFrom) continue
        size += value.length
        // Our own connections stop earlier; a host's have read all.
        if (size > maxResultBytes && result.rows.length > 1) throw new SvcError('svc_list_too_large')
        await look(value)
      }
    }
    return result
  },
}

async function look(text: string): Promise<void> {
  if (known.has(text)) return
  // Reading, hashing and handing over each have a turn of the event loop.
  await setImmediate()
  const digest = hash('sha256', text, 'base64')
  await setImmediate()
  let value: LargeValue = { digest, json: text, length: recent.get(digest) ?? previous.get(digest) }
  if (!isKnownJson(digest)) {
    const url = new URL(
      import.meta.url.endsWith('.ts') ? './stored-json.ts' : './stored-json.js',
      import.meta.url,
    )
    const { json, length } = await offThread<ReadValue>(url, 'readLarge', text)
    value = { digest, json: json === true ? text : json, length }
    if (json === true) rememberJson(digest, length)
  }
  known.set(text, value)
  if (known.size > 1) return
  setTimeout(() => {
    known = new Map()
  }, lifetime).unref()
}

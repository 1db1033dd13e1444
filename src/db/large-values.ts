// Large stored strings are looked at when they are read, off the main thread: whether they are JSON, and in which encoding.
import { hash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import type { KyselyPlugin } from 'kysely'
import { largeFrom, offThread } from '../off-thread/off-thread.ts'

/** What is known of a large string: its digest, and the JSON text that it holds; undefined when it holds none. */
export interface LargeValue {
  digest: string
  json: string | undefined
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
let recent = new Set<string>()
let older = new Set<string>()

export const isKnownJson = (digest: string): boolean => recent.has(digest) || older.has(digest)

export function rememberJson(digest: string): void {
  if (recent.size >= GENERATION) {
    older = recent
    recent = new Set()
  }
  recent.add(digest)
}

/** Kysely plugin: no query gives out a large string before it was looked at. */
export const largeValues: KyselyPlugin = {
  transformQuery: ({ node }) => node,
  async transformResult({ result }) {
    for (const row of result.rows) {
      for (const key in row) {
        const value = row[key]
        if (typeof value === 'string' && value.length >= largeFrom) await look(value)
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
  let json: string | undefined = text
  if (!isKnownJson(digest)) {
    const url = new URL(
      import.meta.url.endsWith('.ts') ? './stored-json.ts' : './stored-json.js',
      import.meta.url,
    )
    const read = await offThread<string | boolean>(url, 'readLarge', text)
    json = typeof read === 'string' ? read : read ? text : undefined
    if (read === true) rememberJson(digest)
  }
  known.set(text, { digest, json })
  if (known.size > 1) return
  setTimeout(() => {
    known = new Map()
  }, lifetime).unref()
}

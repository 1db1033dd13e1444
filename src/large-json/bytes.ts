// Large JSON on its way to another thread and back: UTF-8 in shared memory.
import { hash } from 'node:crypto'
import { JsonText, type JsonTextParts } from '../json.ts'
import { rewritten } from './rewrite.ts'
import { extentOf, itemsOf, propertiesAt } from './scan.ts'

/** An argument for a function on the other thread: JSON as bytes. */
export interface JsonBytes {
  json: Uint8Array<SharedArrayBuffer>
}

/** The JSON of a value. */
export const bytesOfValue = (value: unknown): JsonBytes =>
  value instanceof JsonText ? { json: value.bytes } : bytesOfText(JSON.stringify(value))

export function bytesOfText(text: string): JsonBytes {
  const json = new Uint8Array(new SharedArrayBuffer(Buffer.byteLength(text)))
  Buffer.from(json.buffer).write(text)
  return { json }
}

/** What a JsonText is made of. @param json as `rewritten` returns it */
export function partsOf(json: Uint8Array<SharedArrayBuffer>): JsonTextParts {
  return { bytes: json, digest: hash('sha256', json, 'base64'), items: countOf(json) }
}

/** Number of items or properties of compact JSON. */
function countOf(json: Uint8Array): number {
  let count = 0
  if (json[0] === 123) for (const _ of propertiesAt(json)) count++
  if (json[0] === 91) for (const _ of itemsOf(json)) count++
  return count
}

/** Deeper JSON is not rewritten. */
const maxDepth = 1000

/** Stored JSON as JSON.stringify would write it; undefined if it is nested too deeply for that. */
export function compacted(stored: Uint8Array): Uint8Array<SharedArrayBuffer> | undefined {
  return extentOf(stored).depth > maxDepth ? undefined : rewritten(stored).json
}

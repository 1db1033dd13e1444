// Large JSON on its way to another thread and back: UTF-8 in shared memory.
import { hash } from 'node:crypto'
import { parseExact } from '../json/exact.ts'
import { JsonText, type JsonTextParts, type StoredJson } from '../json-text.ts'
import { countedItems } from './count.ts'
import { rewritten } from './rewrite.ts'
import { afterBlanks, extentOf, itemsOf, propertiesAt, textOf } from './scan.ts'

/** JSON as a function on the other thread gets it. */
export interface JsonBytes {
  json: Uint8Array
}

/** JSON as an argument for it: `offThread` encodes a string and hands its bytes over when it makes the call. */
export class JsonArgument {
  readonly json: JsonPart

  constructor(json: JsonPart) {
    this.json = json
  }

  static ofValue(value: unknown): JsonArgument {
    return new JsonArgument(value instanceof JsonText ? value : JSON.stringify(value))
  }

  get bytes(): JsonBytes {
    if (this.json instanceof JsonText) return { json: this.json.bytes }
    return { json: typeof this.json === 'string' ? encoded(this.json) : this.json }
  }
}

/** A part of a JSON text. */
export type JsonPart = StoredJson | Uint8Array

/** The parts as one text, in bytes if one of the parts is. */
export function joined(parts: readonly JsonPart[]): string | Uint8Array {
  if (parts.every((part) => typeof part === 'string')) return parts.join('')
  const bytes = parts.map((part) => (part instanceof JsonText ? part.bytes : part))
  const whole = new Uint8Array(
    new SharedArrayBuffer(bytes.reduce((sum, part) => sum + Buffer.byteLength(part), 0)),
  )
  let at = 0
  for (const part of bytes) {
    if (typeof part === 'string') at += Buffer.from(whole.buffer).write(part, at)
    else {
      whole.set(part, at)
      at += part.length
    }
  }
  return whole
}

/** The first character that is no whitespace. */
export const firstCharacterOf = (json: StoredJson): string =>
  typeof json === 'string'
    ? json.trimStart().charAt(0)
    : String.fromCharCode(json.bytes[afterBlanks(json.bytes, 0)] ?? 0)

/** In memory of its own, which can be transferred. */
export function encoded(text: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(Buffer.byteLength(text))
  Buffer.from(bytes.buffer).write(text)
  return bytes
}

/** UTF-8 in memory that threads share; a copy unless it is there already. */
export function shared(json: string | Uint8Array): Uint8Array<SharedArrayBuffer> {
  if (typeof json !== 'string' && json.buffer instanceof SharedArrayBuffer)
    return json as Uint8Array<SharedArrayBuffer>
  const copy = new Uint8Array(new SharedArrayBuffer(Buffer.byteLength(json)))
  if (typeof json === 'string') Buffer.from(copy.buffer).write(json)
  else copy.set(json)
  return copy
}

/** What a JsonText is made of. @param json as `rewritten` returns it */
export function partsOf(json: Uint8Array): JsonTextParts {
  return { bytes: shared(json), digest: hash('sha256', json, 'base64'), items: countOf(json) }
}

/** Number of items or properties of compact JSON. */
function countOf(json: Uint8Array): number {
  let count = 0
  if (json[0] === 123) for (const _ of propertiesAt(json)) count++
  if (json[0] === 91) for (const _ of itemsOf(json)) count++
  return count
}

/** Deeper JSON is not rewritten in slices. No body may be as deep. */
const maxDepth = 1000

export const isDeep = (json: Uint8Array): boolean => extentOf(json).depth > maxDepth

/** Number of items or properties if this is JSON; undefined if it is not, or too deep to be rewritten. */
export const itemsOfValid = (json: Uint8Array): number | undefined => countedItems(json, maxDepth)

/** Stored JSON as JSON.stringify would write it. */
export const compacted = (stored: Uint8Array): Uint8Array =>
  isDeep(stored) ? encoded(JSON.stringify(parseExact(textOf(stored)))) : rewritten(stored).json

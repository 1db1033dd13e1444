// JSON that stays text: counted and searched without parsing, kept in shared memory.
import { hash } from 'node:crypto'
import { fromJson } from './json/parse.ts'

export const quote = 34
const backslash = 92

/** The position after the string that begins at `start`; the end of the text if the string is not closed. */
export function afterString(text: string, start: number): number {
  let at = start + 1
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === quote) return at + 1
    if (code === backslash) at++
  }
  return at
}

/** Depth and size of a JSON text, counted without parsing it; meaningless for other text. */
export interface Extent {
  /** Levels of nested arrays and objects. */
  depth: number
  /** Number of values, without property names; counts one too many for each empty array or object. */
  values: number
}

/** One pass over the text. */
export function extentOf(text: string): Extent {
  let depth = 0
  let maxDepth = 0
  let values = 1
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case quote:
        at = afterString(text, at) - 1
        break
      case 91: // [
      case 123: // {
        values++
        if (++depth > maxDepth) maxDepth = depth
        break
      case 93: // ]
      case 125: // }
        depth--
        break
      case 44: // ,
        values++
    }
  }
  return { depth: maxDepth, values }
}

/** Number of items of the array, or properties of the object, in this JSON text; 0 for other values. One pass, without parsing. */
export function itemsOf(text: string): number {
  let depth = 0
  let commas = 0
  let isEmpty = true
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === quote) at = afterString(text, at) - 1
    // The characters { and [, } and ] differ in one bit.
    if ((code | 32) === 123) depth++
    else if ((code | 32) === 125) depth--
    else if (code === 44 && depth === 1) commas++
    else if (code > 32 && depth === 0) return 0
    if (isEmpty && code > 32 && (depth > 1 || (depth === 1 && (code | 32) !== 123))) isEmpty = false
  }
  return isEmpty ? 0 : commas + 1
}

/** Whether the object in this JSON text has one of these properties. One pass; parses only names. */
export function hasProperty(text: string, names: readonly string[]): boolean {
  let depth = 0
  let isName = false
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === quote) {
      const end = afterString(text, at)
      if (isName && depth === 1 && names.includes(String(fromJson(text.slice(at, end))))) return true
      isName = false
      at = end - 1
    } else if ((code | 32) === 123) {
      depth++
      isName = depth === 1
    } else if ((code | 32) === 125) depth--
    else if (code === 44) isName = true
  }
  return false
}

/** What makes a JsonText, as one thread hands it to another. */
export interface JsonTextParts {
  /** In memory that both threads share: nothing is copied. */
  bytes: Uint8Array<SharedArrayBuffer>
  digest: string
  items: number
}

/**
 * A large JSON value that is kept as text, which the main thread never parses. It takes the place of a blob in a body,
 * patch, row or resource. Code that looks inside runs through `offThread`. The text of a body is as JSON.stringify writes
 * it, that of a row as it is stored.
 */
export class JsonText {
  /** UTF-8 in shared memory: half of what a string with wide characters takes, and not copied for another thread. */
  readonly bytes: Uint8Array<SharedArrayBuffer>
  /** SHA-256 of the text in base64. */
  readonly digest: string
  /** As `itemsOf` counts them. */
  readonly items: number

  constructor({ bytes, digest, items }: JsonTextParts) {
    this.bytes = bytes
    this.digest = digest
    this.items = items
  }

  /** A new string each time, which nobody should keep for long. */
  get text(): string {
    return this.buffer.toString()
  }

  /** The same, so that it may be a part of a string. */
  toString(): string {
    return this.text
  }

  /** The same bytes as a Buffer. */
  get buffer(): Buffer {
    return bufferOn(this.bytes)
  }

  /** What another thread hands over to make a JsonText of; hashing is its work, too. */
  static parts(text: string): JsonTextParts {
    return JsonText.partsOf([text], itemsOf(text))
  }

  /** The same of a text in pieces, strings or UTF-8. */
  static partsOf(pieces: readonly (string | Uint8Array)[], items: number): JsonTextParts {
    const size = pieces.reduce((sum, piece) => sum + Buffer.byteLength(piece), 0)
    const bytes = new Uint8Array(new SharedArrayBuffer(size))
    const buffer = bufferOn(bytes)
    let at = 0
    for (const piece of pieces) {
      if (typeof piece === 'string') at += buffer.write(piece, at)
      else {
        bytes.set(piece, at)
        at += piece.length
      }
    }
    return { bytes, digest: hash('sha256', bytes, 'base64'), items }
  }

  /** Prevents that it is serialized as a plain object. */
  toJSON(): never {
    throw new TypeError('A JsonText must be written by jsonTextOf.')
  }
}

const bufferOn = ({ buffer, byteOffset, byteLength }: Uint8Array<SharedArrayBuffer>) =>
  Buffer.from(buffer, byteOffset, byteLength)

/** JSON text as it is stored, in the form that fits its size. */
export type StoredJson = string | JsonText

/** JSON text of a value, which may be kept as its text already. */
export const jsonTextOf = (value: unknown): string =>
  value instanceof JsonText ? value.text : JSON.stringify(value)

/** A parameter of a statement for a driver that takes only strings. */
export const withoutBytes = (value: unknown): unknown => (value instanceof JsonText ? value.text : value)

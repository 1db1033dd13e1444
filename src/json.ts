// Lossless JSON: numbers beyond the precision of a double keep their digits, merges keep properties that they do not name.
import { hash, randomBytes } from 'node:crypto'

/** JSON.rawJSON is in every supported Node, but not yet in TypeScript's library. */
const json = JSON as unknown as {
  rawJSON(text: string): object
  isRawJSON(value: unknown): boolean
}

const long = /\d{16}/

/**
 * JSON.parse whose numbers survive JSON.stringify: those that a double would change become raw JSON. Linear in the
 * length of the text.
 * @throws SyntaxError as JSON.parse does
 */
export function parseExact(text: string): unknown {
  const { marked, mark } = markLongNumbers(text)
  const value: unknown = JSON.parse(marked)
  return mark === undefined ? value : withRawNumbers(value, mark)
}

/**
 * The same for large texts that are only inspected and written again. Numbers that a double would change are strings in
 * `value`, which need less memory than raw JSON; `write` turns them into numbers again.
 */
export function parseToWrite(text: string): { value: unknown; write(part: unknown): string } {
  const { marked, mark } = markLongNumbers(text)
  const value: unknown = JSON.parse(marked)
  if (mark === undefined) return { value, write: JSON.stringify }
  const strings = new RegExp(`"${mark}([^"]*)"`, 'g')
  return { value, write: (part) => JSON.stringify(part).replace(strings, '$1') }
}

/** The text with numbers that a double would change replaced by strings: a random mark that does not occur in it, and the digits. */
function markLongNumbers(text: string): { marked: string; mark?: string } {
  // Only numbers with 16 or more digits need it.
  if (!long.test(text)) return { marked: text }
  let mark: string
  do mark = randomBytes(4).toString('hex')
  while (text.includes(mark))
  // A string that grows by millions of pieces would need many times its length.
  const blocks: string[] = []
  let pieces: string[] = []
  let copied = 0
  for (const [start, end] of longNumbers(text)) {
    const source = text.slice(start, end)
    const number = Number(source)
    if (!Number.isFinite(number) || String(number) === source || !isNumber.test(source)) continue
    pieces.push(text.slice(copied, start), '"', mark, source, '"')
    copied = end
    if (pieces.length < 10_000) continue
    blocks.push(pieces.join(''))
    pieces = []
  }
  if (copied === 0) return { marked: text }
  return { marked: [...blocks, ...pieces, text.slice(copied)].join(''), mark }
}

const isNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/

const quote = 34
const backslash = 92
const minus = 45

const isDigit = (code: number) => code >= 48 && code <= 57
/** Digits, `+`, `-`, `.`, `E`, `e`. */
const isOfNumber = (code: number) =>
  isDigit(code) || code === 43 || code === minus || code === 46 || code === 69 || code === 101

/** The positions of numbers with at least 16 digits, outside of strings. */
function* longNumbers(text: string): Generator<[start: number, end: number]> {
  for (let at = 0; at < text.length; ) {
    const code = text.charCodeAt(at)
    if (code === quote) {
      at = afterString(text, at)
    } else if (isDigit(code) || code === minus) {
      const start = at
      while (isOfNumber(text.charCodeAt(at))) at++
      if (at - start >= 16 && long.test(text.slice(start, at))) yield [start, at]
    } else {
      at++
    }
  }
}

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

/** Replaces the marked strings by raw numbers. Uses its own stack, because the value may be nested at any depth. */
function withRawNumbers(root: unknown, mark: string): unknown {
  const whole = [root]
  const rest: object[] = [whole]
  const visit = (container: object, key: string | number, value: unknown) => {
    if (typeof value === 'string' && value.startsWith(mark)) {
      Reflect.set(container, key, json.rawJSON(value.slice(mark.length)))
    } else if (typeof value === 'object' && value !== null) rest.push(value)
  }
  for (let next = rest.pop(); next; next = rest.pop()) {
    if (Array.isArray(next)) for (let i = 0; i < next.length; i++) visit(next, i, next[i])
    else for (const key of Object.keys(next)) visit(next, key, Reflect.get(next, key))
  }
  return whole[0]
}

/** Whether the value is a number whose digits `parseExact` kept; its `typeof` is object. */
export function isRawNumber(value: unknown): boolean {
  return json.isRawJSON(value)
}

/** The value of a number, with or without kept digits, as a double; undefined for anything else. */
export function numberOf(value: unknown): number | undefined {
  if (typeof value === 'number') return value
  return isRawNumber(value) ? Number(JSON.stringify(value)) : undefined
}

/** False if a string or name contains a lone surrogate: PHP cannot read such JSON at all. */
export function isWellFormed(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed()
  if (typeof value !== 'object' || value === null) return true
  if (Array.isArray(value)) return value.every(isWellFormed)
  return Object.keys(value).every((name) => name.isWellFormed() && isWellFormed(Reflect.get(value, name)))
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
  let deepest = 0
  let values = 1
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case quote:
        at = afterString(text, at) - 1
        break
      case 91: // [
      case 123: // {
        values++
        if (++depth > deepest) deepest = depth
        break
      case 93: // ]
      case 125: // }
        depth--
        break
      case 44: // ,
        values++
    }
  }
  return { depth: deepest, values }
}

/** What makes a JsonText, as one thread hands it to another. */
export interface JsonTextParts {
  /** In memory that both threads share: nothing is copied. */
  bytes: Uint8Array<SharedArrayBuffer>
  digest: string
  items: number
}

/**
 * A large JSON value that is kept as text, which the main thread never parses. It takes the place of a blob in a body or
 * patch. Code that looks inside runs through `offThread`.
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

  /** As JSON.stringify writes it. A new string each time, which nobody should keep for long. */
  get text(): string {
    return bufferOn(this.bytes).toString()
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

/** An argument for `offThread`, whose function gets the JSON text of the value. */
export const jsonForThread = (value: unknown): string | JsonText =>
  value instanceof JsonText ? value : JSON.stringify(value)

/** JSON text of a value, which may be kept as its text already. */
export const jsonTextOf = (value: unknown): string =>
  value instanceof JsonText ? value.text : JSON.stringify(value)

/** The parsed value, for values that other rules keep small. */
export const openJson = (value: unknown): unknown =>
  value instanceof JsonText ? parseExact(value.text) : value

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
      if (isName && depth === 1 && names.includes(JSON.parse(text.slice(at, end)))) return true
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

type JsonObject = Record<string, unknown>

export function isObject(value: unknown): value is JsonObject {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    !isRawNumber(value) &&
    !(value instanceof JsonText)
  )
}

/** JSON merge patch (RFC 7396): objects merge, null removes a property, anything else replaces. */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch
  const merged: JsonObject = isObject(target) ? { ...target } : {}
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete merged[name]
    else merged[name] = mergePatch(Object.hasOwn(merged, name) ? merged[name] : undefined, value)
  }
  return merged
}

/**
 * Whether a value and a JSON text are equal, with properties in the same order. Compares numbers as doubles, because a
 * client may send back fewer digits than are stored.
 */
export function sameJson(value: unknown, text: string): boolean {
  return sameValue(value, JSON.parse(text))
}

/** The same for two values. It ends at the first difference, so that comparing a small value with a large one is cheap. */
export function sameValue(a: unknown, b: unknown): boolean {
  const number = numberOf(a)
  if (number !== undefined) return number === numberOf(b)
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b
  if (isRawNumber(b)) return false
  if (Array.isArray(a) !== Array.isArray(b)) return false
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((item, at) => sameValue(item, b[at]))
  const names = Object.keys(b)
  return (
    Object.keys(a).length === names.length &&
    Object.keys(a).every(
      (name, at) => name === names[at] && sameValue(Reflect.get(a, name), Reflect.get(b, name)),
    )
  )
}

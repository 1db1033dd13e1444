/** PHP's serialize() format, read and written so that what nobody changed keeps its bytes. */
import { isRawNumber } from '../json.ts'

/** A PHP array: its members in order, under int or string keys. */
export type PhpArray = { readonly entries: readonly PhpEntry[] }
export type PhpEntry = readonly [key: bigint | string, value: PhpValue]
/** A float as the text PHP wrote for it: `0.1`, `1.0E+25`, `-0`, `INF`. */
export type PhpFloat = { readonly float: string }
/** A PHP reference (`&`) to the value that stands at `slot`, counted from 1 in the order of the text. */
export type PhpReference = { readonly slot: number; readonly value: PhpValue }
/** What PHP can serialize, objects left out; ints are bigint, since they go beyond 2^53. */
export type PhpValue = null | boolean | bigint | string | PhpFloat | PhpArray | PhpReference

/** The text or value cannot be carried over between PHP and us without loss. Its message never holds values. */
export class PhpFormatError extends Error {
  override name = 'PhpFormatError'
}

const MAX_BYTES = 64 * 1024 * 1024
const MAX_DEPTH = 512
// References may multiply a short text without end.
const MAX_REPEATED = 4 * 1024 * 1024

// Exactly what serialize() writes: unserialize() takes more (`i:+05;`), which could not be written back alike.
const NULL = /N;/y
const BOOLEAN = /b:([01]);/y
const INTEGER = /i:(0|-?[1-9]\d{0,18});/y
const FLOAT = /d:(-?INF|NAN|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?);/y
const STRING = /s:(0|[1-9]\d{0,8}):"/y
const ARRAY = /a:(0|[1-9]\d{0,8}):\{/y
const REFERENCE = /R:([1-9]\d{0,8});/y

/** Reads serialized text. Throws PhpFormatError for objects, and for all that serialize() would not have written. */
export function readPhp(text: string): PhpValue {
  if (Buffer.byteLength(text) > MAX_BYTES)
    throw new PhpFormatError('The serialized value is larger than 64 MiB.')
  if (!text.isWellFormed()) throw new PhpFormatError('The serialized value is not UTF-8.')
  return new Reader(Buffer.from(text)).whole()
}

class Reader {
  readonly #bytes: Buffer
  // The same bytes with one character each: lengths count bytes, expressions match characters.
  readonly #source: string
  readonly #slots: (PhpValue | undefined)[] = []
  #at = 0

  constructor(bytes: Buffer) {
    this.#bytes = bytes
    this.#source = bytes.toString('latin1')
  }

  whole(): PhpValue {
    const value = this.#value(0)
    if (this.#at !== this.#bytes.length) throw this.#unexpected()
    return value
  }

  #value(depth: number): PhpValue {
    if (this.#source[this.#at] === 'R') return this.#reference()
    const slot = this.#slots.push(undefined) - 1
    const value = this.#plain(depth)
    this.#slots[slot] = value
    return value
  }

  #plain(depth: number): PhpValue {
    switch (this.#source[this.#at]) {
      case 'N':
        this.#take(NULL)
        return null
      case 'b':
        return this.#take(BOOLEAN) === '1'
      case 'i':
        return this.#integer()
      case 'd':
        return { float: this.#take(FLOAT) }
      case 's':
        return this.#string()
      case 'a':
        return this.#array(depth + 1)
      case 'O':
      case 'C':
      case 'E':
      case 'r':
        throw new PhpFormatError(`The serialized value holds an object, at byte ${this.#at}.`)
      default:
        throw this.#unexpected()
    }
  }

  #integer(): bigint {
    const value = BigInt(this.#take(INTEGER))
    if (!isInt64(value)) throw this.#unexpected()
    return value
  }

  #string(): string {
    const length = Number(this.#take(STRING))
    const start = this.#at
    this.#skip(length, '";')
    return this.#bytes.toString('utf8', start, start + length)
  }

  #array(depth: number): PhpArray {
    if (depth > MAX_DEPTH) throw tooDeep()
    const entries: PhpEntry[] = []
    // The count is only counted against: it never reserves memory.
    for (let count = Number(this.#take(ARRAY)); count > 0; count--) {
      const key = this.#source[this.#at] === 'i' ? this.#integer() : this.#string()
      entries.push([key, this.#value(depth)])
    }
    this.#skip(0, '}')
    return { entries }
  }

  #reference(): PhpReference {
    const slot = Number(this.#take(REFERENCE))
    const value = this.#slots[slot - 1]
    // Nothing there yet, or an array that is still open and would contain itself.
    if (value === undefined) throw this.#unexpected()
    return { slot, value }
  }

  #take(pattern: RegExp): string {
    pattern.lastIndex = this.#at
    const match = pattern.exec(this.#source)
    if (!match) throw this.#unexpected()
    this.#at = pattern.lastIndex
    return match[1] ?? ''
  }

  #skip(length: number, end: string) {
    if (!this.#source.startsWith(end, this.#at + length)) throw this.#unexpected()
    this.#at += length + end.length
  }

  #unexpected(): PhpFormatError {
    return new PhpFormatError(`The serialized value is broken at byte ${this.#at}.`)
  }
}

/** Writes a value as serialize() does. What readPhp gave comes out as the same text, byte for byte. */
export function writePhp(value: PhpValue): string {
  const slots: PhpValue[] = []
  const write = (value: PhpValue, depth: number): string => {
    if (isReference(value)) {
      // A change further up may have moved the target: then the reference would mean something else.
      if (slots[value.slot - 1] !== value.value) throw new PhpFormatError('A PHP reference lost its target.')
      return `R:${value.slot};`
    }
    slots.push(value)
    if (value === null) return 'N;'
    if (typeof value === 'boolean') return value ? 'b:1;' : 'b:0;'
    if (typeof value !== 'object') return writeScalar(value)
    if ('float' in value) return `d:${value.float};`
    if (depth === MAX_DEPTH) throw tooDeep()
    let items = ''
    for (const [key, item] of value.entries) items += writeScalar(key) + write(item, depth + 1)
    return `a:${value.entries.length}:{${items}}`
  }
  return write(value, 0)
}

function writeScalar(value: bigint | string): string {
  if (typeof value === 'string') {
    if (!value.isWellFormed()) throw new PhpFormatError('A PHP string cannot hold half a surrogate pair.')
    return `s:${Buffer.byteLength(value)}:"${value}";`
  }
  if (!isInt64(value)) throw new PhpFormatError('A PHP int has 64 bits at most.')
  return `i:${value};`
}

/**
 * The JSON text of a value: arrays with the keys 0 to n-1 in order become lists, others objects in their order.
 * PHP does not tell an empty list from an empty object: `empty` is the text for a value that is an empty array.
 */
export function phpToJsonText(value: PhpValue, empty = '[]'): string {
  let room = MAX_REPEATED
  const spend = (text: string, repeated: boolean): string => {
    if (repeated) room -= text.length
    if (room < 0) throw new PhpFormatError('The references of the PHP value repeat more than 4 MiB.')
    return text
  }
  const json = (value: PhpValue, depth: number, repeated: boolean): string => {
    if (isReference(value)) return json(value.value, depth, true)
    if (typeof value === 'bigint') return spend(String(value), repeated)
    if (value === null || typeof value !== 'object') return spend(JSON.stringify(value), repeated)
    if ('float' in value) return spend(jsonFloat(value), repeated)
    if (depth === MAX_DEPTH) throw tooDeep()
    // Of equal keys PHP keeps the last value at the first place; 5 and "5" are equal.
    const items = new Map<string, PhpValue>()
    for (const [key, item] of value.entries) items.set(String(key), item)
    const isList = [...items.keys()].every((key, index) => key === String(index))
    let text = ''
    for (const [key, item] of items) {
      if (text) text += ','
      if (!isList) text += spend(`${JSON.stringify(key)}:`, repeated)
      text += json(item, depth + 1, repeated)
    }
    spend('[]', repeated)
    return isList ? `[${text}]` : `{${text}}`
  }
  return isArray(value) && value.entries.length === 0 ? empty : json(value, 0, false)
}

function jsonFloat({ float }: PhpFloat): string {
  if (!Number.isFinite(Number(float))) throw new PhpFormatError('JSON has no infinite numbers and no NaN.')
  return float
}

/** A JSON value as PHP would hold it after `json_decode($text, true)`. */
export function phpFromJson(value: unknown): PhpValue {
  return fromJson(value, 0)
}

function fromJson(value: unknown, depth: number): PhpValue {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return value
  if (typeof value === 'number') return fromNumber(value)
  if (typeof value !== 'object') throw new PhpFormatError(`JSON has no ${typeof value}.`)
  if (isRawNumber(value)) return fromDigits(JSON.stringify(value))
  if (depth === MAX_DEPTH) throw tooDeep()
  const items = Array.isArray(value) ? [...value.entries()] : Object.entries(value)
  return { entries: items.map(([key, item]) => [arrayKey(String(key)), fromJson(item, depth + 1)]) }
}

/** A number beyond what a double holds: PHP's ints hold more of them, its floats the rest. */
function fromDigits(text: string): bigint | PhpFloat {
  return /^-?\d+$/.test(text) && isInt64(BigInt(text)) ? BigInt(text) : { float: text }
}

function fromNumber(value: number): bigint | PhpFloat {
  if (!Number.isFinite(value)) throw new PhpFormatError('JSON has no infinite numbers and no NaN.')
  // Through the text, as PHP reads it: 2^60 stands in JSON as 1152921504606847000.
  const text = String(value)
  if (/^-?\d+$/.test(text) && isInt64(BigInt(text))) return BigInt(text)
  const [digits = '', exponent = ''] = value.toExponential().split('e')
  if (Number(exponent) >= -4 && Number(exponent) <= 16) return { float: text }
  return { float: `${digits.includes('.') ? digits : `${digits}.0`}E${exponent}` }
}

// "5" and 5 are one key to PHP, "05" and "-0" are strings.
function arrayKey(key: string): bigint | string {
  if (!/^(?:0|-?[1-9]\d{0,18})$/.test(key)) return key
  return isInt64(BigInt(key)) ? BigInt(key) : key
}

function isArray(value: PhpValue): value is PhpArray {
  return typeof value === 'object' && value !== null && 'entries' in value
}

function isReference(value: PhpValue): value is PhpReference {
  return typeof value === 'object' && value !== null && 'slot' in value
}

function isInt64(value: bigint): boolean {
  return BigInt.asIntN(64, value) === value
}

function tooDeep(): PhpFormatError {
  return new PhpFormatError('The PHP value is nested deeper than 512 levels.')
}

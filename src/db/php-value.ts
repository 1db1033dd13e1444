// Reads and writes the format of PHP's serialize() (php.net/serialize; `ext/standard/var.c`), so that unchanged values keep their bytes,
// and converts such values from and to JSON.
import { isAscii } from 'node:buffer'
import { isRawNumber } from '../json/exact.ts'
import { Pieces } from '../json/strings.ts'

/** A PHP array: ordered entries with int or string keys. */
export type PhpArray = { readonly entries: readonly PhpEntry[] }
/** An entry of a PHP array. */
export type PhpEntry = readonly [key: bigint | string, value: PhpValue]
/** A float with the digits that PHP wrote: `0.1`, `1.0E+25`, `-0`, `INF`. */
export type PhpFloat = { readonly float: string }
/** A PHP reference (`&`) to the value at `slot`, counted from 1 in serialized order. */
export type PhpReference = { readonly slot: number; readonly value: PhpValue }
/** What PHP can serialize, without objects. Ints are bigint, because they exceed 2^53. */
export type PhpValue = null | boolean | bigint | string | PhpFloat | PhpArray | PhpReference

/** The value cannot be converted without loss. The message never contains values. */
export class PhpFormatError extends Error {
  override name = 'PhpFormatError'
}

/** Bytes of a serialized value. */
const MAX_BYTES = 32 * 1024 * 1024
/** Levels of arrays. */
const MAX_DEPTH = 512
/** Values in a serialized value. */
const MAX_VALUES = 320_000
/** Reading a value takes as long as reading so many bytes, so a large text may have fewer values. */
const BYTES_PER_VALUE = 64
/** Characters of the JSON text of a value: as much as is read of other stored values. */
const MAX_JSON = 32 * 1024 * 1024
/** Characters that references add to the JSON text: they could multiply a short string without limit. */
const MAX_REPEATED = 4 * 1024 * 1024

// Exactly what serialize() writes. unserialize() accepts more (`i:+05;`), which would not keep its bytes.
const NULL = /N;/y
const BOOLEAN = /b:([01]);/y
const INTEGER = /i:(0|-?[1-9]\d{0,18});/y
const FLOAT = /d:(-?INF|NAN|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?);/y
const STRING = /s:(0|[1-9]\d{0,8}):"/y
const ARRAY = /a:(0|[1-9]\d{0,8}):\{/y
const REFERENCE = /R:([1-9]\d{0,8});/y

/** Reads a serialized value. @throws PhpFormatError for objects, and for anything that serialize() would not write */
export function readPhp(text: string): PhpValue {
  if (Buffer.byteLength(text) > MAX_BYTES)
    throw new PhpFormatError('The serialized value is larger than 32 MiB.')
  if (!text.isWellFormed()) throw new PhpFormatError('The serialized value is not UTF-8.')
  return new Reader(Buffer.from(text)).read()
}

/** Reads one serialized value from the first byte to the last. */
class Reader {
  readonly #bytes: Buffer
  // The same bytes as characters, because lengths count bytes and expressions match characters.
  readonly #source: string
  readonly #isAscii: boolean
  readonly #maxValues: number
  /** The values so far in the order of the text, for references; undefined for an array that is being read. */
  readonly #slots: (PhpValue | undefined)[] = []
  /** Position of the next byte. */
  #position = 0

  constructor(bytes: Buffer) {
    this.#bytes = bytes
    this.#source = bytes.toString('latin1')
    this.#isAscii = isAscii(bytes)
    this.#maxValues = Math.min(MAX_VALUES, (MAX_BYTES - bytes.length) / BYTES_PER_VALUE + 1)
  }

  read(): PhpValue {
    const value = this.#value(0)
    if (this.#position !== this.#bytes.length) throw this.#unexpected()
    return value
  }

  /** Reads a value, and gives it the next slot. References get none. */
  #value(depth: number): PhpValue {
    if (this.#source[this.#position] === 'R') return this.#reference()
    const slot = this.#slots.push(undefined) - 1
    if (slot >= this.#maxValues) throw new PhpFormatError('The serialized value holds too many values.')
    const value = this.#unslotted(depth)
    this.#slots[slot] = value
    return value
  }

  #unslotted(depth: number): PhpValue {
    switch (this.#source[this.#position]) {
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
        throw new PhpFormatError(`The serialized value holds an object, at byte ${this.#position}.`)
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
    const start = this.#position
    this.#skip(length, '";')
    if (this.#isAscii) return this.#source.slice(start, start + length)
    return this.#bytes.toString('utf8', start, start + length)
  }

  #array(depth: number): PhpArray {
    if (depth > MAX_DEPTH) throw tooDeep()
    const entries: PhpEntry[] = []
    // The count may be wrong, so no memory is reserved for it.
    for (let count = Number(this.#take(ARRAY)); count > 0; count--) {
      const key = this.#source[this.#position] === 'i' ? this.#integer() : this.#string()
      entries.push([key, this.#value(depth)])
    }
    this.#skip(0, '}')
    return { entries }
  }

  #reference(): PhpReference {
    const slot = Number(this.#take(REFERENCE))
    const value = this.#slots[slot - 1]
    // There is no value yet, or an array that would contain itself.
    if (value === undefined) throw this.#unexpected()
    return { slot, value }
  }

  /** Reads what the pattern matches here. @returns its first group, or '' */
  #take(pattern: RegExp): string {
    pattern.lastIndex = this.#position
    const match = pattern.exec(this.#source)
    if (!match) throw this.#unexpected()
    this.#position = pattern.lastIndex
    return match[1] ?? ''
  }

  /** Goes on behind `length` bytes and the text `end`, which must follow them. */
  #skip(length: number, end: string) {
    if (!this.#source.startsWith(end, this.#position + length)) throw this.#unexpected()
    this.#position += length + end.length
  }

  #unexpected(): PhpFormatError {
    return new PhpFormatError(`The serialized value is broken at byte ${this.#position}.`)
  }
}

/**
 * Writes a value as serialize() does. What readPhp returned is written with the same bytes.
 * @throws PhpFormatError if a reference no longer leads to its value, or a value cannot be written
 */
export function writePhp(value: PhpValue): string {
  /** The values so far in the order of the text, as `Reader` counts them. */
  const slots: PhpValue[] = []
  const write = (value: PhpValue, depth: number): string => {
    if (isReference(value)) {
      // An earlier change may have moved the target, so that the reference would mean another value.
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
    if (!value.isWellFormed()) throw new PhpFormatError('A PHP string cannot contain a lone surrogate.')
    return `s:${Buffer.byteLength(value)}:"${value}";`
  }
  if (!isInt64(value)) throw new PhpFormatError('A PHP int has 64 bits at most.')
  return `i:${value};`
}

/**
 * The JSON text of a value. Arrays with the keys 0 to n-1 in order become lists, others objects in their order.
 * @param empty JSON text for an empty array at the top, because PHP does not distinguish empty lists from empty objects
 */
export function phpToJsonText(value: PhpValue, empty = '[]'): string {
  if (isArray(value) && value.entries.length === 0) return empty
  let room = MAX_REPEATED
  let remaining = MAX_JSON
  const pieces = new Pieces()
  const add = (text: string, repeated: boolean) => {
    if (repeated) room -= text.length
    if (room < 0) throw new PhpFormatError('The references of the PHP value repeat more than 4 MiB.')
    remaining -= text.length
    if (remaining < 0) throw tooLong()
    pieces.add(text)
  }
  const write = (value: PhpValue, depth: number, repeated: boolean): void => {
    if (isReference(value)) write(value.value, depth, true)
    else if (isArray(value)) writeArray(value, depth, repeated)
    else if (typeof value === 'bigint') add(String(value), repeated)
    else add(jsonOf(value, remaining), repeated)
  }
  const writeArray = ({ entries }: PhpArray, depth: number, repeated: boolean): void => {
    if (depth === MAX_DEPTH) throw tooDeep()
    if (entries.every(([key], index) => typeof key === 'bigint' && Number(key) === index)) {
      let between = '['
      for (const [, item] of entries) {
        add(between, repeated)
        between = ','
        write(item, depth + 1, repeated)
      }
      if (entries.length === 0) add('[', repeated)
      add(']', repeated)
      return
    }
    // Of equal keys PHP keeps the last value at the first position; 5 and "5" are equal.
    const items = new Map<string, PhpValue>()
    for (const [key, item] of entries) items.set(String(key), item)
    const isList = [...items.keys()].every((key, index) => key === String(index))
    let before = isList ? '[' : '{'
    for (const [key, item] of items) {
      add(isList ? before : `${before}${JSON.stringify(key)}:`, repeated)
      before = ','
      write(item, depth + 1, repeated)
    }
    add(isList ? ']' : '}', repeated)
  }
  write(value, 0, false)
  return pieces.text
}

/** Characters that an escape adds in JSON (RFC 8259 §7), by their code. */
const added = new Uint8Array(128).fill(5, 0, 32)
for (const character of '"\\\b\t\n\f\r') added[character.charCodeAt(0)] = 1

/** The JSON text of a value. @throws PhpFormatError if it has more than `maxLength` characters, before it is made */
function jsonOf(value: null | boolean | string | PhpFloat, maxLength: number): string {
  if (value !== null && typeof value === 'object') return jsonFloat(value)
  if (typeof value === 'string' && value.length * 6 > maxLength) {
    let length = value.length
    for (let at = 0; at < value.length; at++) length += added[value.charCodeAt(at)] ?? 0
    if (length > maxLength) throw tooLong()
  }
  return JSON.stringify(value)
}

const tooLong = () => new PhpFormatError('The PHP value is too long.')

function jsonFloat({ float }: PhpFloat): string {
  if (!Number.isFinite(Number(float))) throw new PhpFormatError('JSON has no infinite numbers and no NaN.')
  return float
}

/** The PHP value that `json_decode($text, true)` returns for the text of a JSON value. @throws PhpFormatError for other values */
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

/** A number beyond the precision of a double: an int if it has 64 bits at most, else a float. */
function fromDigits(text: string): bigint | PhpFloat {
  return /^-?\d+$/.test(text) && isInt64(BigInt(text)) ? BigInt(text) : { float: text }
}

/** A number as PHP reads it from JSON and serializes it with `serialize_precision = -1`. */
function fromNumber(value: number): bigint | PhpFloat {
  if (!Number.isFinite(value)) throw new PhpFormatError('JSON has no infinite numbers and no NaN.')
  // From the digits, as PHP does: JSON.stringify writes 2^60 as 1152921504606847000.
  const text = String(value)
  if (/^-?\d+$/.test(text) && isInt64(BigInt(text))) return BigInt(text)
  const [digits = '', exponent = ''] = value.toExponential().split('e')
  if (Number(exponent) >= -4 && Number(exponent) <= 16) return { float: text }
  return { float: `${digits.includes('.') ? digits : `${digits}.0`}E${exponent}` }
}

// PHP treats "5" and 5 as the same key; "05" and "-0" are strings.
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

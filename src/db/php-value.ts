// Reads and writes the format of PHP's serialize() (php.net/serialize; `ext/standard/var.c`), so that unchanged values keep their bytes.
// php-json.ts converts such values from and to JSON.
import { isAscii } from 'node:buffer'

/** A PHP array: ordered entries with int or string keys. */
export type PhpArray = { readonly entries: readonly PhpEntry[] }
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

/**
 * Bytes of a serialized value. Reading so many and writing them as JSON stops other requests for a tenth of a second. By default
 * MariaDB takes no larger statement (`max_allowed_packet`), and so no larger value of PHP.
 */
const MAX_BYTES = 16 * 1024 * 1024
/** Maximum levels of arrays. */
export const MAX_DEPTH = 512
/** A value takes as long as so many bytes, so a large text may have fewer values: 131,072 at most. */
const BYTES_PER_VALUE = 128

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
    throw new PhpFormatError('The serialized value is larger than 16 MiB.')
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
    this.#maxValues = (MAX_BYTES - bytes.length) / BYTES_PER_VALUE + 1
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

export function isArray(value: PhpValue): value is PhpArray {
  return typeof value === 'object' && value !== null && 'entries' in value
}

export function isReference(value: PhpValue): value is PhpReference {
  return typeof value === 'object' && value !== null && 'slot' in value
}

export function isInt64(value: bigint): boolean {
  return BigInt.asIntN(64, value) === value
}

/** The error for values with more than `MAX_DEPTH` levels of arrays. */
export function tooDeep(): PhpFormatError {
  return new PhpFormatError('The PHP value is nested deeper than 512 levels.')
}

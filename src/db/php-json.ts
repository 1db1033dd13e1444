// Converts PHP values to JSON text, as PHP's json_encode does, and JSON values to PHP values, as json_decode does.
import { isRawNumber } from '../json/parse.ts'
import { Pieces } from '../json/strings.ts'
import {
  isArray,
  isInt64,
  isReference,
  MAX_DEPTH,
  type PhpArray,
  type PhpFloat,
  PhpFormatError,
  type PhpValue,
  tooDeep,
} from './php-value.ts'

/** Characters of the JSON text of a value: as much as is read of other stored values. */
const MAX_JSON = 32 * 1024 * 1024
/** Characters that references add to the JSON text: they could multiply a short string without limit. */
const MAX_REPEATED = 4 * 1024 * 1024

/**
 * The JSON text of a value. Arrays with the keys 0 to n-1 in order become lists, others objects in their order.
 * @param empty JSON text for an empty array at the top, because PHP does not distinguish empty lists from empty objects
 * @throws PhpFormatError for values that JSON does not have, and beyond the limits
 */
export function phpToJsonText(value: PhpValue, empty = '[]'): string {
  if (isArray(value) && value.entries.length === 0) return empty
  let room = MAX_REPEATED
  let remaining = MAX_JSON
  const pieces = new Pieces()
  /** @param repeated whether the text is within a reference, so that it counts against `MAX_REPEATED` */
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

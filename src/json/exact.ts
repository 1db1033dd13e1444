// Lossless JSON: numbers beyond the precision of a double keep their digits.
import { randomBytes } from 'node:crypto'
import { fromJson } from './parse.ts'
import { afterString, Pieces, quote, withParts } from './strings.ts'

/** The cast adds JSON.rawJSON, which every supported Node has but TypeScript's library does not declare yet. */
const json = JSON as unknown as {
  rawJSON(text: string): object
  isRawJSON(value: unknown): boolean
}

/** A number with fewer digits in a row is a double without loss. */
const longDigits = /\d{16}/

/**
 * Parses JSON so that JSON.stringify writes each number with the digits of the text: numbers that a double would change
 * become raw JSON (`JSON.rawJSON`). Takes time linear in the length of the text.
 * @throws SyntaxError as JSON.parse does
 */
export function parseExact(text: string): unknown {
  const { json: quoted, prefix } = quoteLongNumbers(text)
  const value: unknown = fromJson(quoted)
  if (prefix === undefined) return value
  return withParts(value, (part) =>
    typeof part === 'string' && part.startsWith(prefix) ? json.rawJSON(part.slice(prefix.length)) : part,
  )
}

/**
 * The JSON with each number that a double would change written as a string: `prefix`, then the digits. The prefix is random
 * and does not occur in the text; undefined if no number is replaced.
 */
function quoteLongNumbers(text: string): { json: string; prefix?: string } {
  if (!longDigits.test(text)) return { json: text }
  let prefix: string
  do prefix = randomBytes(4).toString('hex')
  while (text.includes(prefix))
  const pieces = new Pieces()
  let copied = 0
  for (const [start, end] of longNumbers(text)) {
    const digits = text.slice(start, end)
    const number = Number(digits)
    if (!Number.isFinite(number) || String(number) === digits || !numberSyntax.test(digits)) continue
    pieces.add(text.slice(copied, start), '"', prefix, digits, '"')
    copied = end
  }
  if (copied === 0) return { json: text }
  pieces.add(text.slice(copied))
  return { json: pieces.text, prefix }
}

/** A number of JSON (RFC 8259 §6). */
const numberSyntax = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/

const minus = 45

const isDigit = (code: number) => code >= 48 && code <= 57
/** Whether a number may contain the character: a digit, `+`, `-`, `.`, `E`, `e`. */
const isNumberCharacter = (code: number) =>
  isDigit(code) || code === 43 || code === minus || code === 46 || code === 69 || code === 101

/** The positions of numbers with at least 16 digits, outside of strings. */
function* longNumbers(text: string): Generator<[start: number, end: number]> {
  for (let position = 0; position < text.length; ) {
    const code = text.charCodeAt(position)
    if (code === quote) {
      position = afterString(text, position + 1)
    } else if (isDigit(code) || code === minus) {
      const start = position
      while (isNumberCharacter(text.charCodeAt(position))) position++
      if (position - start >= 16 && longDigits.test(text.slice(start, position))) yield [start, position]
    } else {
      position++
    }
  }
}

/** Whether the value is raw JSON: a number that `parseExact` returns with all its digits. Its `typeof` is "object". */
export function isRawNumber(value: unknown): boolean {
  return json.isRawJSON(value)
}

/** A number, or a raw number of `parseExact`, as a double; undefined for any other value. */
export function numberOf(value: unknown): number | undefined {
  if (typeof value === 'number') return value
  return isRawNumber(value) ? Number(JSON.stringify(value)) : undefined
}

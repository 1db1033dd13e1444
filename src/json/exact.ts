// Lossless JSON: numbers beyond the precision of a double keep their digits.
import { randomBytes } from 'node:crypto'
import { fromJson } from './parse.ts'
import { afterString, Pieces, quote, withParts } from './strings.ts'

/** JSON.rawJSON is in every supported Node, but not yet in TypeScript's library. */
const json = JSON as unknown as {
  rawJSON(text: string): object
  isRawJSON(value: unknown): boolean
}

const long = /\d{16}/

/**
 * Parses JSON whose numbers survive JSON.stringify: those that a double would change become raw JSON. Linear in the
 * length of the text.
 * @throws SyntaxError as JSON.parse does
 */
export function parseExact(text: string): unknown {
  const { marked, mark } = markLongNumbers(text)
  const value: unknown = fromJson(marked)
  if (mark === undefined) return value
  return withParts(value, (part) =>
    typeof part === 'string' && part.startsWith(mark) ? json.rawJSON(part.slice(mark.length)) : part,
  )
}

/** The text with numbers that a double would change replaced by strings: a random mark that does not occur in it, and the digits. */
function markLongNumbers(text: string): { marked: string; mark?: string } {
  // Only numbers with 16 or more digits need it.
  if (!long.test(text)) return { marked: text }
  let mark: string
  do mark = randomBytes(4).toString('hex')
  while (text.includes(mark))
  const pieces = new Pieces()
  let copied = 0
  for (const [start, end] of longNumbers(text)) {
    const source = text.slice(start, end)
    const number = Number(source)
    if (!Number.isFinite(number) || String(number) === source || !isNumber.test(source)) continue
    pieces.add(text.slice(copied, start), '"', mark, source, '"')
    copied = end
  }
  if (copied === 0) return { marked: text }
  pieces.add(text.slice(copied))
  return { marked: pieces.text, mark }
}

const isNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/

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
      at = afterString(text, at + 1)
    } else if (isDigit(code) || code === minus) {
      const start = at
      while (isOfNumber(text.charCodeAt(at))) at++
      if (at - start >= 16 && long.test(text.slice(start, at))) yield [start, at]
    } else {
      at++
    }
  }
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

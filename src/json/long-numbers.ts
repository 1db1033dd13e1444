// Finds numbers in JSON text that a double would change, for `parseExact` (parse.ts).
import { afterString, Pieces, quote } from './strings.ts'

/**
 * Numbers with fewer digits in a row are read as doubles. That changes one only if a point splits more than 15 digits, such as
 * `123456789012345.678`, of which PHP and JavaScript keep no more than a double either.
 */
export const longDigitsPattern = /\d{16}/

/**
 * The JSON with each number that a double would change written as a string: `prefix`, then the digits. The prefix is random, so that no
 * other string of the text begins with it; undefined if no number is replaced.
 */
export function quoteLongNumbers(text: string): { json: string; prefix?: string } {
  // Web Crypto, not node:crypto, because the client runs in browsers, too.
  const prefix = crypto.getRandomValues(new Uint32Array(2)).join('-')
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
      if (position - start >= 16 && longDigitsPattern.test(text.slice(start, position)))
        yield [start, position]
    } else {
      position++
    }
  }
}

// Finds the headers of the objects of a PDF, such as `12 0 obj` (PDF 32000-1 §7.3.10): all in the file, and one at an offset.
import { isDigit, isLetter, isLineEnd, isNumeric, isWhitespace } from './characters.ts'
import { damagedPdf, objectNumber, occurrences, type ParseState, spendCharacters } from './reader.ts'

export interface ObjectHeader {
  /** The number of the object. */
  number: number
  /** The offset of the number. */
  start: number
  /** The offset of the content. */
  content: number
}

/** All headers in the file, including those in streams and comments: an offset may lead a program there. */
export function* objectHeaders(source: string): Generator<ObjectHeader> {
  for (const position of occurrences(source, 'obj')) {
    if (isLetter(source.charCodeAt(position + 3)) || source.startsWith('end', position - 3)) continue
    const header = headerBefore(source, position)
    if (header) yield { ...header, content: position + 3 }
  }
}

/**
 * The header at an offset, after optional whitespace; undefined if there is none. The offset may lie inside the number of another
 * header.
 */
export function headerAt(source: string, offset: number, state: ParseState): ObjectHeader | undefined {
  const start = past(source, offset, isWhitespace)
  const end = past(source, start, isDigit)
  const second = past(source, end, isWhitespace)
  const position = past(source, past(source, second, isDigit), isWhitespace)
  spendCharacters(state, position - offset)
  const isHeader =
    end > start && second > end && isDigit(source.charCodeAt(second)) && source.startsWith('obj', position)
  if (!isHeader) return undefined
  return { number: objectNumber(source.slice(start, end)), start, content: position + 3 }
}

/** The first position from `from` on whose character does not pass. */
function past(source: string, from: number, passes: (code: number) => boolean): number {
  let position = from
  while (passes(source.charCodeAt(position))) position++
  return position
}

/**
 * The two numbers before a keyword `obj`; undefined if there are none.
 * @throws FileRejected where programs disagree: `% 12⏎0 obj` (the first number is in a comment), `12 5E0 obj` (5E0 is one number, or
 *   0 after a name), `+12 0 obj` and `1.5 0 obj` (a sign or a fraction)
 */
function headerBefore(source: string, position: number): Pick<ObjectHeader, 'number' | 'start'> | undefined {
  const second = numberBefore(source, position)
  const first = second.length > 0 ? numberBefore(source, second.start) : second
  // A comment may replace a missing number, or precede one that only seems to belong to the header.
  const isBroken = first.afterLineEnd || second.afterLineEnd
  if ((isBroken && hasComment(source, first.start)) || hasExponent(source, second.start)) throw damagedPdf()
  if (first.length === 0) return undefined
  if (!first.isPlain || !second.isPlain || hasExponent(source, first.start)) throw damagedPdf()
  return { number: objectNumber(source.slice(first.start, first.start + first.length)), start: first.start }
}

/**
 * The number before an offset: its place and length (0 if there is none), whether it and the space after it are written as usual,
 * and whether a line ends in that space. Anything that some program reads as a number counts as one.
 */
function numberBefore(source: string, from: number) {
  let position = from
  let isPlain = true
  let afterLineEnd = false
  for (; source.charCodeAt(position - 1) <= 0x20; position--) {
    const code = source.charCodeAt(position - 1)
    if (!isWhitespace(code)) isPlain = false
    if (isLineEnd(code)) afterLineEnd = true
  }
  const end = position
  for (; isNumeric(source.charCodeAt(position - 1)); position--)
    if (!isDigit(source.charCodeAt(position - 1))) isPlain = false
  return { start: position, length: end - position, isPlain, afterLineEnd }
}

/** Whether there is a percent sign between the offset and the beginning of its line. */
function hasComment(source: string, before: number): boolean {
  for (let position = before - 1; position >= 0 && !isLineEnd(source.charCodeAt(position)); position--)
    if (source[position] === '%') return true
  return false
}

/** Whether an exponent precedes the offset: `5E0` is a number to some programs. */
function hasExponent(source: string, position: number): boolean {
  return (
    (source[position - 1] === 'E' || source[position - 1] === 'e') &&
    isNumeric(source.charCodeAt(position - 2))
  )
}

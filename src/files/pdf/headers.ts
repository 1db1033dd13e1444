// Finds where the objects of a PDF start. A header must have its plain form, `12 0 obj`; one that only some programs
// would recognize is rejected.
import { isDigit, isLetter, isLineEnd, isNumeric, isWhitespace } from './characters.ts'
import { damaged, objectNumber, type ParseState, spendCharacters } from './reader.ts'

export interface ObjectHeader {
  number: number
  /** The offset of the number. */
  start: number
  /** The offset of the content. */
  content: number
}

/** All headers in the file, including those in streams and comments: an offset may lead a program there. */
export function* objectHeaders(source: string): Generator<ObjectHeader> {
  for (let at = source.indexOf('obj'); at >= 0; at = source.indexOf('obj', at + 3)) {
    if (isLetter(source.charCodeAt(at + 3)) || source.startsWith('end', at - 3)) continue
    const header = headerBefore(source, at)
    if (header) yield { ...header, content: at + 3 }
  }
}

/** The header at an offset, after optional whitespace. The offset may lie inside the number of another header. */
export function headerAt(source: string, offset: number, state: ParseState): ObjectHeader | undefined {
  const start = past(source, offset, isWhitespace)
  const end = past(source, start, isDigit)
  const second = past(source, end, isWhitespace)
  const at = past(source, past(source, second, isDigit), isWhitespace)
  spendCharacters(state, at - offset)
  const isHeader =
    end > start && second > end && isDigit(source.charCodeAt(second)) && source.startsWith('obj', at)
  if (!isHeader) return undefined
  return { number: objectNumber(source.slice(start, end)), start, content: at + 3 }
}

function past(source: string, from: number, is: (code: number) => boolean): number {
  let at = from
  while (is(source.charCodeAt(at))) at++
  return at
}

function headerBefore(source: string, at: number): Pick<ObjectHeader, 'number' | 'start'> | undefined {
  const second = numberBefore(source, at)
  const first = second.length > 0 ? numberBefore(source, second.start) : second
  // A comment may replace a missing number, or precede one that only seems to belong to the header.
  const isBroken = first.afterLineEnd || second.afterLineEnd
  if ((isBroken && hasComment(source, first.start)) || hasExponent(source, second.start)) throw damaged()
  if (first.length === 0) return undefined
  if (!first.isPlain || !second.isPlain || hasExponent(source, first.start)) throw damaged()
  return { number: objectNumber(source.slice(first.start, first.start + first.length)), start: first.start }
}

/** The number before an offset, and what lies in between. Anything that some program reads as a number counts as one. */
function numberBefore(source: string, from: number) {
  let at = from
  let isPlain = true
  let afterLineEnd = false
  for (; source.charCodeAt(at - 1) <= 0x20; at--) {
    const code = source.charCodeAt(at - 1)
    if (!isWhitespace(code)) isPlain = false
    if (isLineEnd(code)) afterLineEnd = true
  }
  const end = at
  for (; isNumeric(source.charCodeAt(at - 1)); at--) if (!isDigit(source.charCodeAt(at - 1))) isPlain = false
  return { start: at, length: end - at, isPlain, afterLineEnd }
}

function hasComment(source: string, before: number): boolean {
  for (let at = before - 1; at >= 0 && !isLineEnd(source.charCodeAt(at)); at--)
    if (source[at] === '%') return true
  return false
}

/** `5E0` is a number to some programs. */
function hasExponent(source: string, at: number): boolean {
  return (source[at - 1] === 'E' || source[at - 1] === 'e') && isNumeric(source.charCodeAt(at - 2))
}

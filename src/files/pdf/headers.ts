// Finds where the objects of a PDF begin. A header is taken in its plain form, `12 0 obj`; one that only some programs
// would read as a header is refused.
import { isDigit, isLetter, isLineEnd, isNumeric, isWhitespace } from './characters.ts'
import { damaged, objectNumber, type ParseState, spendCharacters } from './reader.ts'

export interface ObjectHeader {
  number: number
  /** Where the number begins. */
  start: number
  /** Where the content begins. */
  content: number
}

/** All headers of the text, those within streams and comments as well: a program may be led there. */
export function* objectHeaders(text: string): Generator<ObjectHeader> {
  for (let at = text.indexOf('obj'); at >= 0; at = text.indexOf('obj', at + 3)) {
    if (isLetter(text.charCodeAt(at + 3)) || text.startsWith('end', at - 3)) continue
    const header = headerBefore(text, at)
    if (header) yield { ...header, content: at + 3 }
  }
}

/** The header that begins at an offset, behind whitespace; the offset may lie within the number of another one. */
export function headerAt(text: string, offset: number, state: ParseState): ObjectHeader | undefined {
  const start = past(text, offset, isWhitespace)
  const end = past(text, start, isDigit)
  const second = past(text, end, isWhitespace)
  const at = past(text, past(text, second, isDigit), isWhitespace)
  spendCharacters(state, at - offset)
  const isHeader =
    end > start && second > end && isDigit(text.charCodeAt(second)) && text.startsWith('obj', at)
  if (!isHeader) return undefined
  return { number: objectNumber(text.slice(start, end)), start, content: at + 3 }
}

function past(text: string, from: number, is: (code: number) => boolean): number {
  let at = from
  while (is(text.charCodeAt(at))) at++
  return at
}

function headerBefore(text: string, at: number): Pick<ObjectHeader, 'number' | 'start'> | undefined {
  const second = numberBefore(text, at)
  const first = second.length > 0 ? numberBefore(text, second.start) : second
  // A comment may stand where a number is missed, or before one that only seems to belong to the header.
  const isBroken = first.afterLineEnd || second.afterLineEnd
  if ((isBroken && hasComment(text, first.start)) || hasExponent(text, second.start)) throw damaged()
  if (first.length === 0) return undefined
  if (!first.isPlain || !second.isPlain || hasExponent(text, first.start)) throw damaged()
  return { number: objectNumber(text.slice(first.start, first.start + first.length)), start: first.start }
}

/** The number before a place, with what lies between. Anything that looks like a number to some program is taken for one. */
function numberBefore(text: string, from: number) {
  let at = from
  let isPlain = true
  let afterLineEnd = false
  for (; text.charCodeAt(at - 1) <= 0x20; at--) {
    const code = text.charCodeAt(at - 1)
    if (!isWhitespace(code)) isPlain = false
    if (isLineEnd(code)) afterLineEnd = true
  }
  const end = at
  for (; isNumeric(text.charCodeAt(at - 1)); at--) if (!isDigit(text.charCodeAt(at - 1))) isPlain = false
  return { start: at, length: end - at, isPlain, afterLineEnd }
}

function hasComment(text: string, before: number): boolean {
  for (let at = before - 1; at >= 0 && !isLineEnd(text.charCodeAt(at)); at--)
    if (text[at] === '%') return true
  return false
}

/** `5E0` is a number to some programs. */
function hasExponent(text: string, at: number): boolean {
  return (text[at - 1] === 'E' || text[at - 1] === 'e') && isNumeric(text.charCodeAt(at - 2))
}

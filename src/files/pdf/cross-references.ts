// Reads the cross-reference tables and streams of a PDF: offsets in the file, and streams that contain packed objects.
import { isDigit, isLetter, isLineEnd, isNumeric, isWhitespace } from './characters.ts'
import { damaged, objectNumber, type ParseState, PdfReader, spendCharacters } from './reader.ts'
import { boundedCount, type PdfStream, unusual } from './streams.ts'
import { PdfDict } from './values.ts'

/** All offsets in all cross-reference tables, including tables that no trailer links to. */
export function* tableOffsets(source: string, state: ParseState): Generator<number> {
  for (let at = source.indexOf('xref'); at >= 0; at = source.indexOf('xref', at + 4)) {
    if (source.startsWith('start', at - 5)) continue
    const reader = new PdfReader(source, at + 4, state)
    let isTable = false
    for (;;) {
      reader.skipSpace()
      const from = reader.at
      while (isDigit(source.charCodeAt(reader.at))) reader.at++
      if (reader.at > from) {
        isTable = true
        yield Number(source.slice(from, reader.at))
      } else if (source[from] === 'n' || source[from] === 'f') reader.at++
      else break
    }
    // Some programs continue after an invalid entry.
    const isRead = reader.at === source.length || source.startsWith('trailer', reader.at)
    if (isTable && !isRead) throw damaged()
  }
}

/** The trailer dictionaries. */
export function* trailers(source: string, state: ParseState): Generator<PdfDict> {
  for (let at = source.indexOf('trailer'); at >= 0; at = source.indexOf('trailer', at + 7)) {
    const reader = new PdfReader(source, at + 7, state)
    reader.skipSpace()
    const trailer = source.startsWith('<<', reader.at) ? reader.value() : undefined
    if (trailer instanceof PdfDict) yield trailer
  }
}

interface CrossReferenceEntry {
  /** 1: an object at an offset; 2: an object packed in a stream. */
  kind: number
  /** The offset, or the number of the stream. */
  place: number
}

/** The entries of a cross-reference stream: rows of three numbers with the widths in `W`. */
export function* streamEntries({ dict }: PdfStream, data: Buffer): Generator<CrossReferenceEntry> {
  const widths = dict.only('W')
  if (!Array.isArray(widths) || widths.length !== 3) throw unusual()
  const [type = 0, place = 0, extra = 0] = widths.map((width) => boundedCount(width, 8))
  for (const size of [dict.only('Size'), ...[dict.only('Index') ?? []].flat()])
    boundedCount(size, Number.MAX_SAFE_INTEGER)
  const row = type + place + extra
  for (let at = 0; row > 0 && at + row <= data.length; at += row) {
    const kind = type === 0 ? 1 : bigEndian(data, at, type)
    yield { kind, place: bigEndian(data, at + type, place) }
  }
}

function bigEndian(data: Buffer, at: number, width: number): number {
  let value = 0
  for (let byte = 0; byte < width; byte++) value = value * 256 + (data[at + byte] ?? 0)
  return value
}

/** Lines of comments, which qpdf writes between the numbers and the first object. */
const commentLines = /^(?:%[^\r\n]*[\r\n][\0\t\n\f\r ]*)*$/

/** The numbers and offsets of packed objects. They must consist of plain digits and whitespace; comments may follow. */
export function packedObjectOffsets(
  data: string,
  first: number,
  objects: number,
): [number: number, offset: number][] {
  const comments = data.slice(0, first).indexOf('%')
  const head = data.slice(0, comments < 0 ? first : comments)
  if (!commentLines.test(data.slice(head.length, first)) || /[^\d\0\t\n\f\r ]/.test(head)) throw unusual()
  const numbers = head
    .split(/[\0\t\n\f\r ]+/)
    .filter((digits) => digits !== '')
    .map(Number)
  if (first > data.length || numbers.length !== 2 * objects) throw unusual()
  return Array.from({ length: objects }, (_, index) => [numbers[2 * index] ?? 0, numbers[2 * index + 1] ?? 0])
}

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

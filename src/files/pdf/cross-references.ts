// Reads where the objects of a PDF are: cross-reference tables (PDF 32000-1 §7.5.4) and streams (§7.5.8), object streams (§7.5.7),
// and the headers `12 0 obj` in the file. It reads all of them, since viewers disagree about which count in a damaged file.
import { isDigit, isLetter, isLineEnd, isNumeric, isWhitespace } from './characters.ts'
import { damagedPdf, objectNumber, type ParseState, PdfReader, spendCharacters } from './reader.ts'
import { boundedCount, type PdfStream, unusual } from './streams.ts'
import { PdfDict } from './values.ts'

/**
 * All numbers in all cross-reference tables, also in tables that no trailer links to: the offsets of objects, and with them counts and
 * generations, because programs read damaged tables differently. The caller looks for an object at each.
 * @throws FileRejected for a table that is followed by neither a trailer nor the end of the file
 */
export function* tableOffsets(source: string, state: ParseState): Generator<number> {
  for (const position of occurrences(source, 'xref')) {
    if (source.startsWith('start', position - 5)) continue
    const reader = new PdfReader(source, position + 4, state)
    let isTable = false
    for (;;) {
      reader.skipSpace()
      const from = reader.position
      while (isDigit(source.charCodeAt(reader.position))) reader.position++
      if (reader.position > from) {
        isTable = true
        yield Number(source.slice(from, reader.position))
      } else if (source[from] === 'n' || source[from] === 'f') reader.position++
      else break
    }
    // Some programs continue after an invalid entry.
    const isRead = reader.position === source.length || source.startsWith('trailer', reader.position)
    if (isTable && !isRead) throw damagedPdf()
  }
}

/** The dictionaries after each keyword `trailer`. */
export function* trailers(source: string, state: ParseState): Generator<PdfDict> {
  for (const position of occurrences(source, 'trailer')) {
    const reader = new PdfReader(source, position + 7, state)
    reader.skipSpace()
    const trailer = source.startsWith('<<', reader.position) ? reader.value() : undefined
    if (trailer instanceof PdfDict) yield trailer
  }
}

interface CrossReferenceEntry {
  /** 1: an object at an offset; 2: an object packed in a stream. */
  kind: number
  /** The offset, or the number of the stream. */
  place: number
}

/** The entries of a cross-reference stream: rows of three numbers, whose widths in bytes are in `W`. @param data the decoded stream */
export function* streamEntries({ dict }: PdfStream, data: Buffer): Generator<CrossReferenceEntry> {
  const widths = dict.first('W')
  if (!Array.isArray(widths) || widths.length !== 3) throw unusual()
  const [type = 0, place = 0, extra = 0] = widths.map((width) => boundedCount(width, 8))
  // Only bounded: which object an entry is for does not matter, since numbers are read from the headers of the objects.
  for (const size of [dict.first('Size'), ...[dict.first('Index') ?? []].flat()])
    boundedCount(size, Number.MAX_SAFE_INTEGER)
  const row = type + place + extra
  for (let position = 0; row > 0 && position + row <= data.length; position += row) {
    const kind = type === 0 ? 1 : bigEndian(data, position, type)
    yield { kind, place: bigEndian(data, position + type, place) }
  }
}

function bigEndian(data: Buffer, position: number, width: number): number {
  let value = 0
  for (let byte = 0; byte < width; byte++) value = value * 256 + (data[position + byte] ?? 0)
  return value
}

/** Lines of comments, which qpdf writes between the numbers and the first object. */
const commentLines = /^(?:%[^\r\n]*[\r\n][\0\t\n\f\r ]*)*$/

/**
 * The numbers of the objects in an object stream, with their offsets from `first`. They must consist of plain digits and
 * whitespace; comments may follow.
 * @param data the decoded stream
 * @param first the offset of the first object (`First`)
 * @param objects the number of objects (`N`)
 */
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

/** A header such as `12 0 obj`. */
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

/** The offsets at which a keyword occurs, even within another word, a comment or a stream. */
export function* occurrences(source: string, keyword: string): Generator<number> {
  for (let at = source.indexOf(keyword); at >= 0; at = source.indexOf(keyword, at + 1)) yield at
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

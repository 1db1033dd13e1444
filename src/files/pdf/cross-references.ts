// Reads the cross-reference tables and streams of a PDF: offsets in the file, and streams that contain packed objects.
import { isDigit, isWhitespace } from './characters.ts'
import { damaged, type ParseState, PdfReader } from './reader.ts'
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
  if (!commentLines.test(data.slice(head.length, first))) throw unusual()
  for (let at = 0; at < head.length; at++) {
    const code = head.charCodeAt(at)
    if (!isDigit(code) && !isWhitespace(code)) throw unusual()
  }
  const numbers = head
    .split(/[\0\t\n\f\r ]+/)
    .filter((digits) => digits !== '')
    .map(Number)
  if (first > data.length || numbers.length !== 2 * objects) throw unusual()
  return Array.from({ length: objects }, (_, index) => [numbers[2 * index] ?? 0, numbers[2 * index + 1] ?? 0])
}

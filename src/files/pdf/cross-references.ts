// Reads where the objects of a PDF are, as the file itself states it: cross-reference tables (PDF 32000-1 §7.5.4) and streams (§7.5.8),
// and object streams (§7.5.7). It reads all of them, since viewers disagree about which count in a damaged file.
import { isDigit } from './characters.ts'
import { damagedPdf, occurrences, type ParseState, PdfReader } from './reader.ts'
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
  /** 1: an object at an offset; 2: an object packed in a stream; others, such as 0 for a free number, are to be skipped. */
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

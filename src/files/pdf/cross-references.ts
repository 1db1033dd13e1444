// What the indexes of a PDF lead to: offsets in the file, and streams that pack objects.
import { isDigit, isWhitespace } from './characters.ts'
import { damaged, type ParseState, PdfReader } from './reader.ts'
import { boundedCount, type PdfStream, unusual } from './streams.ts'
import { PdfDict } from './values.ts'

/** All offsets in all cross-reference tables, whether the chain of indexes reaches them or not. */
export function* tableOffsets(text: string, state: ParseState): Generator<number> {
  for (let at = text.indexOf('xref'); at >= 0; at = text.indexOf('xref', at + 4)) {
    if (text.startsWith('start', at - 5)) continue
    const reader = new PdfReader(text, at + 4, state)
    let isTable = false
    for (;;) {
      reader.skipSpace()
      const from = reader.at
      while (isDigit(text.charCodeAt(reader.at))) reader.at++
      if (reader.at > from) {
        isTable = true
        yield Number(text.slice(from, reader.at))
      } else if (text[from] === 'n' || text[from] === 'f') reader.at++
      else break
    }
    // Some programs read on behind what is no entry.
    const isRead = reader.at === text.length || text.startsWith('trailer', reader.at)
    if (isTable && !isRead) throw damaged()
  }
}

/** The dictionaries behind the tables. */
export function* trailers(text: string, state: ParseState): Generator<PdfDict> {
  for (let at = text.indexOf('trailer'); at >= 0; at = text.indexOf('trailer', at + 7)) {
    const reader = new PdfReader(text, at + 7, state)
    reader.skipSpace()
    const trailer = text.startsWith('<<', reader.at) ? reader.value() : undefined
    if (trailer instanceof PdfDict) yield trailer
  }
}

export interface CrossReferenceEntry {
  /** 1: an object at an offset; 2: one within a stream that packs objects. */
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

/** The numbers of packed objects and where they begin: plain digits and whitespace, and nothing else. */
export function packedObjectOffsets(
  data: string,
  first: number,
  objects: number,
): [number: number, offset: number][] {
  const head = data.slice(0, first)
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

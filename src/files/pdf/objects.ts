// Finds every object of a PDF: those in plain sight, those packed in object streams, and those only an index leads to.

import { FileRejected } from '../rejected.ts'
import { type Budget, type PdfDict, PdfReader, PdfReference, type PdfValue, spend } from './reader.ts'
import { type PdfStream, unpacker, unusual } from './streams.ts'

export interface PdfObjects {
  /** Every dictionary of the file, however deep. */
  dicts: PdfDict[]
  /** The dictionaries that start a stream. */
  streams: PdfStream[]
  /** The dictionaries that name the document's root. */
  trailers: PdfDict[]
  /** All values that a value may stand for: itself, or every definition of the object it refers to. */
  resolve(value: PdfValue | undefined): PdfValue[]
}

const OBJECT = /(?<!\d)(\d+)[\0\t\n\f\r ]+\d+[\0\t\n\f\r ]*obj/g
const VALUES = 5_000_000
// Every saved revision may define an object anew; a chain of references is short.
const DEFINITIONS = 200
const REFERENCES = 16

/** Throws FileRejected for a file that is nested too deep, has too many parts, or unpacks to too much. */
export function pdfObjects(bytes: Buffer): PdfObjects {
  const text = bytes.toString('latin1')
  const budget: Budget = { values: VALUES }
  const objects = new Map<number, PdfValue[]>()
  const found: PdfObjects = { dicts: [], streams: [], trailers: [], resolve }
  const known = new Set<string>()
  const unpack = unpacker(resolve)

  function resolve(value: PdfValue | undefined, seen = new Set<number>()): PdfValue[] {
    if (value === undefined || value === null) return []
    if (!(value instanceof PdfReference)) return [value]
    if (seen.has(value.number) || seen.size > REFERENCES) return []
    seen.add(value.number)
    const values = objects.get(value.number) ?? []
    spend(budget, values.length)
    return values.flatMap((each) => resolve(each, seen))
  }

  const define = (number: number, value: PdfValue) => {
    const values = objects.get(number) ?? []
    if (values.push(value) > DEFINITIONS) throw new FileRejected('The PDF defines an object too many times.')
    objects.set(number, values)
  }

  let ended = { from: 0, at: -1 }
  /** The first end mark behind an offset; remembered, since the streams before it share it. */
  const endOfStream = (from: number) => {
    if (from < ended.from || from > ended.at) {
      const at = text.indexOf('endstream', from)
      ended = { from, at: at < 0 ? text.length : at }
    }
    return ended.at
  }

  /** A stream may tell its length and hold an end mark before it; programs go by the one or the other. */
  const longest = (dict: PdfDict, start: number) =>
    resolve(dict.get('Length')).reduce<number>(
      (end, length) => (typeof length === 'number' ? Math.max(end, start + length) : end),
      endOfStream(start),
    )

  /** Reads the object whose content starts at an offset, and notes its stream. */
  const readObject = (number: number, offset: number) => {
    // The same place may pass for two objects, by a comment between the numbers.
    const place = `${number} ${offset}`
    if (known.has(place)) return
    known.add(place)
    const reader = new PdfReader(text, offset, budget, found.dicts)
    const value = reader.value()
    if (value === undefined) return
    define(number, value)
    if (!(value instanceof Map) || !reader.word('stream')) return
    const start = text.startsWith('\r\n', reader.at) ? reader.at + 2 : reader.at + 1
    found.streams.push({ dict: value, data: () => bytes.subarray(start, longest(value, start)) })
    if (value.has('Root')) found.trailers.push(value)
  }

  const readPacked = (stream: PdfStream) => {
    const [first, count] = [stream.dict.get('First'), stream.dict.get('N')]
    if (typeof first !== 'number' || typeof count !== 'number') throw unusual()
    const data = unpack(stream).toString('latin1')
    const header = new PdfReader(data, 0, budget, found.dicts)
    for (let read = 0; read < count || header.at < first; read++) {
      const number = header.value()
      const offset = header.value()
      if (typeof number !== 'number' || typeof offset !== 'number') return
      const value = new PdfReader(data, first + offset, budget, found.dicts).value()
      if (value !== undefined) define(number, value)
    }
  }

  /** An index may lead to an object that is hidden inside another one's stream. */
  const followIndex = (offset: number) => {
    const reader = new PdfReader(text, offset, budget, found.dicts)
    // Read as a viewer does, who takes comments between the parts of the header. What is no number is not read at all: many
    // numbers of an index are no offsets.
    const part = () => {
      reader.word('')
      return /[\d+]/.test(text.charAt(reader.at)) ? reader.value() : undefined
    }
    const [number, generation] = [part(), part()]
    const header = typeof number === 'number' && typeof generation === 'number' && reader.word('obj')
    if (header) readObject(number, reader.at)
  }

  // Streams are searched too: what a viewer with a broken index would find there, is found here. Some take comments
  // between the numbers, others take what is in a comment for an object.
  for (const view of [withoutComments(text), text]) {
    for (const match of view.matchAll(OBJECT)) readObject(Number(match[1]), match.index + match[0].length)
  }
  for (let at = text.indexOf('trailer'); at >= 0; at = text.indexOf('trailer', at + 7)) {
    const trailer = new PdfReader(text, at + 7, budget, found.dicts).value()
    if (trailer instanceof Map) found.trailers.push(trailer)
  }
  for (const offset of tableOffsets(text, (at) => new PdfReader(text, at, budget, found.dicts)))
    followIndex(offset)
  // The list grows while it is walked: an index may lead to a stream that is an index again.
  for (const stream of found.streams) {
    if (stream.dict.has('N') && stream.dict.has('First')) readPacked(stream)
    else if (stream.dict.has('W')) for (const offset of streamOffsets(stream, unpack)) followIndex(offset)
  }
  return found
}

/** The text with a blank for every letter of a comment, and of what looks like one within a stream. */
function withoutComments(text: string): string {
  return text.replace(/%[^\r\n]*/g, (comment) => ' '.repeat(comment.length))
}

/** All numbers in all cross-reference tables, offsets among them, whether the chain of indexes reaches them or not. */
function* tableOffsets(text: string, readerAt: (at: number) => PdfReader): Generator<number> {
  for (let at = text.indexOf('xref'); at >= 0; at = text.indexOf('xref', at + 4)) {
    const reader = readerAt(at + 4)
    for (let value = reader.value(); typeof value === 'number'; value = reader.value()) {
      yield value
      while (reader.word('n') || reader.word('f'));
    }
  }
}

/** Offsets of objects in a cross-reference stream: rows of three numbers with the widths in `W`. */
function* streamOffsets(stream: PdfStream, unpack: (stream: PdfStream) => Buffer): Generator<number> {
  const widths = stream.dict.get('W')
  if (!Array.isArray(widths)) return
  const [type = 0, offset = 0, extra = 0] = widths.map((width) => Math.min(Math.max(Number(width), 0), 6))
  const row = type + offset + extra
  if (row === 0 || offset === 0) return
  const data = unpack(stream)
  for (let at = 0; at + row <= data.length; at += row) {
    const kind = type === 0 ? 1 : data.readUIntBE(at, type)
    if (kind === 1) yield data.readUIntBE(at + type, offset)
  }
}

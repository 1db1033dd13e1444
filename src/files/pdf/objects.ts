// Finds every object of a PDF: direct ones, those packed in object streams, and those that only a cross-reference leads to.
import { FileRejected } from '../rejected.ts'
import {
  headerAt,
  type ObjectHeader,
  objectHeaders,
  packedObjectOffsets,
  streamEntries,
  tableOffsets,
  trailers,
} from './cross-references.ts'
import { type ParseState, PdfReader, spend } from './reader.ts'
import { boundedCount, type PdfStream, unpacker, unusual } from './streams.ts'
import { PdfDict, PdfReference, type PdfValue } from './values.ts'

export interface PdfObjects {
  /** Every dictionary of the file, at any depth. */
  dicts: PdfDict[]
  /** Every stream with its dictionary. */
  streams: PdfStream[]
  /** The dictionaries with the document's root. */
  trailers: PdfDict[]
  /** All values that a value may stand for: itself, or every definition of the object it refers to. */
  resolve(value: PdfValue | undefined): PdfValue[]
}

/** Throws FileRejected for an encrypted document. */
export function assertPlain(dicts: readonly PdfDict[]): void {
  if (dicts.some((dict) => dict.has('Encrypt'))) throw new FileRejected('The PDF is encrypted.')
}

const maxValues = 5_000_000
// Every saved revision may redefine an object; a chain of references is short.
const maxDefinitions = 200
const maxReferences = 16
/** Offsets beyond 32 bits wrap around in some programs. */
const offsetRange = 2 ** 32
const maxPackedObjects = 1_000_000

/** Throws FileRejected for a file that is too deeply nested, has too many objects, inflates to too much, or is ambiguous. */
export function pdfObjects(bytes: Buffer): PdfObjects {
  const source = bytes.toString('latin1')
  const state: ParseState = { values: maxValues, dicts: [] }
  const objects = new Map<number, PdfValue[]>()
  const found: PdfObjects = { dicts: state.dicts, streams: [], trailers: [], resolve }
  const headers = new Set<number>()
  const containers = new Set<number>()
  const unpack = unpacker(bytes, source, resolve)

  for (const header of objectHeaders(source)) readObject(header)
  found.trailers.push(...trailers(source, state))
  // Streams that are encrypted look damaged.
  assertPlain(state.dicts)
  for (const offset of tableOffsets(source, state)) followIndex(offset)
  // The list grows during iteration: a cross-reference may lead to another cross-reference stream.
  for (const stream of found.streams) if (isIndex(stream)) readIndex(stream)
  for (const stream of found.streams) if (packsObjects(stream)) readPacked(stream)
  return found

  function resolve(value: PdfValue | undefined): PdfValue[] {
    return follow(value, maxReferences)
  }

  function follow(value: PdfValue | undefined, references: number): PdfValue[] {
    if (value === undefined || value === null) return []
    if (!(value instanceof PdfReference)) return [value]
    const values = objects.get(value.number) ?? []
    spend(state, 1 + values.length)
    return references > 0 ? values.flatMap((value) => follow(value, references - 1)) : []
  }

  function define(number: number, value: PdfValue): void {
    const values = objects.get(number) ?? []
    if (values.push(value) > maxDefinitions)
      throw new FileRejected('The PDF defines an object too many times.')
    objects.set(number, values)
  }

  /** Reads the object after a header, and records its stream. */
  function readObject({ number, start, content }: ObjectHeader): void {
    if (headers.has(start)) return
    headers.add(start)
    const reader = new PdfReader(source, content, state)
    const value = reader.value()
    if (value === undefined) return
    define(number, value)
    if (!(value instanceof PdfDict) || !reader.word('stream')) return
    found.streams.push({ number, dict: value, at: reader.at })
    if (value.has('Root')) found.trailers.push(value)
  }

  /** An offset may lead into the middle of another object's number, which makes it a different object. */
  function followIndex(offset: number): void {
    spend(state, 1)
    const header = headerAt(source, offset >= offsetRange ? offset % offsetRange : offset, state)
    if (header) readObject(header)
  }

  function isIndex({ dict }: PdfStream): boolean {
    return dict.has('W') || dict.all('Type').includes('/XRef')
  }

  function readIndex(stream: PdfStream): void {
    for (const { kind, place } of streamEntries(stream, unpack(stream))) {
      if (kind === 1) followIndex(place)
      if (kind === 2) containers.add(place)
    }
  }

  function packsObjects({ number, dict }: PdfStream): boolean {
    return dict.has('First') || dict.all('Type').includes('/ObjStm') || containers.has(number)
  }

  function readPacked(stream: PdfStream): void {
    const data = unpack(stream).toString('latin1')
    const first = boundedCount(stream.dict.only('First'), data.length)
    const places = packedObjectOffsets(data, first, boundedCount(stream.dict.only('N'), maxPackedObjects))
    const dicts = new Set<number>()
    const starts = new Set([data.length])
    const readers = places.map(([, offset]) => {
      const reader = new PdfReader(data, first + offset, state, dicts)
      reader.skipSpace()
      starts.add(reader.at)
      return reader
    })
    for (const [index, reader] of readers.entries()) {
      const value = reader.value()
      reader.skipSpace()
      // An object is followed by the next one, or by the end.
      if (value === undefined || !starts.has(reader.at)) throw unusual()
      define(places[index]?.[0] ?? 0, value)
    }
    readStrayDicts(data, dicts)
  }

  /** Also reads dictionaries that seem to lie inside a string of the unpacked data. */
  function readStrayDicts(data: string, seen: ReadonlySet<number>): void {
    for (let at = data.indexOf('<<'); at >= 0; at = data.indexOf('<<', at + 1)) {
      if (seen.has(at)) continue
      try {
        new PdfReader(data, at, state).value()
      } catch (error) {
        if (!(error instanceof FileRejected) || state.values < 0) throw error
      }
    }
  }
}

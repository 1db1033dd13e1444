// Finds every object of a PDF: objects in the file, objects packed in streams, and objects that only a cross-reference leads to.
import { FileRejected } from '../rejected.ts'
import { packedObjectOffsets, streamEntries, tableOffsets, trailers } from './cross-references.ts'
import { headerAt, type ObjectHeader, objectHeaders } from './object-headers.ts'
import { occurrences, type ParseState, PdfReader, spend } from './reader.ts'
import { boundedCount, type PdfStream, unpacker, unusual } from './streams.ts'
import { PdfDict, PdfReference, type PdfValue, type Resolve } from './values.ts'

/** The objects of a file, as the checks need them. */
export interface PdfObjects {
  /** Every dictionary of the file, at any depth. */
  dicts: PdfDict[]
  /** Every stream with its dictionary. */
  streams: PdfStream[]
  /** The dictionaries that may name the document's root: trailers, and dictionaries of streams with a `Root`. */
  trailers: PdfDict[]
  /** All values that a value may stand for: itself, or every definition of the object it refers to. */
  resolve: Resolve
}

/** Throws FileRejected for an encrypted document. */
export function assertNotEncrypted(dicts: readonly PdfDict[]): void {
  if (dicts.some((dict) => dict.has('Encrypt'))) throw new FileRejected('The PDF is encrypted.')
}

/** How many values of a file are parsed; `spend` says what else counts. */
const maxValues = 5_000_000
/** Definitions of one object: every saved revision of a file may add one. */
const maxDefinitions = 200
/** References to follow one after the other. */
const maxReferences = 16
/** Offsets beyond 32 bits wrap around in some programs. */
const offsetRange = 2 ** 32
const maxPackedObjects = 1_000_000

/**
 * Reads all objects of a file. Throws FileRejected for a file that is encrypted, is too deeply nested, has too many objects,
 * inflates to too much, or is ambiguous.
 */
export function pdfObjects(bytes: Buffer): PdfObjects {
  const source = bytes.toString('latin1')
  const state: ParseState = { values: maxValues, dicts: [] }
  /** All definitions of each object, by its number. */
  const objects = new Map<number, PdfValue[]>()
  const result: PdfObjects = { dicts: state.dicts, streams: [], trailers: [], resolve }
  /** The offsets of the headers whose objects are read. */
  const headers = new Set<number>()
  /** The numbers of the streams that a cross-reference names as containers of objects. */
  const containers = new Set<number>()
  const unpack = unpacker(bytes, source, resolve)

  for (const header of objectHeaders(source)) readObject(header)
  result.trailers.push(...trailers(source, state))
  // Checked before any stream is decoded: encrypted streams look damaged.
  assertNotEncrypted(state.dicts)
  for (const offset of tableOffsets(source, state)) followOffset(offset)
  // The list grows during iteration: a cross-reference may lead to another cross-reference stream.
  for (const stream of result.streams) if (isCrossReference(stream)) readCrossReference(stream)
  for (const stream of result.streams) if (packsObjects(stream)) readPacked(stream)
  return result

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

  /** Reads the object after a header once, and records its stream. */
  function readObject({ number, start, content }: ObjectHeader): void {
    if (headers.has(start)) return
    headers.add(start)
    const reader = new PdfReader(source, content, state)
    const value = reader.value()
    if (value === undefined) return
    define(number, value)
    if (!(value instanceof PdfDict) || !reader.skipKeyword('stream')) return
    result.streams.push({ number, dict: value, dataOffset: reader.position })
    if (value.has('Root')) result.trailers.push(value)
  }

  /** Reads the object at an offset. It may lead into the middle of another object's number, which makes it a different object. */
  function followOffset(offset: number): void {
    spend(state, 1)
    const header = headerAt(source, offset >= offsetRange ? offset % offsetRange : offset, state)
    if (header) readObject(header)
  }

  function isCrossReference({ dict }: PdfStream): boolean {
    return dict.has('W') || dict.all('Type').includes('/XRef')
  }

  function readCrossReference(stream: PdfStream): void {
    for (const { kind, place } of streamEntries(stream, unpack(stream))) {
      if (kind === 1) followOffset(place)
      if (kind === 2) containers.add(place)
    }
  }

  function packsObjects({ number, dict }: PdfStream): boolean {
    return dict.has('First') || dict.all('Type').includes('/ObjStm') || containers.has(number)
  }

  /** Reads the objects of an object stream, each of which must end where another one starts. */
  function readPacked(stream: PdfStream): void {
    const data = unpack(stream).toString('latin1')
    const first = boundedCount(stream.dict.first('First'), data.length)
    const places = packedObjectOffsets(data, first, boundedCount(stream.dict.first('N'), maxPackedObjects))
    /** The offsets of the dictionaries that the readers find. */
    const dicts = new Set<number>()
    const starts = new Set([data.length])
    const readers = places.map(([, offset]) => {
      const reader = new PdfReader(data, first + offset, state, dicts)
      reader.skipSpace()
      starts.add(reader.position)
      return reader
    })
    for (const [index, reader] of readers.entries()) {
      const value = reader.value()
      reader.skipSpace()
      if (value === undefined || !starts.has(reader.position)) throw unusual()
      define(places[index]?.[0] ?? 0, value)
    }
    readStrayDicts(data, dicts)
  }

  /** Also reads dictionaries that seem to lie inside of a string, where another program may start to read. */
  function readStrayDicts(data: string, readOffsets: ReadonlySet<number>): void {
    for (const position of occurrences(data, '<<')) {
      if (readOffsets.has(position)) continue
      try {
        new PdfReader(data, position, state).value()
      } catch (error) {
        // What cannot be read is no dictionary; but a file that has used up its values is rejected.
        if (!(error instanceof FileRejected) || state.values < 0) throw error
      }
    }
  }
}

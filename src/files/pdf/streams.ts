// Decodes the streams that contain a PDF's structure (PDF 32000-1 §7.3.8), within a limit for the whole file. Only the usual form
// is accepted: sizes in plain digits, one filter, one line end, the declared length. Programs would read other forms differently.
import { constants, inflateSync } from 'node:zlib'
import { FileRejected } from '../rejected.ts'
import { isWhitespace } from './characters.ts'
import { PdfDict, PdfReference, type PdfValue, type Resolve } from './values.ts'

export interface PdfStream {
  /** The number of its object. */
  number: number
  dict: PdfDict
  /** The offset after the keyword `stream`; a line end and the data follow. */
  dataOffset: number
}

/** Bytes of all decoded streams of a file together. */
const maxInflated = 32 * 1024 * 1024
const maxColumns = 1000
/** Keys of streams whose data is in another file. */
const externalKeys = ['F', 'FFilter', 'FDecodeParms', 'DP']

/**
 * Returns a function that decodes one stream. It throws FileRejected for an unusual form, and once all streams together exceed
 * 32 MB.
 * @param source the file as Latin-1
 */
export function unpacker(file: Buffer, source: string, resolve: Resolve): (stream: PdfStream) => Buffer {
  let remaining = maxInflated
  return ({ dict, dataOffset }) => {
    if (dict.hasRepeatedKeys || externalKeys.some((key) => dict.has(key))) throw unusual()
    const data = encodedData(dict.first('Length'), dataOffset)
    const unpacked = isDeflated(dict.first('Filter')) ? inflate(data, remaining) : data
    remaining -= unpacked.length
    if (remaining < 0) throw tooLarge()
    return withoutPredictor(unpacked, parametersOf(dict.first('DecodeParms')))
  }

  /** The bytes between the keywords `stream` and `endstream`. */
  function encodedData(length: PdfValue | undefined, dataOffset: number): Buffer {
    const [size, ...otherDefinitions] = length instanceof PdfReference ? resolve(length) : [length]
    const start = source.startsWith('\r\n', dataOffset) ? dataOffset + 2 : dataOffset + 1
    const end = start + boundedCount(size, file.length)
    if (otherDefinitions.length > 0 || source[start - 1] !== '\n') throw unusual()
    let keyword = end
    while (keyword < end + 2 && isWhitespace(source.charCodeAt(keyword))) keyword++
    // Some programs read up to the first `endstream` and ignore the length.
    if (source.indexOf('endstream', start) !== keyword) throw unusual()
    return file.subarray(start, end)
  }
}

/** The error for a structure that is valid but that programs may read in different ways. */
export function unusual(): FileRejected {
  return new FileRejected('The PDF encodes its structure in an unusual way that cannot be checked.')
}

/** The value as a number up to a limit. Throws FileRejected for any other value. */
export function boundedCount(value: PdfValue | undefined, max: number): number {
  if (typeof value !== 'number' || !(value <= max)) throw unusual()
  return value
}

/** Whether the filter is FlateDecode; false without a filter. @throws FileRejected for any other */
function isDeflated(filter: PdfValue | undefined): boolean {
  const [name, ...further] = [filter].flat()
  if (further.length > 0 || (name !== undefined && name !== '/FlateDecode')) throw unusual()
  return name !== undefined
}

/** The parameters of the filter; undefined without any. */
function parametersOf(parameters: PdfValue | undefined): PdfDict | undefined {
  const [dict, ...further] = [parameters].flat()
  if (further.length > 0 || (dict instanceof PdfDict && dict.hasRepeatedKeys)) throw unusual()
  if (dict === undefined || dict === null) return undefined
  if (!(dict instanceof PdfDict)) throw unusual()
  return dict
}

const tooLarge = () => new FileRejected('The structure of the PDF is too large.')

function inflate(data: Buffer, maxOutputLength: number): Buffer {
  if (maxOutputLength <= 0) throw tooLarge()
  try {
    // Some programs omit the checksum at the end.
    return inflateSync(data, { maxOutputLength, finishFlush: constants.Z_SYNC_FLUSH })
  } catch {
    throw new FileRejected('The structure of the PDF is damaged or too large.')
  }
}

/** Undoes the PNG filters that cross-reference streams use: each row is a byte that names the filter, and the filtered bytes. */
function withoutPredictor(data: Buffer, parameters: PdfDict | undefined): Buffer {
  const parameter = (key: string, { absent, max }: { absent: number; max: number }) =>
    parameters?.has(key) ? boundedCount(parameters.first(key), max) : absent
  const predictor = parameter('Predictor', { absent: 1, max: 15 })
  const columns = parameter('Columns', { absent: 1, max: maxColumns })
  const isSimple =
    parameter('Colors', { absent: 1, max: 1 }) === 1 &&
    parameter('BitsPerComponent', { absent: 8, max: 8 }) === 8
  if (predictor === 1) return data
  // Programs disagree about a truncated row.
  if (predictor < 10 || !isSimple || columns < 1 || data.length % (columns + 1) !== 0) throw unusual()
  const rows = data.length / (columns + 1)
  const out = Buffer.alloc(rows * columns)
  for (let row = 0; row < rows; row++) {
    const from = row * (columns + 1)
    const filter = data[from] ?? 0
    if (filter > 4) throw unusual()
    unfilter(filter, data.subarray(from + 1, from + 1 + columns), out, row * columns)
  }
  return out
}

/** Writes an unfiltered row into `out` at `start`; the row before it is already there (PNG §9.2). */
function unfilter(filter: number, raw: Buffer, out: Buffer, start: number): void {
  const columns = raw.length
  for (let column = 0; column < columns; column++) {
    const index = start + column
    const left = column > 0 ? (out[index - 1] ?? 0) : 0
    const up = out[index - columns] ?? 0
    const corner = column > 0 ? (out[index - columns - 1] ?? 0) : 0
    out[index] = (raw[column] ?? 0) + predicted(filter, left, up, corner)
  }
}

/** The value that a PNG filter adds: 1 Sub, 2 Up, 3 Average, 4 Paeth (the neighbor next to left + up - corner), 0 None. */
function predicted(filter: number, left: number, up: number, corner: number): number {
  if (filter === 1) return left
  if (filter === 2) return up
  if (filter === 3) return (left + up) >> 1
  if (filter !== 4) return 0
  const guess = left + up - corner
  const [a, b, c] = [Math.abs(guess - left), Math.abs(guess - up), Math.abs(guess - corner)]
  return a <= b && a <= c ? left : b <= c ? up : corner
}

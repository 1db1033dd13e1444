// Decodes the streams that contain a PDF's structure, within a limit for the whole file. Only the plain form is accepted: sizes
// in plain digits, one filter, a bare line end, the declared length. Of any other form programs would see different bytes.
import { constants, inflateSync } from 'node:zlib'
import { FileRejected } from '../rejected.ts'
import { isWhitespace } from './characters.ts'
import { PdfDict, PdfReference, type PdfValue } from './values.ts'

export interface PdfStream {
  number: number
  dict: PdfDict
  /** The offset after the keyword `stream`. */
  at: number
}

type Resolve = (value: PdfValue | undefined) => PdfValue[]

const maxInflated = 32 * 1024 * 1024
const maxColumns = 1000
const externalKeys = ['F', 'FFilter', 'FDecodeParms', 'DP']

/** Returns a function that decodes one stream. Throws FileRejected once all streams together exceed 32 MB. */
export function unpacker(file: Buffer, source: string, resolve: Resolve): (stream: PdfStream) => Buffer {
  let remaining = maxInflated
  return ({ dict, at }) => {
    if (dict.repeats || externalKeys.some((key) => dict.has(key))) throw unusual()
    const data = packedData(dict.only('Length'), at)
    const unpacked = isDeflated(dict.only('Filter')) ? inflate(data, remaining) : data
    remaining -= unpacked.length
    if (remaining < 0) throw tooLarge()
    return withoutPredictor(unpacked, parametersOf(dict.only('DecodeParms')))
  }

  function packedData(length: PdfValue | undefined, at: number): Buffer {
    const [size, ...others] = length instanceof PdfReference ? resolve(length) : [length]
    const start = source.startsWith('\r\n', at) ? at + 2 : at + 1
    const end = start + boundedCount(size, file.length)
    if (others.length > 0 || source[start - 1] !== '\n') throw unusual()
    let mark = end
    while (mark < end + 2 && isWhitespace(source.charCodeAt(mark))) mark++
    // Some programs read up to the first `endstream` and ignore the length.
    if (source.indexOf('endstream', start) !== mark) throw unusual()
    return file.subarray(start, end)
  }
}

export function unusual(): FileRejected {
  return new FileRejected('The PDF encodes its structure in an unusual way that cannot be checked.')
}

/** The value as a number up to a limit. Throws FileRejected for any other value. */
export function boundedCount(value: PdfValue | undefined, most: number): number {
  if (typeof value !== 'number' || !(value <= most)) throw unusual()
  return value
}

function isDeflated(filter: PdfValue | undefined): boolean {
  const [name, ...others] = [filter].flat()
  if (others.length > 0 || (name !== undefined && name !== '/FlateDecode')) throw unusual()
  return name !== undefined
}

function parametersOf(parameters: PdfValue | undefined): PdfDict | undefined {
  const [dict, ...others] = [parameters].flat()
  if (others.length > 0 || (dict instanceof PdfDict && dict.repeats)) throw unusual()
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

/** Undoes the PNG filters that cross-reference streams use. */
function withoutPredictor(data: Buffer, parameters: PdfDict | undefined): Buffer {
  const parameter = (key: string, otherwise: number, most: number) =>
    parameters?.has(key) ? boundedCount(parameters.only(key), most) : otherwise
  const predictor = parameter('Predictor', 1, 15)
  const columns = parameter('Columns', 1, maxColumns)
  const isSimple = parameter('Colors', 1, 1) === 1 && parameter('BitsPerComponent', 8, 8) === 8
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

function unfilter(filter: number, raw: Buffer, out: Buffer, start: number): void {
  const columns = raw.length
  for (let column = 0; column < columns; column++) {
    const at = start + column
    const left = column > 0 ? (out[at - 1] ?? 0) : 0
    const up = out[at - columns] ?? 0
    const corner = column > 0 ? (out[at - columns - 1] ?? 0) : 0
    out[at] = (raw[column] ?? 0) + predicted(filter, left, up, corner)
  }
}

function predicted(filter: number, left: number, up: number, corner: number): number {
  if (filter === 1) return left
  if (filter === 2) return up
  if (filter === 3) return (left + up) >> 1
  if (filter !== 4) return 0
  const guess = left + up - corner
  const [a, b, c] = [Math.abs(guess - left), Math.abs(guess - up), Math.abs(guess - corner)]
  return a <= b && a <= c ? left : b <= c ? up : corner
}

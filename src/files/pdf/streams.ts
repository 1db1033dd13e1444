// Unpacks the streams that hold a PDF's structure, within a limit for the whole file.
import { constants, inflateSync } from 'node:zlib'
import { FileRejected } from '../rejected.ts'
import type { PdfDict, PdfValue } from './reader.ts'

export interface PdfStream {
  dict: PdfDict
  /** The packed bytes, up to the last of the ends that programs would see: the declared length or an end mark. */
  data(): Buffer
}

type Resolve = (value: PdfValue | undefined) => PdfValue[]

const INFLATED = 32 * 1024 * 1024

/** Unpacks stream after stream until together they exceed 32 MB. `resolve` follows references. */
export function unpacker(resolve: Resolve): (stream: PdfStream) => Buffer {
  let left = INFLATED
  return (stream) => {
    const { dict } = stream
    // Programs disagree about which one of two equal keys counts.
    if ([...dict.keys()].some((key) => key.endsWith('\0'))) throw unusual()
    const data = stream.data()
    const filters = resolve(dict.get('Filter')).flat().flatMap(resolve)
    if (filters.length === 0) left -= data.length
    if (left < 0) throw new FileRejected('The structure of the PDF is too large.')
    if (filters.length === 0) return data
    if (filters.length > 1 || filters[0] !== '/FlateDecode') throw unusual()
    const inflated = inflate(data, left)
    left -= inflated.length
    const [parameters, ...others] = resolve(dict.get('DecodeParms')).flat().flatMap(resolve)
    if (others.length > 0) throw unusual()
    return parameters instanceof Map ? unpredicted(inflated, parameters) : inflated
  }
}

export function unusual(): FileRejected {
  return new FileRejected('The PDF packs its structure in an unusual way that cannot be checked.')
}

function inflate(data: Buffer, maxOutputLength: number): Buffer {
  if (maxOutputLength <= 0) throw new FileRejected('The structure of the PDF is too large.')
  try {
    // The data may be followed by a line end that is not part of it.
    return inflateSync(data, { maxOutputLength, finishFlush: constants.Z_SYNC_FLUSH })
  } catch {
    throw new FileRejected('The structure of the PDF is damaged or too large.')
  }
}

/** Undoes the PNG filters that cross-reference streams use. */
function unpredicted(data: Buffer, parameters: PdfDict): Buffer {
  const predictor = Number(parameters.get('Predictor') ?? 1)
  if (predictor <= 1) return data
  const columns = Number(parameters.get('Columns') ?? 1)
  const simple =
    Number(parameters.get('Colors') ?? 1) === 1 && Number(parameters.get('BitsPerComponent') ?? 8) === 8
  if (predictor < 10 || !simple || !(columns >= 1 && columns <= 1000)) throw unusual()
  const rows = Math.floor(data.length / (columns + 1))
  const out = Buffer.alloc(rows * columns)
  for (let row = 0; row < rows; row++) {
    const filter = data[row * (columns + 1)] ?? 0
    for (let column = 0; column < columns; column++) {
      const at = row * columns + column
      const raw = data[row * (columns + 1) + 1 + column] ?? 0
      const left = column > 0 ? (out[at - 1] ?? 0) : 0
      const up = out[at - columns] ?? 0
      const corner = column > 0 ? (out[at - columns - 1] ?? 0) : 0
      out[at] = raw + predicted(filter, left, up, corner)
    }
  }
  return out
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

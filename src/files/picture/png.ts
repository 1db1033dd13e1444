// What a PNG file holds beside its picture: left out, since the codec unpacks texts, to gigabytes, before it sees a pixel.
import { FileRejected } from '../rejected.ts'

/** What is no pixel but changes how they look, or how large they are printed. */
const keptChunks = new Set(['tRNS', 'iCCP', 'gAMA', 'cHRM', 'sRGB', 'pHYs'])
// A picture of the largest size in the smallest parts that encoders write.
const maxChunks = 200_000

export interface PngChunk {
  type: string
  /** Where its length stands, and where the next one begins. */
  start: number
  end: number
}

/** The parts of the file in their order. Throws FileRejected where there are more than any encoder writes. */
export function* pngChunks(bytes: Buffer): Generator<PngChunk> {
  let count = 0
  for (let at = 8; at + 8 <= bytes.length; ) {
    if (++count > maxChunks) throw new FileRejected('The picture is stored in too many parts.')
    const end = Math.min(at + 12 + bytes.readUInt32BE(at), bytes.length)
    yield { type: bytes.toString('latin1', at + 4, at + 8), start: at, end }
    at = end
  }
}

/**
 * The file without chunks that no picture needs. A part that every program must know is for the codec to judge.
 * @param keep `exif`: also where and how it was taken, which tells which side is up
 */
export function pngPicture(input: Uint8Array, { exif = true } = {}): Uint8Array {
  const bytes = Buffer.from(input.buffer, input.byteOffset, input.length)
  const parts: Buffer[] = []
  let from = 0
  for (const { type, start, end } of pngChunks(bytes)) {
    // A small first letter marks what programs may pass over.
    const isOptional = type >= 'a' && type < '{'
    if (!isOptional || keptChunks.has(type) || (exif && type === 'eXIf')) continue
    parts.push(bytes.subarray(from, start))
    from = end
  }
  return parts.length > 0 ? Buffer.concat([...parts, bytes.subarray(from)]) : input
}

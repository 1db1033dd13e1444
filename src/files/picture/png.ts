// Walks the chunks of a PNG file and removes metadata: a decoder would inflate text chunks, up to gigabytes, before any pixel.
import { FileRejected } from '../rejected.ts'

/** Ancillary chunks that change the look or the print size of the picture. */
const keptChunks = new Set(['tRNS', 'iCCP', 'gAMA', 'cHRM', 'sRGB', 'pHYs'])
/** As many as the largest picture has in the smallest chunks that encoders write. */
const maxChunks = 200_000

/** A chunk is its length (4 bytes), its type, its data and a checksum (4 bytes). */
interface PngChunk {
  type: string
  /** Offsets of its length field and of the next chunk. */
  start: number
  end: number
}

/** The chunks of the file in order. Throws FileRejected if there are more than any encoder writes. */
export function* pngChunks(bytes: Buffer): Generator<PngChunk> {
  let count = 0
  for (let offset = 8; offset + 8 <= bytes.length; ) {
    if (++count > maxChunks) throw new FileRejected('The picture has too many chunks.')
    const end = Math.min(offset + 12 + bytes.readUInt32BE(offset), bytes.length)
    yield { type: bytes.toString('latin1', offset + 4, offset + 8), start: offset, end }
    offset = end
  }
}

/**
 * The file without ancillary chunks that change neither the look nor the print size. Critical chunks stay; the decoder checks them.
 * @param options `exif`: keep the Exif chunk, which contains the orientation (default true)
 */
export function pngPicture(input: Uint8Array, { exif = true } = {}): Uint8Array {
  const bytes = Buffer.from(input.buffer, input.byteOffset, input.length)
  const parts: Buffer[] = []
  let from = 0
  for (const { type, start, end } of pngChunks(bytes)) {
    // A lower-case first letter marks an ancillary chunk.
    const isOptional = type >= 'a' && type < '{'
    if (!isOptional || keptChunks.has(type) || (exif && type === 'eXIf')) continue
    parts.push(bytes.subarray(from, start))
    from = end
  }
  return parts.length > 0 ? Buffer.concat([...parts, bytes.subarray(from)]) : input
}

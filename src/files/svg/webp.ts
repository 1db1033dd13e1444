// Walks the chunks of a WebP file (RFC 9649) that is embedded in a drawing, and removes metadata.
import { isDecodable, maxEmbeddedParts, maxEmbeddedPixels } from '../picture/limits.ts'

/** The number of pixels of a file that `webpPicture` returned. */
export function webpPixels(bytes: Buffer): number {
  const [width, height] = webpSize(bytes.toString('latin1', 12, 16), bytes.subarray(12)) ?? [
    maxEmbeddedPixels,
    1,
  ]
  return width * height
}

/** The file without metadata; undefined if programs could not display it, or it has too many parts. */
export function webpPicture(bytes: Buffer): Buffer | undefined {
  const end = Math.min(8 + bytes.readUInt32LE(4), bytes.length)
  const parts = [Buffer.from(bytes.subarray(0, 12))]
  let isDisplayable = false
  for (let position = 12, count = 0; position + 8 <= end; count++) {
    if (count > maxEmbeddedParts) return undefined
    const name = bytes.toString('latin1', position, position + 4)
    const next = position + 8 + bytes.readUInt32LE(position + 4) + (bytes.readUInt32LE(position + 4) % 2)
    const chunk = Buffer.from(bytes.subarray(position, Math.min(next, end)))
    const size = webpSize(name, chunk)
    if (size && !isDecodable(...size)) return undefined
    isDisplayable ||= size !== undefined
    // Clears the flags of the removed chunks (Exif and XMP).
    if (name === 'VP8X') chunk.writeUInt8(chunk.readUInt8(8) & ~0x0c, 8)
    if (/^(?:VP8[ LX]|ALPH|ANIM|ANMF|ICCP)$/.test(name)) parts.push(chunk)
    position = next
  }
  const picture = Buffer.concat(parts)
  picture.writeUInt32LE(picture.length - 8, 4)
  return isDisplayable ? picture : undefined
}

/** The size that a chunk contains; undefined for a chunk without one. @param chunk with its name and length */
function webpSize(name: string, chunk: Buffer): [width: number, height: number] | undefined {
  if (name === 'VP8X') return [chunk.readUIntLE(12, 3) + 1, chunk.readUIntLE(15, 3) + 1]
  if (name === 'VP8 ') return [chunk.readUInt16LE(14) & 0x3fff, chunk.readUInt16LE(16) & 0x3fff]
  if (name !== 'VP8L') return undefined
  const bits = chunk.readUInt32LE(9)
  return [(bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1]
}

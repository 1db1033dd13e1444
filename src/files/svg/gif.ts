// Walks the blocks of a GIF file (GIF89a) that is embedded in a drawing, and removes metadata.
import { isDecodable, maxEmbeddedParts } from '../picture/limits.ts'

/** An image, an extension or the end of a GIF file. */
interface GifBlock {
  /** Its first byte: `gifImage`, `gifExtension`, or that of the end. */
  kind: number
  /** Offsets of the block and of the next one. */
  start: number
  end: number
}

const gifImage = 0x2c
const gifExtension = 0x21

/** The blocks of a GIF file after its header and global colors. */
function* gifBlocks(bytes: Buffer): Generator<GifBlock> {
  for (let position = gifHeader(bytes); ; ) {
    const kind = bytes.readUInt8(position)
    let end = position
    if (kind === gifImage) end += 11 + gifColors(bytes.readUInt8(position + 9))
    else if (kind === gifExtension) end += 2
    else return
    // A chain of parts, each of which starts with its length.
    for (let length = bytes.readUInt8(end); length > 0; length = bytes.readUInt8(end)) end += length + 1
    yield { kind, start: position, end: ++end }
    position = end
  }
}

/** Bytes of a color table by its flags; 0 without one. */
const gifColors = (flags: number) => (flags & 0x80 ? 3 << ((flags & 7) + 1) : 0)
/** The length of header, screen descriptor and global color table. */
const gifHeader = (bytes: Buffer) => 13 + gifColors(bytes.readUInt8(10))

/** The pixels that programs allocate for an image: up to its right and lower edge, whatever the size of the screen is. */
const frameSize = (bytes: Buffer, offset: number): [width: number, height: number] => [
  bytes.readUInt16LE(offset + 1) + bytes.readUInt16LE(offset + 5),
  bytes.readUInt16LE(offset + 3) + bytes.readUInt16LE(offset + 7),
]

/** The most pixels that a program allocates for the file. */
export function gifPixels(bytes: Buffer): number {
  let most = bytes.readUInt16LE(6) * bytes.readUInt16LE(8)
  for (const { kind, start } of gifBlocks(bytes)) {
    const [width, height] = frameSize(bytes, start)
    if (kind === gifImage) most = Math.max(most, width * height)
  }
  return most
}

/** The file without comments and application data; undefined if programs could not display it, or it has too many parts. */
export function gifPicture(bytes: Buffer): Buffer | undefined {
  if (!isDecodable(bytes.readUInt16LE(6), bytes.readUInt16LE(8))) return undefined
  const parts = [bytes.subarray(0, gifHeader(bytes))]
  for (const { kind, start, end } of gifBlocks(bytes)) {
    if (kind === gifImage && !isDecodable(...frameSize(bytes, start))) return undefined
    const isControl = bytes[start + 1] === 0xf9
    const isLoop = bytes.toString('latin1', start + 3, start + 14) === 'NETSCAPE2.0'
    if (kind !== gifImage && !isControl && !isLoop) continue
    if (parts.push(bytes.subarray(start, end)) > maxEmbeddedParts) return undefined
  }
  return Buffer.concat([...parts, Buffer.from([0x3b])])
}

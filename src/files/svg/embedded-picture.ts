// Strips a picture that is embedded in a drawing of its metadata: text, location, thumbnails and appended data. The picture is
// not decoded, so that no pixel changes.
import type { TypeFor } from '../file-types.ts'
import { endOfScan } from '../picture/jpeg.ts'
import { isDecodable, maxPixels } from '../picture/limits.ts'
import { pngChunks, pngPicture } from '../picture/png.ts'

/** Ordinary pictures have dozens of parts, animated ones some thousands. Each costs as much time as many bytes. */
const maxParts = 50_000

/** The picture without metadata; undefined if programs could not display it, or if it has too many pixels or parts. */
export function embeddedPicture(type: TypeFor<'embedded'>, bytes: Buffer): Buffer | undefined {
  try {
    return { png, jpeg, gif, webp }[type](bytes)
  } catch (error) {
    // A read beyond the end.
    if (error instanceof RangeError) return undefined
    throw error
  }
}

/** The number of pixels of a picture from `embeddedPicture`, by its `data:` URL; 0 for any other URL. */
export function embeddedPixels(href: string | undefined): number {
  const [, type] = /^data:image\/(png|jpeg|gif|webp);base64,/.exec(href?.slice(0, 40) ?? '') ?? []
  if (href === undefined || type === undefined) return 0
  const bytes = Buffer.from(href.slice(href.indexOf(',') + 1), 'base64')
  if (type === 'png') return bytes.readUInt32BE(16) * bytes.readUInt32BE(20)
  if (type === 'gif') return gifPixels(bytes)
  return type === 'webp' ? webpPixels(bytes) : jpegPixels(bytes)
}

function webpPixels(bytes: Buffer): number {
  const [width, height] = webpSize(bytes.toString('latin1', 12, 16), bytes.subarray(12)) ?? [maxPixels, 1]
  return width * height
}

function jpegPixels(bytes: Buffer): number {
  for (let at = 2; at + 9 <= bytes.length; at += 2 + bytes.readUInt16BE(at + 2)) {
    if (isFrame(bytes.readUInt8(at + 1))) return bytes.readUInt16BE(at + 5) * bytes.readUInt16BE(at + 7)
  }
  return maxPixels
}

/** Whether a segment of a JPEG file contains the size of the picture. */
const isFrame = (marker: number) => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)

function png(bytes: Buffer): Buffer | undefined {
  // The first chunk is a header of 13 bytes.
  if (bytes.readUInt32BE(8) !== 13 || !isDecodable(bytes.readUInt32BE(16), bytes.readUInt32BE(20)))
    return undefined
  const picture = Buffer.from(pngPicture(bytes, { exif: false }))
  for (const { type, end } of pngChunks(picture)) {
    if (type === 'IEND') return picture.subarray(0, end)
    // Programs fail at a critical chunk that they do not know.
    if (/^[A-Z]/.test(type) && !/^(?:IHDR|PLTE|IDAT)$/.test(type)) return undefined
  }
  return picture
}

function jpeg(bytes: Buffer): Buffer | undefined {
  const parts = [bytes.subarray(0, 2)]
  let displayable = false
  for (let at = 2; at + 4 <= bytes.length; ) {
    const marker = bytes.readUInt8(at + 1)
    if (bytes[at] !== 0xff) return undefined
    if (marker === 0xff) {
      at += 1
      continue
    }
    const end = at + 2 + bytes.readUInt16BE(at + 2)
    const segment = bytes.subarray(at, end)
    if (isFrame(marker)) displayable = isDecodable(bytes.readUInt16BE(at + 7), bytes.readUInt16BE(at + 5))
    if (isFrame(marker) && !displayable) return undefined
    if (parts.push(marker >= 0xe0 ? application(marker, segment) : segment) > maxParts) return undefined
    at = end
    if (marker === 0xda) {
      // A truncated picture is displayed as far as it goes.
      const behind = endOfScan(bytes, end)
      at = behind < 0 ? bytes.length : behind
      parts.push(bytes.subarray(end, at))
    }
    if (bytes[at + 1] === 0xd9) break
  }
  return displayable ? Buffer.concat([...parts, Buffer.from([0xff, 0xd9])]) : undefined
}

/** Keeps of an application segment only what changes the look: density, color profile, color transform, orientation. */
function application(marker: number, segment: Buffer): Buffer {
  const name = segment.toString('latin1', 4, 16)
  if (marker === 0xe0 && name.startsWith('JFIF\0') && segment.length >= 18) {
    // A thumbnail may follow.
    const head = Buffer.from(segment.subarray(0, 18))
    head.writeUInt16BE(16, 2)
    head.writeUInt16BE(0, 16)
    return head
  }
  if (marker === 0xe2 && name.startsWith('ICC_PROFILE\0')) return segment
  if (marker === 0xee && name.startsWith('Adobe')) return segment.subarray(0, 16)
  if (marker === 0xe1 && name.startsWith('Exif\0\0')) return turned(orientationOf(segment.subarray(10)))
  return Buffer.alloc(0)
}

function orientationOf(tiff: Buffer): number {
  const isLittle = tiff.toString('latin1', 0, 2) === 'II'
  const short = (at: number) => (isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at))
  const directory = isLittle ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4)
  for (let remaining = short(directory), at = directory + 2; remaining > 0; remaining--, at += 12) {
    if (short(at) === 0x0112) return short(at + 8)
  }
  return 1
}

/** An Exif segment with the orientation alone; empty for the default orientation. */
function turned(orientation: number): Buffer {
  if (orientation < 2 || orientation > 8) return Buffer.alloc(0)
  const segment = Buffer.from(
    'ffe1002245786966000049492a000800000001001201030001000000000000000000000000',
    'hex',
  )
  segment.writeUInt16LE(orientation, 28)
  return segment.subarray(0, 36)
}

interface GifBlock {
  /** The first byte of an image, an extension or the end. */
  kind: number
  /** Offsets of the block and of the next one. */
  start: number
  end: number
}

const gifImage = 0x2c
const gifExtension = 0x21

/** The blocks of a GIF file after its header and global colors. */
function* gifBlocks(bytes: Buffer): Generator<GifBlock> {
  for (let at = gifHeader(bytes); ; ) {
    const kind = bytes.readUInt8(at)
    let end = at
    if (kind === gifImage) end += 11 + gifColors(bytes.readUInt8(at + 9))
    else if (kind === gifExtension) end += 2
    else return
    // A chain of parts, each of which starts with its length.
    for (let length = bytes.readUInt8(end); length > 0; length = bytes.readUInt8(end)) end += length + 1
    yield { kind, start: at, end: ++end }
    at = end
  }
}

const gifColors = (flags: number) => (flags & 0x80 ? 3 << ((flags & 7) + 1) : 0)
const gifHeader = (bytes: Buffer) => 13 + gifColors(bytes.readUInt8(10))

/** How far a frame reaches; programs allocate it whatever the size of the screen is. */
const frameSize = (bytes: Buffer, at: number): [width: number, height: number] => [
  bytes.readUInt16LE(at + 1) + bytes.readUInt16LE(at + 5),
  bytes.readUInt16LE(at + 3) + bytes.readUInt16LE(at + 7),
]

function gifPixels(bytes: Buffer): number {
  let most = bytes.readUInt16LE(6) * bytes.readUInt16LE(8)
  for (const { kind, start } of gifBlocks(bytes)) {
    const [width, height] = frameSize(bytes, start)
    if (kind === gifImage) most = Math.max(most, width * height)
  }
  return most
}

function gif(bytes: Buffer): Buffer | undefined {
  if (!isDecodable(bytes.readUInt16LE(6), bytes.readUInt16LE(8))) return undefined
  const parts = [bytes.subarray(0, gifHeader(bytes))]
  for (const { kind, start, end } of gifBlocks(bytes)) {
    if (kind === gifImage && !isDecodable(...frameSize(bytes, start))) return undefined
    const isControl = bytes[start + 1] === 0xf9
    const isLoop = bytes.toString('latin1', start + 3, start + 14) === 'NETSCAPE2.0'
    if (kind !== gifImage && !isControl && !isLoop) continue
    if (parts.push(bytes.subarray(start, end)) > maxParts) return undefined
  }
  return Buffer.concat([...parts, Buffer.from([0x3b])])
}

function webp(bytes: Buffer): Buffer | undefined {
  const end = Math.min(8 + bytes.readUInt32LE(4), bytes.length)
  const parts = [Buffer.from(bytes.subarray(0, 12))]
  let displayable = false
  for (let at = 12, count = 0; at + 8 <= end; count++) {
    if (count > maxParts) return undefined
    const name = bytes.toString('latin1', at, at + 4)
    const next = at + 8 + bytes.readUInt32LE(at + 4) + (bytes.readUInt32LE(at + 4) % 2)
    const chunk = Buffer.from(bytes.subarray(at, Math.min(next, end)))
    const size = webpSize(name, chunk)
    if (size && !isDecodable(...size)) return undefined
    displayable ||= size !== undefined
    // Clears the flags of the removed chunks (Exif and XMP).
    if (name === 'VP8X') chunk.writeUInt8(chunk.readUInt8(8) & ~0x0c, 8)
    if (/^(?:VP8[ LX]|ALPH|ANIM|ANMF|ICCP)$/.test(name)) parts.push(chunk)
    at = next
  }
  const picture = Buffer.concat(parts)
  picture.writeUInt32LE(picture.length - 8, 4)
  return displayable ? picture : undefined
}

function webpSize(name: string, chunk: Buffer): [width: number, height: number] | undefined {
  if (name === 'VP8X') return [chunk.readUIntLE(12, 3) + 1, chunk.readUIntLE(15, 3) + 1]
  if (name === 'VP8 ') return [chunk.readUInt16LE(14) & 0x3fff, chunk.readUInt16LE(16) & 0x3fff]
  if (name !== 'VP8L') return undefined
  const bits = chunk.readUInt32LE(9)
  return [(bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1]
}

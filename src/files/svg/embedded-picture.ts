// Removes the metadata of a picture that is embedded in a drawing: text, location, thumbnails and appended data. The picture is
// not decoded, so that no pixel changes.
import type { TypeFor } from '../file-types.ts'
import { endOfScan } from '../picture/jpeg.ts'
import { isDecodable, maxEmbeddedParts, maxEmbeddedPixels } from '../picture/limits.ts'
import { pngChunks, pngPicture } from '../picture/png.ts'
import { gifPicture, gifPixels } from './gif.ts'
import { webpPicture, webpPixels } from './webp.ts'

/** The picture without metadata; undefined if programs could not display it, or if it has too many pixels or parts. */
export function embeddedPicture(type: TypeFor<'embedded'>, bytes: Buffer): Buffer | undefined {
  try {
    return { png, jpeg, gif: gifPicture, webp: webpPicture }[type](bytes)
  } catch (error) {
    // The picture ends too early: a read beyond its end.
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

/** The number of pixels of a JPEG file, by its frame header; the limit if it has none. */
function jpegPixels(bytes: Buffer): number {
  for (let position = 2; position + 9 <= bytes.length; position += 2 + bytes.readUInt16BE(position + 2)) {
    if (isFrame(bytes.readUInt8(position + 1)))
      return bytes.readUInt16BE(position + 5) * bytes.readUInt16BE(position + 7)
  }
  return maxEmbeddedPixels
}

/** Whether a segment of a JPEG file contains the size of the picture. */
const isFrame = (marker: number) => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)

/** A PNG file without metadata, up to its end chunk. */
function png(bytes: Buffer): Buffer | undefined {
  // The first chunk is a header of 13 bytes.
  if (bytes.readUInt32BE(8) !== 13 || !isDecodable(bytes.readUInt32BE(16), bytes.readUInt32BE(20)))
    return undefined
  let chunkCount = 0
  for (const _chunk of pngChunks(bytes)) if (++chunkCount > maxEmbeddedParts) return undefined
  const picture = Buffer.from(pngPicture(bytes, { exif: false }))
  for (const { type, end } of pngChunks(picture)) {
    if (type === 'IEND') return picture.subarray(0, end)
    // Programs fail at a critical chunk that they do not know.
    if (/^[A-Z]/.test(type) && !/^(?:IHDR|PLTE|IDAT)$/.test(type)) return undefined
  }
  return picture
}

/** A JPEG file with the segments that change the look, and an end marker. */
function jpeg(bytes: Buffer): Buffer | undefined {
  const parts = [bytes.subarray(0, 2)]
  let isDisplayable = false
  for (let position = 2; position + 4 <= bytes.length; ) {
    const marker = bytes.readUInt8(position + 1)
    if (bytes[position] !== 0xff) return undefined
    if (marker === 0xff) {
      position += 1
      continue
    }
    const end = position + 2 + bytes.readUInt16BE(position + 2)
    const segment = bytes.subarray(position, end)
    if (isFrame(marker))
      isDisplayable = isDecodable(bytes.readUInt16BE(position + 7), bytes.readUInt16BE(position + 5))
    if (isFrame(marker) && !isDisplayable) return undefined
    if (parts.push(marker >= 0xe0 ? application(marker, segment) : segment) > maxEmbeddedParts)
      return undefined
    position = end
    if (marker === 0xda) {
      // A truncated picture is displayed as far as it goes.
      const scanEnd = endOfScan(bytes, end)
      position = scanEnd < 0 ? bytes.length : scanEnd
      parts.push(bytes.subarray(end, position))
    }
    if (bytes[position + 1] === 0xd9) break
  }
  return isDisplayable ? Buffer.concat([...parts, Buffer.from([0xff, 0xd9])]) : undefined
}

/** What an application segment contributes to the look (density, color profile, color transform, orientation); else empty. */
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
  if (marker === 0xe1 && name.startsWith('Exif\0\0'))
    return orientationSegment(orientationOf(segment.subarray(10)))
  return Buffer.alloc(0)
}

/** The orientation (1 to 8) in the TIFF structure of an Exif segment (tag 0x0112); 1 without one. */
function orientationOf(tiff: Buffer): number {
  const isLittle = tiff.toString('latin1', 0, 2) === 'II'
  const short = (offset: number) => (isLittle ? tiff.readUInt16LE(offset) : tiff.readUInt16BE(offset))
  const directory = isLittle ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4)
  for (
    let remaining = short(directory), position = directory + 2;
    remaining > 0;
    remaining--, position += 12
  ) {
    if (short(position) === 0x0112) return short(position + 8)
  }
  return 1
}

/** An Exif segment with the orientation alone; empty for the default orientation. */
function orientationSegment(orientation: number): Buffer {
  if (orientation < 2 || orientation > 8) return Buffer.alloc(0)
  const segment = Buffer.from(
    'ffe1002245786966000049492a000800000001001201030001000000000000000000000000',
    'hex',
  )
  segment.writeUInt16LE(orientation, 28)
  return segment.subarray(0, 36)
}

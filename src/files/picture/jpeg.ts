// What the codec does not do with the segments of a JPEG file: counting scans and writing the density.
import { FileRejected } from '../rejected.ts'

const startOfImage = 0xd8
const endOfImage = 0xd9
const startOfScan = 0xda
// Far above what profiles and metadata in segments of 64 KB, and hundreds of scans, need.
const maxSegments = 100_000

/** Counts the scans by walking from segment to segment. Throws FileRejected for too many segments. */
export function jpegScans(input: Uint8Array): number {
  const bytes = Buffer.from(input.buffer, input.byteOffset, input.length)
  let scans = 0
  let segments = 0
  let at = 2
  while (at >= 0 && at + 4 <= bytes.length) {
    const marker = bytes[at + 1] ?? 0
    // Decoders skip bytes that are not a marker.
    if (bytes[at] !== 0xff) at = bytes.indexOf(0xff, at)
    else if (marker === endOfImage) break
    // Fill bytes, restart markers and stray start markers have no length.
    else if (marker === 0xff) at += 1
    else if (marker <= 0x01 || marker === startOfImage || (marker >= 0xd0 && marker <= 0xd7)) at += 2
    else {
      if (++segments > maxSegments) throw new FileRejected('The picture has too many segments.')
      at += 2 + bytes.readUInt16BE(at + 2)
      if (marker === startOfScan) {
        scans++
        at = endOfScan(bytes, at)
      }
    }
  }
  return scans
}

/** The offset of the segment after the entropy-coded data; -1 if the file is truncated. */
export function endOfScan(bytes: Buffer, from: number): number {
  for (let at = bytes.indexOf(0xff, from); at >= 0 && at < bytes.length; ) {
    const next = bytes[at + 1] ?? endOfImage
    if (next !== 0 && !(next >= 0xd0 && next <= 0xd7) && next !== 0xff) return at
    // Where markers are close together, checking the next byte is cheaper than a search.
    at += next === 0xff ? 1 : 2
    if (bytes[at] !== 0xff) at = bytes.indexOf(0xff, at)
  }
  return -1
}

/** Inserts a JFIF header with the density (pixels per inch) into a file that has none. */
export function withJpegDensity(bytes: Buffer, density: number): Buffer {
  const jfif = Buffer.from('ffe000104a46494600010101000000000000', 'hex')
  const rounded = Math.min(Math.max(Math.round(density), 1), 0xffff)
  jfif.writeUInt16BE(rounded, 12)
  jfif.writeUInt16BE(rounded, 14)
  return Buffer.concat([bytes.subarray(0, 2), jfif, bytes.subarray(2)])
}

// Walks the segments of a JPEG file (ITU-T T.81 Annex B), to count scans and to write a density, which sharp does not do.
import { FileRejected } from '../rejected.ts'

const startOfImage = 0xd8
const endOfImage = 0xd9
const startOfScan = 0xda
/** Far above the segments of 64 KB that profiles, metadata and hundreds of scans need. */
const maxSegments = 100_000

/** Counts the scans by walking from segment to segment. Throws FileRejected for too many segments. */
export function jpegScans(input: Uint8Array): number {
  const bytes = Buffer.from(input.buffer, input.byteOffset, input.length)
  let scans = 0
  let segments = 0
  let offset = 2
  while (offset >= 0 && offset + 4 <= bytes.length) {
    const marker = bytes[offset + 1] ?? 0
    // Decoders skip bytes that are not a marker.
    if (bytes[offset] !== 0xff) offset = bytes.indexOf(0xff, offset)
    else if (marker === endOfImage) break
    // Fill bytes, restart markers and stray start markers have no length.
    else if (marker === 0xff) offset += 1
    else if (marker <= 0x01 || marker === startOfImage || (marker >= 0xd0 && marker <= 0xd7)) offset += 2
    else {
      if (++segments > maxSegments) throw new FileRejected('The picture has too many segments.')
      offset += 2 + bytes.readUInt16BE(offset + 2)
      if (marker === startOfScan) {
        scans++
        offset = endOfScan(bytes, offset)
      }
    }
  }
  return scans
}

/** The offset of the marker after the entropy-coded data that starts at `from`; -1 if the file is truncated. */
export function endOfScan(bytes: Buffer, from: number): number {
  for (let offset = bytes.indexOf(0xff, from); offset >= 0 && offset < bytes.length; ) {
    const next = bytes[offset + 1] ?? endOfImage
    if (next !== 0 && !(next >= 0xd0 && next <= 0xd7) && next !== 0xff) return offset
    // Where markers are close together, checking the next byte is cheaper than a search.
    offset += next === 0xff ? 1 : 2
    if (bytes[offset] !== 0xff) offset = bytes.indexOf(0xff, offset)
  }
  return -1
}

/** Inserts a JFIF header with the density (pixels per inch) into a file without one, as sharp writes it. */
export function withJpegDensity(bytes: Buffer, density: number): Buffer {
  const jfif = Buffer.from('ffe000104a46494600010101000000000000', 'hex')
  const rounded = Math.min(Math.max(Math.round(density), 1), 0xffff)
  jfif.writeUInt16BE(rounded, 12)
  jfif.writeUInt16BE(rounded, 14)
  return Buffer.concat([bytes.subarray(0, 2), jfif, bytes.subarray(2)])
}

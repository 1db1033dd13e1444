// What about a JPEG file's segments the codec leaves to us: counting scans, writing the density.
import { FileRejected } from '../rejected.ts'

const startOfImage = 0xd8
const endOfImage = 0xd9
const startOfScan = 0xda
// Profiles and texts of 64 KB each, and hundreds of scans, are far below.
const maxSegments = 100_000

/** The number of scans, found by walking from segment to segment; entropy-coded data is searched for its end only. */
export function jpegScans(input: Uint8Array): number {
  const bytes = Buffer.from(input.buffer, input.byteOffset, input.length)
  let scans = 0
  let segments = 0
  let at = 2
  while (at >= 0 && at + 4 <= bytes.length) {
    const marker = bytes[at + 1] ?? 0
    // Decoders pass over what is no marker.
    if (bytes[at] !== 0xff) at = bytes.indexOf(0xff, at)
    else if (marker === endOfImage) break
    // Fill bytes, restarts and stray start marks stand alone, without a length.
    else if (marker === 0xff) at += 1
    else if (marker <= 0x01 || marker === startOfImage || (marker >= 0xd0 && marker <= 0xd7)) at += 2
    else {
      if (++segments > maxSegments) throw new FileRejected('The picture is stored in too many parts.')
      at += 2 + bytes.readUInt16BE(at + 2)
      if (marker === startOfScan) {
        scans++
        at = endOfScan(bytes, at)
      }
    }
  }
  return scans
}

/** Where the next segment begins; -1 where the file is cut off. */
export function endOfScan(bytes: Buffer, from: number): number {
  for (let at = bytes.indexOf(0xff, from); at >= 0 && at < bytes.length; ) {
    const next = bytes[at + 1] ?? endOfImage
    if (next !== 0 && !(next >= 0xd0 && next <= 0xd7) && next !== 0xff) return at
    // A search costs more than a look where the marks stand close together.
    at += next === 0xff ? 1 : 2
    if (bytes[at] !== 0xff) at = bytes.indexOf(0xff, at)
  }
  return -1
}

/** Puts a JFIF header with the density (pixels per inch) behind the start mark of a file that has none. */
export function withJpegDensity(bytes: Buffer, density: number): Buffer {
  const jfif = Buffer.from('ffe000104a46494600010101000000000000', 'hex')
  const rounded = Math.min(Math.max(Math.round(density), 1), 0xffff)
  jfif.writeUInt16BE(rounded, 12)
  jfif.writeUInt16BE(rounded, 14)
  return Buffer.concat([bytes.subarray(0, 2), jfif, bytes.subarray(2)])
}

// Leaves out what a PNG file holds beside its picture: the codec unpacks texts, to gigabytes, before it sees a pixel.

/** What is no pixel but changes how they look, or how large they are printed. */
const KEPT = new Set(['tRNS', 'iCCP', 'gAMA', 'cHRM', 'sRGB', 'pHYs'])

/**
 * The file without chunks that no picture needs. A part that every program must know is for the codec to judge.
 * @param keep `exif`: also where and how it was taken, which tells which side is up
 */
export function pngPicture(input: Uint8Array, { exif = true } = {}): Uint8Array {
  const bytes = Buffer.from(input.buffer, input.byteOffset, input.length)
  const parts: Buffer[] = []
  let from = 0
  for (let at = 8; at + 8 <= bytes.length; ) {
    const end = Math.min(at + 12 + bytes.readUInt32BE(at), bytes.length)
    const type = bytes.toString('latin1', at + 4, at + 8)
    if (/^[a-z]/.test(type) && !KEPT.has(type) && !(exif && type === 'eXIf')) {
      parts.push(bytes.subarray(from, at))
      from = end
    }
    at = end
  }
  return parts.length > 0 ? Buffer.concat([...parts, bytes.subarray(from)]) : input
}

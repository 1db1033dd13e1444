// The compressed pixels of a PNG that a PDF can take as they are: both formats filter and deflate rows in the same way.
import { pngChunks } from '../files/picture/png.ts'

export interface PlainPng {
  /** Deflated rows, each with its filter. */
  data: Buffer
  colors: 1 | 3
  /** RGB of each index. */
  palette: Buffer | undefined
}

/** Chunks that change the colors, or what is transparent. */
const changing = new Set(['tRNS', 'iCCP', 'gAMA', 'cHRM', 'eXIf', 'acTL'])

/** Undefined for transparent, interlaced or calibrated pictures, and other depths than 8 bits. */
export function plainPng(bytes: Uint8Array): PlainPng | undefined {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const [depth, type, interlace] = [file[24], file[25], file[28]]
  if (depth !== 8 || interlace !== 0 || !(type === 0 || type === 2 || type === 3)) return undefined
  const data: Buffer[] = []
  let palette: Buffer | undefined
  for (const { type: name, start, end } of pngChunks(file)) {
    if (changing.has(name)) return undefined
    const content = file.subarray(start + 8, Math.max(start + 8, end - 4))
    if (name === 'IDAT') data.push(content)
    if (name === 'PLTE') palette = content
  }
  const isIndexed = type === 3
  if (data.length === 0 || (isIndexed && !palette)) return undefined
  return { data: Buffer.concat(data), colors: type === 2 ? 3 : 1, palette: isIndexed ? palette : undefined }
}

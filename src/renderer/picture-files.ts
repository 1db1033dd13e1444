// Reads the bytes of picture files without decoding them: what kind of file it is, the end and the quality of a JPEG, and PNG files
// whose bytes an SVG or a PDF can take as they are.
import { pngChunks, pngPicture } from '../files/picture/png.ts'

/** Kinds of files that customers take for pictures, by their first bytes, read as Latin-1; `.` stands for any byte. */
const kinds: readonly (readonly [signature: string, name: string])[] = [
  ['\xff\xd8\xff', 'jpeg'],
  ['\x89PNG\r\n\x1a\n', 'png'],
  ['RIFF....WEBP', 'webp'],
  ['GIF8', 'gif'],
  ['II*\0', 'tiff'],
  ['MM\0*', 'tiff'],
  ['....ftypavif', 'avif'],
  ['....ftyphei', 'a HEIC photo'],
  ['....ftyphev', 'a HEIC photo'],
  ['....ftypmif1', 'a HEIC photo'],
  ['....ftyp', 'a video'],
  ['%PDF-', 'a PDF'],
  ['8BPS', 'a Photoshop document'],
  ['BM', 'a BMP picture'],
  ['\0\0\x01\0', 'an icon'],
  ['PK\x03\x04', 'a ZIP archive or an office document'],
  ['%!PS', 'PostScript'],
  ['\xc5\xd0\xd3\xc6', 'an EPS'],
  ['\xff\x0a', 'a JPEG XL picture'],
  ['\0\0\0\x0cJXL ', 'a JPEG XL picture'],
  ['\0\0\0\x0cjP  ', 'a JPEG 2000 picture'],
]

/** The format of a picture, such as `png`, or the name of another kind of file for a message; `empty` for no bytes; undefined if the first bytes are not known. */
export function formatName(file: Uint8Array): string | undefined {
  if (file.byteLength === 0) return 'empty'
  const start = Buffer.from(file.subarray(0, 16)).toString('latin1')
  const matches = (signature: string) =>
    [...signature].every((character, index) => character === '.' || character === start[index])
  return kinds.find(([signature]) => matches(signature))?.[1]
}

/** The JPEG with the end marker that it lacks; undefined if it has one. */
export function wholeJpeg(file: Uint8Array): Uint8Array | undefined {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength)
  // Cameras add bytes after the marker; and a small preview in the header has a marker of its own, before the scans of the picture.
  if (bytes.lastIndexOf(endOfImage) > bytes.lastIndexOf(startOfScan)) return undefined
  return Buffer.concat([bytes, endOfImage])
}

/** Sum of the luminance table of the JPEG standard (ITU-T T.81, Annex K.1), which is that of the quality 50. */
const standardSum = 3688

/** The quality of a JPEG as libjpeg counts it, from its first table of quantization; 95 if that is missing or has more than 8 bits. */
export function jpegQuality(file: Uint8Array): number {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength)
  const at = bytes.indexOf(Buffer.from([0xff, 0xdb]))
  const table = at < 0 ? bytes.subarray(0, 0) : bytes.subarray(at + 5, at + 5 + 64)
  if (table.length < 64 || (bytes[at + 4] ?? 0) > 15) return 95
  const percent = (100 * table.reduce((sum, value) => sum + value, 0)) / standardSum
  return Math.round(percent <= 100 ? (200 - percent) / 2 : 5000 / percent)
}

const endOfImage = Buffer.from([0xff, 0xd9])
const startOfScan = Buffer.from([0xff, 0xda])

/**
 * A PNG that every viewer shows alike, without the chunks that do not affect how it looks, which could contain anything. Undefined for
 * calibrated, turned, moving and interlaced pictures, and other depths than 8 bits.
 */
export function plainPng(bytes: Uint8Array): Uint8Array | undefined {
  const { file, depth, isInterlaced } = headerOf(bytes)
  if (depth !== 8 || isInterlaced || [...pngChunks(file)].some(({ type }) => changing.has(type)))
    return undefined
  return pngPicture(file)
}

/** Fields of the header (PNG Third Edition §11.2.1); `type` is that of the colors: 0 gray, 2 RGB, 3 indexed, 4 and 6 with transparency. */
function headerOf(png: Uint8Array) {
  const file = Buffer.from(png.buffer, png.byteOffset, png.byteLength)
  return { file, depth: file[24], type: file[25], isInterlaced: file[28] !== 0 }
}

/** Chunks that change the colors of a picture, its orientation or the number of its frames. */
const changing = new Set(['iCCP', 'gAMA', 'cHRM', 'eXIf', 'acTL'])

/** The compressed pixels of a PNG that a PDF can take as they are: both formats filter and deflate rows in the same way. */
export interface PngRows {
  /** Deflated rows, each with its filter. */
  data: Buffer
  colors: 1 | 3
  /** RGB of each index. */
  palette: Buffer | undefined
}

/** The rows of a PNG; undefined for transparent, interlaced, calibrated, turned or moving pictures, and other depths than 8 bits. */
export function pngRows(bytes: Uint8Array): PngRows | undefined {
  const { file, depth, type, isInterlaced } = headerOf(bytes)
  if (depth !== 8 || isInterlaced || !(type === 0 || type === 2 || type === 3)) return undefined
  const data: Buffer[] = []
  let palette: Buffer | undefined
  for (const { type: name, start, end } of pngChunks(file)) {
    if (changing.has(name) || name === 'tRNS') return undefined
    const content = file.subarray(start + 8, Math.max(start + 8, end - 4))
    if (name === 'IDAT') data.push(content)
    if (name === 'PLTE') palette = content
  }
  const isIndexed = type === 3
  if (data.length === 0 || (isIndexed && !palette)) return undefined
  return { data: Buffer.concat(data), colors: type === 2 ? 3 : 1, palette: isIndexed ? palette : undefined }
}

// Pictures of the design, read once, with the filters of their elements, and as small as their use allows.
import sharp, { type Sharp } from 'sharp'
import { fileTypes } from '../files/file-types.ts'
import { pngChunks, pngPicture } from '../files/picture/png.ts'
import type { Change } from './filter-steps.ts'
import { Undrawable } from './refusal.ts'

/** Maximum pixels of one picture. */
const maxPixels = 50_000_000

export interface SourcePicture {
  bytes: Uint8Array
  format: 'jpeg' | 'png' | 'webp' | 'gif'
  /** Upright, in pixels. */
  width: number
  height: number
  /** As in Exif: 1 is upright; above 4, width and height change places. */
  orientation: number
  /** Whether a PDF can embed the bytes unchanged. */
  isPlainJpeg: boolean
  /** The same for a PDF in the inks of a press. */
  isPlainCmyk: boolean
  channels: number
  icc: Buffer | undefined
  /** Printed in RGB, by the profile in the file. */
  isCmyk: boolean
}

/** A picture as a page shows it. */
export interface ReadyPicture {
  /** The same for the same source with the same changes. */
  id: string
  source: SourcePicture
  change: Change | undefined
  /** Standard deviation of a blur after the change, in pixels. */
  blur?: number
}

/** @param cmykProfile of CMYK pictures that have none @throws Undrawable */
export async function readPicture(bytes: Uint8Array, cmykProfile?: Uint8Array): Promise<SourcePicture> {
  const meta = await metadataOf(bytes).catch(() => undefined)
  const { format, width = 0, height = 0, space, orientation = 1, channels = 3, icc } = meta ?? {}
  const known = (['jpeg', 'png', 'webp', 'gif'] as const).find((each) => each === format)
  if (!known)
    throw new Undrawable(
      'picture',
      'The file is not a picture that can be printed (PNG, JPEG, WebP, GIF or SVG).',
    )
  if (width * height > maxPixels)
    throw new Undrawable('limit', `The picture has more than ${maxPixels / 1e6} megapixels.`)
  if (meta?.pages !== undefined && meta.pages > 1)
    throw new Undrawable('picture', 'A moving picture cannot be printed.')
  // A truncated picture must not reach the printer.
  await open(bytes)
    .resize(32)
    .raw()
    .toBuffer()
    .catch(() => {
      throw new Undrawable('picture', 'The picture is damaged.')
    })
  const isTurned = orientation > 4
  const isBare = known === 'jpeg' && space === 'cmyk' && !icc && cmykProfile !== undefined
  return {
    bytes: isBare ? withProfile(bytes, cmykProfile) : bytes,
    format: known,
    width: isTurned ? height : width,
    height: isTurned ? width : height,
    orientation,
    isPlainJpeg: known === 'jpeg' && (channels === 1 || channels === 3),
    isPlainCmyk: known === 'jpeg' && space === 'cmyk',
    channels,
    icc,
    isCmyk: space === 'cmyk',
  }
}

const metadataOf = async (bytes: Uint8Array) => open(bytes).metadata()

const open = (bytes: Uint8Array): Sharp =>
  sharp(bytes, { limitInputPixels: maxPixels, failOn: 'truncated', sequentialRead: true })

/** RGBA, upright, in sRGB. */
export async function pixelsOf({ source, change, blur = 0 }: ReadyPicture): Promise<Buffer> {
  const image = open(source.bytes).rotate().toColourspace('srgb').ensureAlpha()
  const { data, info } = await image.raw({ depth: 'uchar' }).toBuffer({ resolveWithObject: true })
  if (info.channels !== 4) throw new Undrawable('picture', 'The picture has an unknown kind of colors.')
  change?.(new Uint8ClampedArray(data.buffer, data.byteOffset, data.byteLength), info.width)
  if (blur < leastBlur) return data
  const { width, height } = source
  return sharp(data, { raw: { width, height, channels: 4 } })
    .blur(Math.min(blur, widestBlur))
    .raw()
    .toBuffer()
}

/** Standard deviation below which a blur changes nothing. */
export const leastBlur = 0.3
/** The largest that sharp takes. */
export const widestBlur = 1000

/** PNG or JPEG for an SVG. */
export async function encodedOf(picture: ReadyPicture): Promise<{ type: string; bytes: Uint8Array }> {
  const { source, change } = picture
  if (!change && !picture.blur && source.isPlainJpeg && source.orientation <= 1 && !source.icc)
    return { type: fileTypes.jpeg.mimeType, bytes: source.bytes }
  const unchanged = !change && !picture.blur && source.format === 'png' && plainPng(source.bytes)
  if (unchanged) return { type: fileTypes.png.mimeType, bytes: unchanged }
  const { width, height } = source
  const pixels = await pixelsOf(picture)
  const png = sharp(pixels, { raw: { width, height, channels: 4 } }).png({ compressionLevel: 3 })
  return { type: fileTypes.png.mimeType, bytes: await png.toBuffer() }
}

/** A PNG without chunks that viewers understand differently, which could also hide anything; undefined if it has one. */
function plainPng(bytes: Uint8Array): Uint8Array | undefined {
  const { file, depth, isInterlaced } = headerOf(bytes)
  if (depth !== 8 || isInterlaced || [...pngChunks(file)].some(({ type }) => changing.has(type)))
    return undefined
  return pngPicture(file)
}

function headerOf(png: Uint8Array) {
  const file = Buffer.from(png.buffer, png.byteOffset, png.byteLength)
  return { file, depth: file[24], type: file[25], isInterlaced: file[28] !== 0 }
}

/** Chunks that change the colors or the course of a picture. */
const changing = new Set(['iCCP', 'gAMA', 'cHRM', 'eXIf', 'acTL'])

/** The compressed pixels of a PNG that a PDF can take as they are: both formats filter and deflate rows in the same way. */
export interface PngRows {
  /** Deflated rows, each with its filter. */
  data: Buffer
  colors: 1 | 3
  /** RGB of each index. */
  palette: Buffer | undefined
}

/** Undefined for transparent, interlaced or calibrated pictures, and other depths than 8 bits. */
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

/** Bytes of a profile in one segment of a JPEG. */
const most = 65_519

/** The file with the profile in the segments that JPEGs have for it. */
function withProfile(jpeg: Uint8Array, profile: Uint8Array): Buffer {
  const count = Math.ceil(profile.length / most)
  const segments = Array.from({ length: count }, (_, index) => {
    const part = profile.subarray(index * most, (index + 1) * most)
    const head = Buffer.alloc(18)
    head.writeUInt16BE(0xffe2, 0)
    head.writeUInt16BE(part.length + 16, 2)
    head.write('ICC_PROFILE\0', 4, 'latin1')
    head[16] = index + 1
    head[17] = count
    return Buffer.concat([head, part])
  })
  return Buffer.concat([jpeg.subarray(0, 2), ...segments, jpeg.subarray(2)])
}

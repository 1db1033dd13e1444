// The pixels of a picture as a page shows it: with the filters of its element, and as small as its use allows.
import sharp, { type Sharp } from 'sharp'
import { fileTypes } from '../files/file-types.ts'
import type { Change } from './filter-steps.ts'
import { openPicture, type SourcePicture } from './picture.ts'
import { plainPng } from './picture-files.ts'
import { Undrawable } from './refusal.ts'

/** A picture as a page shows it. */
export interface ReadyPicture {
  /** The same for the same source with the same changes. */
  id: string
  source: SourcePicture
  change: Change | undefined
  /** Whether the change looks at each pixel alone, so that it may follow a reduction. */
  isPointwise?: boolean
  /** Standard deviation of a blur after the change, in pixels. */
  blur?: number
  /** Pixels of the stage for each of its own where it is largest; undefined if its own pixels are needed. */
  stretch?: number | undefined
}

/** RGBA pixels with their size. */
export interface Pixels {
  /** RGBA, upright, in sRGB. */
  data: Buffer
  width: number
  height: number
}

/** Pixels of a picture for each that is printed: fewer would be seen, more cost time and memory. */
const spare = 1.5
/** Share of its width by which a picture must be too large before it is reduced. */
const worthwhile = 0.8
/** Maximum pixels of a picture whose change needs all of them. */
export const maxChanged = 64_000_000

/** Pixels of the width that the page needs; undefined if it needs all. @param perStage pixels of the page for each of the stage */
export function neededWidth({ source, stretch }: ReadyPicture, perStage: number): number | undefined {
  if (stretch === undefined) return undefined
  const width = Math.max(1, Math.ceil(source.width * stretch * perStage * spare))
  return width < source.width * worthwhile ? width : undefined
}

/** @param width of the result at most @throws Undrawable */
export async function pixelsOf(picture: ReadyPicture, width?: number): Promise<Pixels> {
  const { source, change, isPointwise = false, blur = 0 } = picture
  const isWhole = blur >= leastBlur || (change !== undefined && !isPointwise)
  const opened = upright(source, isWhole ? undefined : width).ensureAlpha()
  const { data, info } = await opened.raw({ depth: 'uchar' }).toBuffer({ resolveWithObject: true })
  if (info.channels !== 4) throw new Undrawable('picture', 'The picture has an unknown kind of colors.')
  change?.(new Uint8ClampedArray(data.buffer, data.byteOffset, data.byteLength), info.width)
  if (!isWhole || (blur < leastBlur && width === undefined))
    return { data, width: info.width, height: info.height }
  const changed = sharp(data, { raw: { width: info.width, height: info.height, channels: 4 } })
  const blurred = blur < leastBlur ? changed : changed.blur(Math.min(blur, widestBlur))
  const all = await blurred.raw().toBuffer()
  if (width === undefined) return { data: all, width: info.width, height: info.height }
  const height = Math.max(1, Math.round((info.height * width) / info.width))
  const sized = sharp(all, { raw: { width: info.width, height: info.height, channels: 4 } })
  const reduced = sized.resize(width, height, reducing)
  const small = await reduced.raw().toBuffer({ resolveWithObject: true })
  return { data: small.data, width: small.info.width, height: small.info.height }
}

/** Without the ringing of sharper kernels. */
const reducing = { kernel: 'linear', fit: 'fill' } as const

/** JPEGs are reduced while they are decoded. */
function upright(source: SourcePicture, width: number | undefined): Sharp {
  const image = openPicture(source.bytes).autoOrient().toColourspace('srgb')
  return width === undefined
    ? image
    : image.resize(width, Math.max(1, Math.round((source.height * width) / source.width)), reducing)
}

/** A part of a source that is reduced to the size. */
export function uprightPart(
  source: SourcePicture,
  { width, height }: { width: number; height: number },
  part: { left: number; top: number; width: number; height: number },
) {
  const image = openPicture(source.bytes).autoOrient().toColourspace('srgb')
  const isReduced = width < source.width || height < source.height
  const sized = isReduced ? image.resize(width, height, reducing) : image
  return sized.extract(part).raw({ depth: 'uchar' }).toBuffer({ resolveWithObject: true })
}

/** Standard deviation below which a blur changes nothing. */
export const leastBlur = 0.3
/** The largest that sharp takes. */
export const widestBlur = 1000

/** Sources whose pixels were compressed with losses, and which are opaque in almost every case. */
export const isPhoto = ({ format, channels, isCmyk }: SourcePicture) =>
  format === 'jpeg' && (channels < 4 || isCmyk)

/** Pictures that a PDF prints with black ink alone. */
export const isGrayPicture = ({ channels }: SourcePicture) => channels <= 2

/** Whether no pixel is transparent. */
export function isOpaque(rgba: Uint8Array): boolean {
  for (let i = 3; i < rgba.length; i += 4) if (rgba[i] !== 255) return false
  return true
}

/** PNG or JPEG for an SVG. @param width of the result at most */
export async function encodedOf(
  picture: ReadyPicture,
  width?: number,
): Promise<{ type: string; bytes: Uint8Array }> {
  const { source, change, blur } = picture
  const isChanged = change !== undefined || Boolean(blur)
  if (width === undefined && !isChanged && source.isChecked) {
    if (source.isPlainJpeg && source.orientation <= 1 && !source.icc)
      return { type: fileTypes.jpeg.mimeType, bytes: source.bytes }
    const unchanged = source.format === 'png' && plainPng(source.bytes)
    if (unchanged) return { type: fileTypes.png.mimeType, bytes: unchanged }
  }
  if (!isChanged && isPhoto(source)) {
    const bytes = await upright(source, width).jpeg(printQuality).toBuffer()
    return { type: fileTypes.jpeg.mimeType, bytes }
  }
  if (!isChanged) {
    const bytes = await upright(source, width).png({ compressionLevel: 1 }).toBuffer()
    return { type: fileTypes.png.mimeType, bytes }
  }
  const { data, ...size } = await pixelsOf(picture, width)
  const png = sharp(data, { raw: { ...size, channels: 4 } }).png({ compressionLevel: 1 })
  return { type: fileTypes.png.mimeType, bytes: await png.toBuffer() }
}

/** Of pictures that are encoded once more. Optimised tables take longer, for one percent. */
export const printQuality = { quality: 96, chromaSubsampling: '4:4:4', optimiseCoding: false } as const

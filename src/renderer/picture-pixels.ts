// The pixels of a picture as a page shows it: with the filters of its element, and as small as its use allows.
import sharp, { type Sharp } from 'sharp'
import { fileTypes } from '../files/file-types.ts'
import type { Change } from './filter-steps.ts'
import { openPicture, type SourcePicture } from './picture.ts'
import { plainPng } from './picture-files.ts'
import { Undrawable } from './refusal.ts'

/** A picture as a page shows it. */
export interface ReadyPicture {
  /** Equal for the same source with the same changes. */
  id: string
  source: SourcePicture
  /** Filters and tint of its pixels; undefined if they stay. */
  change: Change | undefined
  /** Whether the change looks at each pixel alone, so that it may follow a reduction. */
  isPointwise?: boolean
  /** Standard deviation of a blur after the change, in pixels. */
  blur?: number
  /** Pixels of the stage for each pixel of the picture, where it is used largest; undefined if all of its pixels are needed. */
  stretch?: number | undefined
}

/** Pixels with their size. */
export interface Pixels {
  /** RGBA, upright, in sRGB. */
  data: Buffer
  width: number
  height: number
}

/** Pixels of a picture for each that is printed: fewer would be seen, more cost time and memory. */
const pixelsPerPrinted = 1.5
/** A picture is reduced only if the width that is needed is less than this share of its width. */
const maxReducedShare = 0.8
/** Maximum pixels of a picture whose change needs all of them. */
export const maxChanged = 64_000_000

/** The pixels of the width that the page needs; undefined if it needs all. @param perStage pixels of the page for each of the stage */
export function neededWidth({ source, stretch }: ReadyPicture, perStage: number): number | undefined {
  if (stretch === undefined) return undefined
  const width = Math.max(1, Math.ceil(source.width * stretch * perStage * pixelsPerPrinted))
  return width < source.width * maxReducedShare ? width : undefined
}

/**
 * The pixels of a picture with its changes and blur. It is reduced before its changes if they look at each pixel alone, otherwise
 * after.
 * @param width pixels to which it is reduced; undefined leaves its size
 * @throws Undrawable for an unknown kind of colors, and the error of the decoder for damaged rows (see `isChecked`)
 */
export async function pixelsOf(picture: ReadyPicture, width?: number): Promise<Pixels> {
  const { source, change, isPointwise = false, blur = 0 } = picture
  const isBlurred = blur >= leastBlur
  const needsAllPixels = isBlurred || (change !== undefined && !isPointwise)
  const image = upright(source, needsAllPixels ? undefined : width).ensureAlpha()
  const { data, info } = await image.raw({ depth: 'uchar' }).toBuffer({ resolveWithObject: true })
  if (info.channels !== 4) throw new Undrawable('picture', 'The picture has an unknown kind of colors.')
  change?.(new Uint8ClampedArray(data.buffer, data.byteOffset, data.byteLength), info.width)
  const changed = { data, width: info.width, height: info.height }
  if (!needsAllPixels) return changed
  const blurred = isBlurred ? await blurredPixels(changed, blur) : changed
  return width === undefined ? blurred : reducedPixels(blurred, width)
}

const imageOf = ({ data, width, height }: Pixels) => sharp(data, { raw: { width, height, channels: 4 } })

async function blurredPixels(pixels: Pixels, blur: number): Promise<Pixels> {
  const data = await imageOf(pixels).blur(Math.min(blur, widestBlur)).raw().toBuffer()
  return { ...pixels, data }
}

async function reducedPixels(pixels: Pixels, width: number): Promise<Pixels> {
  const height = Math.max(1, Math.round((pixels.height * width) / pixels.width))
  const image = imageOf(pixels).resize(width, height, reducing)
  const { data, info } = await image.raw().toBuffer({ resolveWithObject: true })
  return { data, width: info.width, height: info.height }
}

/** Without the ringing of sharper kernels. */
const reducing = { kernel: 'linear', fit: 'fill' } as const

/** The source upright in sRGB, reduced to the width: JPEGs already while they are decoded. */
function upright(source: SourcePicture, width: number | undefined): Sharp {
  const image = openPicture(source.bytes).autoOrient().toColourspace('srgb')
  return width === undefined
    ? image
    : image.resize(width, Math.max(1, Math.round((source.height * width) / source.width)), reducing)
}

/** The pixels of a part of a source, which is turned upright, converted to sRGB and reduced to a size first. @param part in pixels of that size */
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
/** The largest standard deviation that sharp accepts. */
export const widestBlur = 1000

/** Whether the source is a JPEG: it has no transparent pixels, and is encoded as a JPEG again. */
export const isPhoto = ({ format, channels, isCmyk }: SourcePicture) =>
  format === 'jpeg' && (channels < 4 || isCmyk)

/** Whether a picture is stored in gray, with or without transparency; a press prints it with black ink alone. */
export const isGrayPicture = ({ channels }: SourcePicture) => channels <= 2

/** Whether no pixel is transparent. */
export function isOpaque(rgba: Uint8Array): boolean {
  for (let i = 3; i < rgba.length; i += 4) if (rgba[i] !== 255) return false
  return true
}

/**
 * The picture with its changes as a PNG or JPEG for an SVG; the bytes of the file if nothing changes it and a browser shows them alike.
 * @param width pixels to which it is reduced; undefined leaves its size
 */
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

/** The JPEG settings of pictures that are encoded once more. Optimised tables take longer, for files one percent smaller. */
export const printQuality = { quality: 96, chromaSubsampling: '4:4:4', optimiseCoding: false } as const

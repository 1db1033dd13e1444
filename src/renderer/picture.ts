// Pictures of the design, read once, with the filters of their elements, and as small as their use allows.
import sharp, { type Sharp } from 'sharp'
import { fileTypes } from '../files/file-types.ts'
import { pngChunks, pngPicture } from '../files/picture/png.ts'
import type { BlendMode, PictureFilter } from './filters.ts'
import { withProfile } from './own-profile.ts'
import type { PictureElement } from './picture-element.ts'
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
  hasAlpha: boolean
}

/** A picture as a page shows it. */
export interface ReadyPicture {
  /** The same for the same source with the same changes. */
  id: string
  source: SourcePicture
  change: ((pixels: Uint8ClampedArray, width: number) => void) | undefined
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
    hasAlpha: meta?.hasAlpha ?? false,
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
    .blur(blur)
    .raw()
    .toBuffer()
}

/** Standard deviation below which a blur changes nothing. */
const leastBlur = 0.3

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
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const header = { depth: file[24], isInterlaced: file[28] !== 0 }
  if (header.depth !== 8 || header.isInterlaced) return undefined
  for (const { type } of pngChunks(file)) {
    if (['iCCP', 'gAMA', 'cHRM', 'eXIf', 'acTL'].includes(type)) return undefined
  }
  return pngPicture(file)
}

/** Standard deviation of the blurs of an element, in pixels of its picture. */
export function blurOf({ filters }: PictureElement, { width, height }: SourcePicture): number {
  const amounts = filters.flatMap((filter) => (filter.kind === 'blur' ? [filter.amount] : []))
  // fabric averages under a triangle that reaches 12 % of the shorter side at an amount of 1.
  const each = amounts.map((amount) => (0.12 * amount * Math.min(width, height)) / Math.sqrt(6))
  return Math.hypot(...each)
}

/** The pixels with filters and tint; undefined if they are unchanged. */
export function changeOf({ filters, tint }: PictureElement): ReadyPicture['change'] {
  const steps = filters.flatMap((filter) => (filter.kind === 'blur' ? [] : [stepOf(filter)]))
  if (tint) {
    const { color, mode } = tint
    const channels = [color.r, color.g, color.b]
    steps.push((data) => {
      for (let i = 0; i < data.length; i++) {
        if (i % 4 === 3) continue
        const wanted = channels[i % 4] ?? 0
        data[i] = mode === 'tint' ? wanted : ((data[i] ?? 0) * wanted) / 255
      }
    })
  }
  if (steps.length === 0) return undefined
  return (data, width) => {
    for (const step of steps) step(data, width)
  }
}

type Step = (data: Uint8ClampedArray, width: number) => void

/** As fabric.js 5 calculates them. */
function stepOf(filter: Exclude<PictureFilter, { kind: 'blur' }>): Step {
  if (filter.kind === 'invert') return eachPixel((r, g, b, set) => set(255 - r, 255 - g, 255 - b))
  if (filter.kind === 'saturation') return saturationStep(filter.amount)
  if (filter.kind === 'vibrance') return vibranceStep(filter.amount)
  if (filter.kind === 'gamma') {
    const [red, green, blue] = filter.gamma.map(gammaTable)
    return eachPixel((r, g, b, set) => set(red?.[r] ?? r, green?.[g] ?? g, blue?.[b] ?? b))
  }
  if (filter.kind === 'blend') return blendStep(filter)
  if (filter.kind === 'pixelate') return pixelStep(filter.size)
  if (filter.kind === 'brightness') {
    const more = Math.round(filter.amount * 255)
    return eachPixel((r, g, b, set) => set(r + more, g + more, b + more))
  }
  if (filter.kind === 'contrast') return contrastStep(filter.amount)
  if (filter.kind === 'grayscale') {
    return eachPixel((r, g, b, set) => {
      const value = (r + g + b) / 3
      set(value, value, value)
    })
  }
  if (filter.kind === 'removewhite') {
    const least = 255 - 0.02 * 255
    return (data) => {
      for (let i = 0; i < data.length; i += 4) {
        const isWhite = (data[i] ?? 0) > least && (data[i + 1] ?? 0) > least && (data[i + 2] ?? 0) > least
        if (isWhite) data[i + 3] = 0
      }
    }
  }
  const at = (index: number) => filter.matrix[index] ?? 0
  const row = (i: number, r: number, g: number, b: number) =>
    r * at(i) + g * at(i + 1) + b * at(i + 2) + at(i + 4) * 255
  return eachPixel((r, g, b, set) => set(row(0, r, g, b), row(5, r, g, b), row(10, r, g, b)))
}

/** Colors move away from their greatest channel, or towards it. */
function saturationStep(amount: number): Step {
  return eachPixel((r, g, b, set) => {
    const max = Math.max(r, g, b)
    set(r - (max - r) * amount, g - (max - g) * amount, b - (max - b) * amount)
  })
}

function vibranceStep(amount: number): Step {
  return eachPixel((r, g, b, set) => {
    const max = Math.max(r, g, b)
    const share = ((Math.abs(max - (r + g + b) / 3) * 2) / 255) * amount
    set(r - (max - r) * share, g - (max - g) * share, b - (max - b) * share)
  })
}

const gammaTable = (gamma: number) =>
  Array.from({ length: 256 }, (_, value) => (value / 255) ** (1 / Math.max(gamma, 0.01)) * 255)

function contrastStep(amount: number): Step {
  const contrast = Math.floor(amount * 255)
  const factor = (259 * (contrast + 255)) / (255 * (259 - contrast))
  const stretched = (value: number) => factor * (value - 128) + 128
  return eachPixel((r, g, b, set) => set(stretched(r), stretched(g), stretched(b)))
}

/** A channel of the picture and the same of the color, which its alpha already lessened. */
const blends: Record<BlendMode, (own: number, other: number, rest: number) => number> = {
  multiply: (own, other) => (own * other) / 255,
  screen: (own, other) => 255 - ((255 - own) * (255 - other)) / 255,
  add: (own, other) => own + other,
  diff: (own, other) => Math.abs(own - other),
  difference: (own, other) => Math.abs(own - other),
  subtract: (own, other) => own - other,
  darken: (own, other) => Math.min(own, other),
  lighten: (own, other) => Math.max(own, other),
  overlay: (own, other) =>
    other < 128 ? (2 * own * other) / 255 : 255 - (2 * (255 - own) * (255 - other)) / 255,
  exclusion: (own, other) => other + own - (2 * other * own) / 255,
  tint: (own, other, rest) => other + own * rest,
}

function blendStep({ color, alpha, mode }: Extract<PictureFilter, { kind: 'blend' }>): Step {
  const blend = blends[mode]
  const [cr, cg, cb] = [color.r * alpha, color.g * alpha, color.b * alpha]
  const rest = 1 - alpha
  return eachPixel((r, g, b, set) => set(blend(r, cr, rest), blend(g, cg, rest), blend(b, cb, rest)))
}

/** Each square of pixels becomes its first one. */
function pixelStep(size: number): Step {
  return (data, width) => {
    const pixels = new Uint32Array(data.buffer, data.byteOffset, data.length / 4)
    for (let i = 0; i < pixels.length; i++) {
      const [x, y] = [i % width, Math.floor(i / width)]
      pixels[i] = pixels[(y - (y % size)) * width + x - (x % size)] ?? 0
    }
  }
}

type Pixel = (r: number, g: number, b: number, set: (r: number, g: number, b: number) => void) => void

function eachPixel(change: Pixel): Step {
  return (data) => {
    let i = 0
    const set = (r: number, g: number, b: number) => {
      data[i] = r
      data[i + 1] = g
      data[i + 2] = b
    }
    for (; i < data.length; i += 4) change(data[i] ?? 0, data[i + 1] ?? 0, data[i + 2] ?? 0, set)
  }
}

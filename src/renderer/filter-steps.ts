// What the filters and the tint of an element do to pixels, as fabric.js 5 calculates it.
import type { BlendMode, PictureFilter } from './filters.ts'
import type { Color } from './marks.ts'
import type { PictureElement } from './picture-element.ts'

/** Changes RGBA pixels in place. */
export type Change = (pixels: Uint8ClampedArray, width: number) => void

/** Standard deviation of the blurs of an element, in pixels of its picture. */
export function blurOf(
  { filters }: PictureElement,
  { width, height }: { width: number; height: number },
): number {
  const amounts = filters.flatMap((filter) => (filter.kind === 'blur' ? [filter.amount] : []))
  // fabric averages under a triangle that reaches 12 % of the shorter side at an amount of 1.
  const each = amounts.map((amount) => (0.12 * amount * Math.min(width, height)) / Math.sqrt(6))
  return Math.hypot(...each)
}

/** Filters that look at more than one pixel, or whose edges would be lost in a reduced picture. */
const needsEveryPixel: readonly PictureFilter['kind'][] = [
  'blur',
  'convolute',
  'noise',
  'pixelate',
  'removecolor',
]

/** Whether a filter gives the same picture after its size was reduced. */
export const isPointwise = ({ kind }: PictureFilter): boolean => !needsEveryPixel.includes(kind)

/** The pixels with filters and tint; undefined if they are unchanged. */
export function changeOf({ filters, tint }: Pick<PictureElement, 'filters' | 'tint'>): Change | undefined {
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

/** Whether a filter changes each pixel by itself. */
const isOfColors = ({ kind }: PictureFilter) => !['blur', 'pixelate', 'noise', 'convolute'].includes(kind)

/** What the filters make of single colors; undefined if they need pixels. */
export function recoloring({ filters }: PictureElement): ((color: Color) => Color) | undefined {
  const change = changeOf({ filters, tint: undefined })
  if (!change || !filters.every(isOfColors)) return undefined
  return ({ r, g, b, a }) => {
    const pixel = new Uint8ClampedArray([r, g, b, 255])
    change(pixel, 1)
    const [red = 0, green = 0, blue = 0, alpha = 255] = pixel
    return { r: red, g: green, b: blue, a: (a * alpha) / 255 }
  }
}

function stepOf(filter: Exclude<PictureFilter, { kind: 'blur' }>): Change {
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
    const gray = grays[filter.mode]
    return eachPixel((r, g, b, set) => {
      const value = gray(r, g, b)
      set(value, value, value)
    })
  }
  if (filter.kind === 'removecolor') return removalStep(filter)
  if (filter.kind === 'noise') return noiseStep(filter.amount)
  if (filter.kind === 'convolute') return convolutionStep(filter)
  if (filter.withAlpha) return withAlphaStep(filter.matrix)
  const at = (index: number) => filter.matrix[index] ?? 0
  const row = (i: number, r: number, g: number, b: number) =>
    r * at(i) + g * at(i + 1) + b * at(i + 2) + at(i + 4) * 255
  return eachPixel((r, g, b, set) => set(row(0, r, g, b), row(5, r, g, b), row(10, r, g, b)))
}

const grays = {
  average: (r: number, g: number, b: number) => (r + g + b) / 3,
  lightness: (r: number, g: number, b: number) => (Math.min(r, g, b) + Math.max(r, g, b)) / 2,
  luminosity: (r: number, g: number, b: number) => 0.21 * r + 0.72 * g + 0.07 * b,
}

/** The color and its neighbors become transparent. */
function removalStep({ color, distance }: Extract<PictureFilter, { kind: 'removecolor' }>): Change {
  const isNear = (value: number, wanted: number) => Math.abs(value - wanted) < distance * 255
  return (data) => {
    for (let i = 0; i < data.length; i += 4) {
      const [r = 0, g = 0, b = 0] = [data[i], data[i + 1], data[i + 2]]
      if (isNear(r, color.r) && isNear(g, color.g) && isNear(b, color.b)) data[i + 3] = 0
    }
  }
}

/** The browser’s noise is another one at each drawing; this is the same at each print. */
function noiseStep(amount: number): Change {
  return (data) => {
    let seed = 1
    for (let i = 0; i < data.length; i += 4) {
      seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0
      const more = (0.5 - seed / 2 ** 32) * amount
      for (let c = i; c < i + 3; c++) data[c] = (data[c] ?? 0) + more
    }
  }
}

/** Each pixel becomes the weighted sum of those around it. */
function convolutionStep({ matrix, isOpaque }: Extract<PictureFilter, { kind: 'convolute' }>): Change {
  const side = Math.round(Math.sqrt(matrix.length))
  const half = Math.floor(side / 2)
  return (data, width) => {
    const source = data.slice()
    const height = source.length / 4 / width
    const sum = [0, 0, 0, 0]
    for (let y = 0; y < height; y++) {
      for (let x = 0; x < width; x++) {
        sum.fill(0)
        for (const [index, weight] of matrix.entries()) {
          const [sx, sy] = [x + (index % side) - half, y + Math.floor(index / side) - half]
          if (weight === 0 || sx < 0 || sy < 0 || sx >= width || sy >= height) continue
          const from = 4 * (sy * width + sx)
          for (let c = 0; c < 4; c++) sum[c] = (sum[c] ?? 0) + (source[from + c] ?? 0) * weight
        }
        const to = 4 * (y * width + x)
        for (let c = 0; c < (isOpaque ? 3 : 4); c++) data[to + c] = sum[c] ?? 0
      }
    }
  }
}

function withAlphaStep(matrix: readonly number[]): Change {
  const at = (index: number) => matrix[index] ?? 0
  return (data) => {
    for (let i = 0; i < data.length; i += 4) {
      const [r = 0, g = 0, b = 0, a = 0] = data.subarray(i, i + 4)
      for (let c = 0; c < 4; c++) {
        const row = 5 * c
        data[i + c] = r * at(row) + g * at(row + 1) + b * at(row + 2) + a * at(row + 3) + at(row + 4) * 255
      }
    }
  }
}

/** Colors move away from their greatest channel, or towards it. */
function saturationStep(amount: number): Change {
  return eachPixel((r, g, b, set) => {
    const max = Math.max(r, g, b)
    set(r - (max - r) * amount, g - (max - g) * amount, b - (max - b) * amount)
  })
}

function vibranceStep(amount: number): Change {
  return eachPixel((r, g, b, set) => {
    const max = Math.max(r, g, b)
    const share = ((Math.abs(max - (r + g + b) / 3) * 2) / 255) * amount
    set(r - (max - r) * share, g - (max - g) * share, b - (max - b) * share)
  })
}

const gammaTable = (gamma: number) =>
  Array.from({ length: 256 }, (_, value) => (value / 255) ** (1 / Math.max(gamma, 0.01)) * 255)

function contrastStep(amount: number): Change {
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

function blendStep({ color, alpha, mode }: Extract<PictureFilter, { kind: 'blend' }>): Change {
  const blend = blends[mode]
  const [cr, cg, cb] = [color.r * alpha, color.g * alpha, color.b * alpha]
  const rest = 1 - alpha
  return eachPixel((r, g, b, set) => set(blend(r, cr, rest), blend(g, cg, rest), blend(b, cb, rest)))
}

/** Each square of pixels becomes its first one. */
function pixelStep(size: number): Change {
  return (data, width) => {
    const pixels = new Uint32Array(data.buffer, data.byteOffset, data.length / 4)
    for (let i = 0; i < pixels.length; i++) {
      const [x, y] = [i % width, Math.floor(i / width)]
      pixels[i] = pixels[(y - (y % size)) * width + x - (x % size)] ?? 0
    }
  }
}

type Pixel = (r: number, g: number, b: number, set: (r: number, g: number, b: number) => void) => void

function eachPixel(change: Pixel): Change {
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

// Applies the filters and the tint of an element to pixels, as fabric.js 5 calculates them (`applyTo2d` of each filter). The picture
// library blurs: `changeOf` leaves blurs out, and `blurOf` sums them up.
import type { BlendMode, PictureFilter } from './filters.ts'
import type { Color } from './marks.ts'
import type { PictureElement } from './picture-element.ts'

/** Changes RGBA pixels in place. */
export type Change = (pixels: Uint8ClampedArray, width: number) => void

/** Standard deviation of all blurs of an element together, in pixels of its picture; 0 without any. */
export function blurOf(
  { filters }: PictureElement,
  { width, height }: { width: number; height: number },
): number {
  const amounts = filters.flatMap((filter) => (filter.kind === 'blur' ? [filter.amount] : []))
  // fabric averages under a triangle that reaches 12 % of the shorter side at an amount of 1.
  const deviations = amounts.map((amount) => (0.12 * amount * Math.min(width, height)) / Math.sqrt(6))
  return Math.hypot(...deviations)
}

/** Whether a filter changes a pixel by its color alone, not by its place or its neighbors. */
const dependsOnColorOnly = ({ kind }: PictureFilter) =>
  !['blur', 'pixelate', 'noise', 'convolute'].includes(kind)

/** Whether a filter has the same effect on a picture that was reduced before; the edges of a removed color would be blurred then. */
export const isPointwise = (filter: PictureFilter): boolean =>
  dependsOnColorOnly(filter) && filter.kind !== 'removecolor'

/** A function that applies filters, except blurs, and tint in their order; undefined if they change nothing. */
export function changeOf({ filters, tint }: Pick<PictureElement, 'filters' | 'tint'>): Change | undefined {
  const steps = filters.flatMap((filter) => (filter.kind === 'blur' ? [] : [stepOf(filter)]))
  if (tint) {
    const { color, mode } = tint
    const channels = [color.r, color.g, color.b]
    steps.push((data) => {
      for (let i = 0; i < data.length; i++) {
        if (i % 4 === 3) continue
        const channel = channels[i % 4] ?? 0
        data[i] = mode === 'tint' ? channel : ((data[i] ?? 0) * channel) / 255
      }
    })
  }
  if (steps.length === 0) return undefined
  return (data, width) => {
    for (const step of steps) step(data, width)
  }
}

/** A function that applies the filters to single colors, as drawings need it; undefined if one needs pixels, or there are none. */
export function recoloring({ filters }: PictureElement): ((color: Color) => Color) | undefined {
  const change = changeOf({ filters, tint: undefined })
  if (!change || !filters.every(dependsOnColorOnly)) return undefined
  return ({ r, g, b, a }) => {
    const pixel = new Uint8ClampedArray([r, g, b, 255])
    change(pixel, 1)
    const [red = 0, green = 0, blue = 0, alpha = 255] = pixel
    return { r: red, g: green, b: blue, a: (a * alpha) / 255 }
  }
}

/** The change that one filter makes. */
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
    const added = Math.round(filter.amount * 255)
    return eachPixel((r, g, b, set) => set(r + added, g + added, b + added))
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
  // A color matrix that leaves the alpha.
  const factor = (index: number) => filter.matrix[index] ?? 0
  /** A row of the matrix (five numbers, the last an offset) times a pixel. */
  const row = (i: number, r: number, g: number, b: number) =>
    r * factor(i) + g * factor(i + 1) + b * factor(i + 2) + factor(i + 4) * 255
  return eachPixel((r, g, b, set) => set(row(0, r, g, b), row(5, r, g, b), row(10, r, g, b)))
}

/** The gray of a pixel by the mode of the filter. */
const grays = {
  average: (r: number, g: number, b: number) => (r + g + b) / 3,
  lightness: (r: number, g: number, b: number) => (Math.min(r, g, b) + Math.max(r, g, b)) / 2,
  luminosity: (r: number, g: number, b: number) => 0.21 * r + 0.72 * g + 0.07 * b,
}

/** Pixels of a color, and of colors near to it, become transparent. */
function removalStep({ color, distance }: Extract<PictureFilter, { kind: 'removecolor' }>): Change {
  const isNear = (value: number, removed: number) => Math.abs(value - removed) < distance * 255
  return (data) => {
    for (let i = 0; i < data.length; i += 4) {
      const [r = 0, g = 0, b = 0] = [data[i], data[i + 1], data[i + 2]]
      if (isNear(r, color.r) && isNear(g, color.g) && isNear(b, color.b)) data[i + 3] = 0
    }
  }
}

/** Adds noise. A browser's noise is random; this is the same at each print, by a linear congruential generator. */
function noiseStep(amount: number): Change {
  return (data) => {
    let seed = 1
    for (let i = 0; i < data.length; i += 4) {
      seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0
      const added = (0.5 - seed / 2 ** 32) * amount
      for (let c = i; c < i + 3; c++) data[c] = (data[c] ?? 0) + added
    }
  }
}

/** Each pixel becomes the weighted sum of those around it; the alpha stays if the filter is opaque. */
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

/** A color matrix of 4 rows of 5 numbers that changes the alpha, too. */
function withAlphaStep(matrix: readonly number[]): Change {
  const factor = (index: number) => matrix[index] ?? 0
  return (data) => {
    for (let i = 0; i < data.length; i += 4) {
      const [r = 0, g = 0, b = 0, a = 0] = data.subarray(i, i + 4)
      for (let c = 0; c < 4; c++) {
        const row = 5 * c
        const offset = factor(row + 4) * 255
        data[i + c] =
          r * factor(row) + g * factor(row + 1) + b * factor(row + 2) + a * factor(row + 3) + offset
      }
    }
  }
}

/** Moves the channels away from the greatest one, or towards it. */
function saturationStep(amount: number): Change {
  return eachPixel((r, g, b, set) => {
    const max = Math.max(r, g, b)
    set(r - (max - r) * amount, g - (max - g) * amount, b - (max - b) * amount)
  })
}

/** As saturation, but more where a color is more saturated. */
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

/**
 * The blend of a channel of the picture with the same channel of a color, which is multiplied with the color's alpha (fabric 5.3
 * `BlendColor`). `transparency` is 1 minus that alpha.
 */
const blends: Record<BlendMode, (picture: number, color: number, transparency: number) => number> = {
  multiply: (picture, color) => (picture * color) / 255,
  screen: (picture, color) => 255 - ((255 - picture) * (255 - color)) / 255,
  add: (picture, color) => picture + color,
  diff: (picture, color) => Math.abs(picture - color),
  difference: (picture, color) => Math.abs(picture - color),
  subtract: (picture, color) => picture - color,
  darken: (picture, color) => Math.min(picture, color),
  lighten: (picture, color) => Math.max(picture, color),
  overlay: (picture, color) =>
    color < 128 ? (2 * picture * color) / 255 : 255 - (2 * (255 - picture) * (255 - color)) / 255,
  exclusion: (picture, color) => color + picture - (2 * color * picture) / 255,
  tint: (picture, color, transparency) => color + picture * transparency,
}

function blendStep({ color, alpha, mode }: Extract<PictureFilter, { kind: 'blend' }>): Change {
  const blend = blends[mode]
  const [cr, cg, cb] = [color.r * alpha, color.g * alpha, color.b * alpha]
  const transparency = 1 - alpha
  return eachPixel((r, g, b, set) =>
    set(blend(r, cr, transparency), blend(g, cg, transparency), blend(b, cb, transparency)),
  )
}

/** All pixels of a square take the color of its upper left one. */
function pixelStep(size: number): Change {
  return (data, width) => {
    const pixels = new Uint32Array(data.buffer, data.byteOffset, data.length / 4)
    for (let i = 0; i < pixels.length; i++) {
      const [x, y] = [i % width, Math.floor(i / width)]
      pixels[i] = pixels[(y - (y % size)) * width + x - (x % size)] ?? 0
    }
  }
}

/** Changes one pixel: calls `set` with its new channels. No object is created for each pixel, which would take most of the time. */
type PixelChange = (r: number, g: number, b: number, set: (r: number, g: number, b: number) => void) => void

/** Applies a change to all pixels; their alpha stays. */
function eachPixel(change: PixelChange): Change {
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

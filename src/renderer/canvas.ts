// The pixels of a page, onto which its layers are painted one above the other. The loops avoid calls and allocations for each
// pixel: they take most of the time of a page.
import { invert, type Matrix } from './matrix.ts'

/** A rectangle of whole pixels of the canvas. */
export interface Frame {
  left: number
  top: number
  width: number
  height: number
}

/** RGB, or RGBA whose colors are multiplied by alpha. */
export interface Bitmap {
  width: number
  height: number
  channels: 3 | 4
  data: Uint8Array
}

/** An empty canvas: transparent, or white without an alpha channel if it is opaque. */
export const canvasOf = (
  { width, height }: { width: number; height: number },
  { isOpaque }: { isOpaque: boolean },
): Bitmap =>
  isOpaque
    ? { width, height, channels: 3, data: new Uint8Array(3 * width * height).fill(255) }
    : { width, height, channels: 4, data: new Uint8Array(4 * width * height) }

/** A number up to 255² divided by 255 and rounded, without a division. */
const over255 = (product: number) => (product + 128 + ((product + 128) >> 8)) >> 8

/** Multiplies the colors of RGBA by their alpha, in place. */
export function multiplied(data: Uint8Array): Uint8Array {
  for (let i = 0; i < data.length; i += 4) {
    const alpha = data[i + 3] as number
    if (alpha === 255) continue
    data[i] = over255((data[i] as number) * alpha)
    data[i + 1] = over255((data[i + 1] as number) * alpha)
    data[i + 2] = over255((data[i + 2] as number) * alpha)
  }
  return data
}

/** The reverse of `multiplied`, in place: files store colors that are not multiplied. */
export function divided(data: Uint8Array): Uint8Array {
  for (let i = 0; i < data.length; i += 4) {
    const alpha = data[i + 3] as number
    if (alpha === 255 || alpha === 0) continue
    data[i] = ((data[i] as number) * 255 + alpha / 2) / alpha
    data[i + 1] = ((data[i + 1] as number) * 255 + alpha / 2) / alpha
    data[i + 2] = ((data[i + 2] as number) * 255 + alpha / 2) / alpha
  }
  return data
}

/** Exchanges left and right, in place. */
export function flop({ data, width, height, channels }: Bitmap): void {
  const length = width * channels
  for (let top = 0; top < height; top++) {
    const row = data.subarray(top * length, (top + 1) * length)
    for (let left = 0, right = length - channels; left < right; left += channels, right -= channels) {
      for (let i = 0; i < channels; i++) {
        const byte = row[left + i] as number
        row[left + i] = row[right + i] as number
        row[right + i] = byte
      }
    }
  }
}

/** Paints a layer over the canvas. @param layer the RGBA pixels of the frame, which are multiplied in place */
export function paintLayer(canvas: Bitmap, layer: Uint8Array, frame: Frame): void {
  const line = { data: bytesOf(multiplied(layer)), channels: 4 } as const
  for (let row = 0; row < frame.height; row++)
    paintLine(canvas, line, { ...frame, top: frame.top + row, from: row * frame.width })
}

/**
 * Paints the part of a picture that lies in the frame, interpolated bilinearly; beyond its edges, its outermost pixels go on.
 * @param matrix from the picture to the canvas; one that cannot be inverted paints nothing
 * @param cover the frame in RGBA, whose alpha is how much of the picture is seen; undefined for all of it
 */
export function paintPicture(
  canvas: Bitmap,
  picture: Bitmap,
  matrix: Matrix,
  frame: Frame,
  cover: Uint8Array | undefined,
): void {
  const back = invert(matrix)
  if (!back) return
  const line = { data: new Uint8Array(frame.width * picture.channels), channels: picture.channels }
  const fill = (back[1] === 0 && back[2] === 0 ? uprightLines : turnedLines)(picture, back, frame, line.data)
  for (let row = 0; row < frame.height; row++) {
    const top = frame.top + row
    fill(top + 0.5)
    paintLine(canvas, line, { ...frame, top, from: 0 }, cover, row * frame.width)
  }
}

/**
 * Paints a row of pixels over the canvas (source-over).
 * @param line contains the row, with multiplied colors; one of 3 channels is the row alone, without a `from`
 * @param place of the row on the canvas; `from` is the index of its first pixel in the line
 * @param coverFrom the index of its first pixel in the cover
 */
function paintLine(
  { data, width, channels: to }: Bitmap,
  { data: line, channels }: Pick<Bitmap, 'data' | 'channels'>,
  place: { left: number; top: number; width: number; from: number },
  cover?: Uint8Array,
  coverFrom = 0,
): void {
  let at = (place.top * width + place.left) * to
  if (channels === 3 && to === 3 && !cover) {
    data.set(line, at)
    return
  }
  const end = (place.from + place.width) * channels
  for (let i = place.from * channels, c = 4 * coverFrom + 3; i < end; i += channels, at += to, c += 4) {
    const lineAlpha = channels === 3 ? 255 : (line[i + 3] as number)
    const coverAlpha = cover === undefined ? 255 : (cover[c] as number)
    const alpha = coverAlpha === 255 ? lineAlpha : over255(lineAlpha * coverAlpha)
    if (alpha === 0) continue
    if (alpha === 255) {
      data[at] = line[i] as number
      data[at + 1] = line[i + 1] as number
      data[at + 2] = line[i + 2] as number
      if (to === 4) data[at + 3] = 255
      continue
    }
    const below = 255 - alpha
    data[at] = over255((line[i] as number) * coverAlpha + (data[at] as number) * below)
    data[at + 1] = over255((line[i + 1] as number) * coverAlpha + (data[at + 1] as number) * below)
    data[at + 2] = over255((line[i + 2] as number) * coverAlpha + (data[at + 2] as number) * below)
    if (to === 4) data[at + 3] = alpha + over255((data[at + 3] as number) * below)
  }
}

/** The bytes of a Buffer or Uint8Array as a Uint8Array: V8 makes loops that see one class alone twice as fast. */
const bytesOf = ({ buffer, byteOffset, length }: Uint8Array) => new Uint8Array(buffer, byteOffset, length)

/** Writes the pixels of the picture at a height of the canvas into the line. @param y the middle of a row */
type FillLine = (y: number) => void

/** For a picture without rotation: mixes two of its rows once, then neighboring columns of the mixed row. */
function uprightLines(
  { channels, width, height, ...picture }: Bitmap,
  [a, , , d, e, f]: Matrix,
  frame: Frame,
  line: Uint8Array,
): FillLine {
  const data = bytesOf(picture.data)
  // Each sample lies `parts` 256ths behind the sample with the index.
  const indices = new Int32Array(frame.width)
  const parts = new Int32Array(frame.width)
  for (let x = 0; x < frame.width; x++) {
    const place = between((a * (frame.left + x + 0.5) + e - 0.5) * 256, width)
    indices[x] = (place >> 8) * channels
    parts[x] = place & 255
  }
  // One column more, which a sample in the last one takes with a share of nothing.
  const mixed = new Int32Array((width + 1) * channels)
  const [first, last] = [indices[0] ?? 0, indices[frame.width - 1] ?? 0]
  const start = Math.min(first, last)
  const end = Math.min(Math.max(first, last) + 2 * channels, width * channels)
  return (y) => {
    const place = between((d * y + f - 0.5) * 256, height)
    const below = place & 255
    const above = 256 - below
    const upper = (place >> 8) * width * channels
    const lower = below === 0 ? upper : upper + width * channels
    for (let i = start; i < end; i++)
      mixed[i] = (data[upper + i] as number) * above + (data[lower + i] as number) * below
    for (let x = 0, to = 0; x < frame.width; x++, to += channels) {
      const right = parts[x] as number
      const left = 256 - right
      const i = indices[x] as number
      const j = i + channels
      line[to] = ((mixed[i] as number) * left + (mixed[j] as number) * right + 32_768) >> 16
      line[to + 1] = ((mixed[i + 1] as number) * left + (mixed[j + 1] as number) * right + 32_768) >> 16
      line[to + 2] = ((mixed[i + 2] as number) * left + (mixed[j + 2] as number) * right + 32_768) >> 16
      if (channels === 4)
        line[to + 3] = ((mixed[i + 3] as number) * left + (mixed[j + 3] as number) * right + 32_768) >> 16
    }
  }
}

/** A position in 256ths of a pixel, moved into the picture. */
const between = (place: number, length: number) => Math.max(0, Math.min((length - 1) * 256, place)) | 0

/** For a rotated or skewed picture: mixes four of its pixels for each pixel of the line. */
function turnedLines(
  { channels, width, height, ...picture }: Bitmap,
  [a, b, c, d, e, f]: Matrix,
  frame: Frame,
  line: Uint8Array,
): FillLine {
  const data = bytesOf(picture.data)
  const x = frame.left + 0.5
  return (y) => {
    let u = (a * x + c * y + e - 0.5) * 256
    let v = (b * x + d * y + f - 0.5) * 256
    for (let to = 0; to < line.length; u += 256 * a, v += 256 * b) {
      const [column, row] = [between(u, width), between(v, height)]
      const right = column & 255
      const below = row & 255
      const i = ((row >> 8) * width + (column >> 8)) * channels
      const across = right === 0 ? 0 : channels
      const down = below === 0 ? 0 : width * channels
      const diagonal = right * below
      for (let n = i; n < i + channels; n++, to++)
        line[to] =
          ((data[n] as number) * (65_536 - 256 * (right + below) + diagonal) +
            (data[n + across] as number) * (256 * right - diagonal) +
            (data[n + down] as number) * (256 * below - diagonal) +
            (data[n + down + across] as number) * diagonal +
            32_768) >>
          16
    }
  }
}

// Neutral grays and near-blacks for the press: text and thin lines in four inks would show the slightest shift between the plates.
import sharp from 'sharp'
import { type Color, isGradient, type Mark, type Paint } from './marks.ts'
import { identity, type Matrix, multiply } from './matrix.ts'
import { extentOf, transformed } from './outline.ts'
import type { BlackInk } from './renderer-options.ts'

/** Points up to which a line or a bar is thin. */
const thin = 2
/** Difference of the channels up to which a color is neutral, and a dark one. */
const [neutral, neutralDark] = [4, 12]
/** Channel up to which a color is dark; black ink alone is about as light. */
const dark = 48

const isNeutral = ({ r, g, b }: Color): boolean => {
  const most = Math.max(r, g, b)
  return most - Math.min(r, g, b) <= (most <= dark ? neutralDark : neutral)
}

/**
 * The marks with `inBlack` on the colors that black ink alone prints.
 * @param points for each pixel of the stage
 */
export function inBlackInk(marks: readonly Mark[], points: number, which: BlackInk): Mark[] {
  if (which === 'none') return [...marks]
  const isAll = which === 'all'
  const visit = (mark: Mark, matrix: Matrix): Mark => {
    if (mark.kind === 'group') {
      const inner = mark.matrix ? multiply(matrix, mark.matrix) : matrix
      return { ...mark, marks: mark.marks.map((each) => visit(each, inner)) }
    }
    if (mark.kind === 'picture') return mark
    if (mark.kind === 'shadow') return isAll ? { ...mark, color: inBlack(mark.color) } : mark
    const { fill, stroke } = mark
    const isLettering = isAll || mark.kind === 'text' || mark.isLettering === true
    const scale = points * Math.sqrt(Math.abs(matrix[0] * matrix[3] - matrix[1] * matrix[2]))
    const isFillThin = () => mark.kind === 'shape' && thicknessOf(mark.outline, matrix) * points <= thin
    return {
      ...mark,
      ...(fill && { fill: isLettering || isFillThin() ? painted(fill, isAll) : fill }),
      ...(stroke && {
        stroke:
          isLettering || stroke.width * scale <= thin
            ? { ...stroke, paint: painted(stroke.paint, isAll) }
            : stroke,
      }),
    }
  }
  return marks.map((mark) => visit(mark, identity))
}

/** Of a bar its width. */
function thicknessOf(outline: Parameters<typeof extentOf>[0], matrix: Matrix): number {
  if (outline.length === 0) return 0
  const { width, height } = extentOf(transformed(outline, matrix))
  return Math.min(width, height)
}

const inBlack = (color: Color): Color => (isNeutral(color) ? { ...color, inBlack: true } : color)

/** A gradient of letters runs through all inks, as its other colors do. */
function painted(paint: Paint, isAll: boolean): Paint {
  if (!isGradient(paint)) return inBlack(paint)
  if (!isAll || !paint.stops.every(({ color }) => isNeutral(color))) return paint
  return { ...paint, stops: paint.stops.map((stop) => ({ ...stop, color: inBlack(stop.color) })) }
}

/** Percent of black ink that is as light as a gray, by the profile of the press. */
export async function blackRamp(profile: Uint8Array): Promise<(color: Color) => number> {
  const steps = Array.from({ length: 101 }, (_, percent) => percent)
  const pixels = Buffer.from(steps.flatMap((percent) => [0, 0, 0, Math.round(percent * 2.55)]))
  const shown = await sharp(cmykTiff(pixels, profile)).toColourspace('srgb').raw().toBuffer()
  const lights = steps.map((percent) => lightOf([...shown.subarray(3 * percent, 3 * percent + 3)]))
  return ({ r, g, b }) => {
    const light = lightOf([r, g, b])
    const distance = (percent: number) => Math.abs((lights[percent] ?? 0) - light)
    return steps.reduce((best, percent) => (distance(percent) < distance(best) ? percent : best), 0)
  }
}

/** As Rec. 709 weighs the channels. */
const lightOf = ([r = 0, g = 0, b = 0]: readonly number[]) => 0.2126 * r + 0.7152 * g + 0.0722 * b

/** A row of pixels in four inks with their profile (TIFF 6.0 §16), the simplest form in which sharp reads them. */
function cmykTiff(pixels: Buffer, profile: Uint8Array): Buffer {
  const [short, long, undefinedType] = [3, 4, 7]
  const entryCount = 10
  const bitsAt = 8 + 2 + 12 * entryCount + 4
  const pixelsAt = bitsAt + 8
  const header = Buffer.alloc(pixelsAt)
  header.write('II*\0')
  header.writeUInt32LE(8, 4)
  header.writeUInt16LE(entryCount, 8)
  const entries: [tag: number, type: number, count: number, value: number][] = [
    [256, long, 1, pixels.length / 4], // ImageWidth
    [257, long, 1, 1], // ImageLength
    [258, short, 4, bitsAt], // BitsPerSample
    [259, short, 1, 1], // Compression: none
    [262, short, 1, 5], // PhotometricInterpretation: separated
    [273, long, 1, pixelsAt], // StripOffsets
    [277, short, 1, 4], // SamplesPerPixel
    [278, long, 1, 1], // RowsPerStrip
    [279, long, 1, pixels.length], // StripByteCounts
    [34_675, undefinedType, profile.length, pixelsAt + pixels.length], // ICC profile
  ]
  for (const [index, [tag, type, count, value]] of entries.entries()) {
    const at = 10 + 12 * index
    header.writeUInt16LE(tag, at)
    header.writeUInt16LE(type, at + 2)
    header.writeUInt32LE(count, at + 4)
    header.writeUInt32LE(value, at + 8)
  }
  for (const channel of [0, 1, 2, 3]) header.writeUInt16LE(8, bitsAt + 2 * channel)
  return Buffer.concat([header, pixels, profile])
}

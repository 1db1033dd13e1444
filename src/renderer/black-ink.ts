// Chooses what a press prints with black ink alone: neutral grays and near-blacks of text and thin lines. In four inks these would
// show the slightest shift between the plates.
import sharp from 'sharp'
import { type Color, isGradient, type Mark, type Paint } from './marks.ts'
import { identity, type Matrix, multiply } from './matrix.ts'
import { extentOf, type Outline, transformed } from './outline.ts'
import type { BlackInk } from './renderer-options.ts'

/** Points up to which a line or a bar is thin. */
const maxThin = 2
/** Difference of the channels up to which a color is neutral; those of a dark color may differ more. */
const [maxDifference, maxDarkDifference] = [4, 12]
/** Channel up to which a color is dark; black ink alone is about as light. */
const maxDark = 48

const isNeutral = ({ r, g, b }: Color): boolean => {
  const lightest = Math.max(r, g, b)
  return lightest - Math.min(r, g, b) <= (lightest <= maxDark ? maxDarkDifference : maxDifference)
}

/**
 * The marks of a page with `inBlack` on the colors that black ink alone prints.
 * @param points per pixel of the stage
 * @param which setting of the press: no marks, text and thin lines, or all marks
 */
export function inBlackInk(marks: readonly Mark[], points: number, which: BlackInk): Mark[] {
  if (which === 'none') return [...marks]
  return marks.map((mark) => withBlack(mark, identity, { points, isAll: which === 'all' }))
}

/** @param matrix from the mark to the stage */
function withBlack(mark: Mark, matrix: Matrix, options: { points: number; isAll: boolean }): Mark {
  const { points, isAll } = options
  if (mark.kind === 'group') {
    const inner = mark.matrix ? multiply(matrix, mark.matrix) : matrix
    return { ...mark, marks: mark.marks.map((part) => withBlack(part, inner, options)) }
  }
  if (mark.kind === 'picture') return mark
  if (mark.kind === 'shadow') return isAll ? { ...mark, color: inBlack(mark.color) } : mark
  const { fill, stroke } = mark
  const isLettering = isAll || mark.kind === 'text' || mark.isLettering === true
  const scale = points * Math.sqrt(Math.abs(matrix[0] * matrix[3] - matrix[1] * matrix[2]))
  const isBlackFill =
    isLettering || (mark.kind === 'shape' && thicknessOf(mark.outline, matrix) * points <= maxThin)
  const isBlackStroke = isLettering || (stroke !== undefined && stroke.width * scale <= maxThin)
  return {
    ...mark,
    ...(fill && isBlackFill && { fill: paintInBlack(fill, { isAll }) }),
    ...(stroke && isBlackStroke && { stroke: { ...stroke, paint: paintInBlack(stroke.paint, { isAll }) } }),
  }
}

/** The shorter side of the rectangle around an outline: the width of a bar. */
function thicknessOf(outline: Outline, matrix: Matrix): number {
  if (outline.length === 0) return 0
  const { width, height } = extentOf(transformed(outline, matrix))
  return Math.min(width, height)
}

const inBlack = (color: Color): Color => (isNeutral(color) ? { ...color, inBlack: true } : color)

/** A gradient is printed in black only where all marks are, and if all its colors are neutral. */
function paintInBlack(paint: Paint, { isAll }: { isAll: boolean }): Paint {
  if (!isGradient(paint)) return inBlack(paint)
  if (!isAll || !paint.stops.every(({ color }) => isNeutral(color))) return paint
  return { ...paint, stops: paint.stops.map((stop) => ({ ...stop, color: inBlack(stop.color) })) }
}

/**
 * Returns a function from a gray to the percentage of black ink that looks as light on the press. It converts all percentages by
 * the profile of the press once, and searches the nearest.
 */
export async function blackRamp(profile: Uint8Array): Promise<(color: Color) => number> {
  const percentages = Array.from({ length: 101 }, (_, percent) => percent)
  const pixels = Buffer.from(percentages.flatMap((percent) => [0, 0, 0, Math.round(percent * 2.55)]))
  const rgb = await sharp(cmykTiff(pixels, profile)).toColourspace('srgb').raw().toBuffer()
  const lights = percentages.map((percent) => lightOf([...rgb.subarray(3 * percent, 3 * percent + 3)]))
  return ({ r, g, b }) => {
    const light = lightOf([r, g, b])
    const distance = (percent: number) => Math.abs((lights[percent] ?? 0) - light)
    return percentages.reduce((best, percent) => (distance(percent) < distance(best) ? percent : best), 0)
  }
}

/** Lightness from 0 to 255, with the weights of Rec. 709. */
const lightOf = ([r = 0, g = 0, b = 0]: readonly number[]) => 0.2126 * r + 0.7152 * g + 0.0722 * b

/** A row of pixels in four inks with their profile (TIFF 6.0 §16), the simplest form in which sharp reads them. */
function cmykTiff(pixels: Buffer, profile: Uint8Array): Buffer {
  const [short, long, undefinedType] = [3, 4, 7]
  const entryCount = 10
  const bitsOffset = 8 + 2 + 12 * entryCount + 4
  const pixelsOffset = bitsOffset + 8
  const header = Buffer.alloc(pixelsOffset)
  header.write('II*\0')
  header.writeUInt32LE(8, 4)
  header.writeUInt16LE(entryCount, 8)
  const entries: [tag: number, type: number, count: number, value: number][] = [
    [256, long, 1, pixels.length / 4], // ImageWidth
    [257, long, 1, 1], // ImageLength
    [258, short, 4, bitsOffset], // BitsPerSample
    [259, short, 1, 1], // Compression: none
    [262, short, 1, 5], // PhotometricInterpretation: separated
    [273, long, 1, pixelsOffset], // StripOffsets
    [277, short, 1, 4], // SamplesPerPixel
    [278, long, 1, 1], // RowsPerStrip
    [279, long, 1, pixels.length], // StripByteCounts
    [34_675, undefinedType, profile.length, pixelsOffset + pixels.length], // ICC profile
  ]
  for (const [index, [tag, type, count, value]] of entries.entries()) {
    const offset = 10 + 12 * index
    header.writeUInt16LE(tag, offset)
    header.writeUInt16LE(type, offset + 2)
    header.writeUInt32LE(count, offset + 4)
    header.writeUInt32LE(value, offset + 8)
  }
  for (const channel of [0, 1, 2, 3]) header.writeUInt16LE(8, bitsOffset + 2 * channel)
  return Buffer.concat([header, pixels, profile])
}

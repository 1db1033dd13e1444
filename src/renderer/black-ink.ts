// Chooses the neutral grays and near-blacks that a press prints with black ink alone: those of text and thin lines, which in four inks
// would show the slightest shift between the plates, or all of them. press-colors.ts converts them (`inBlack`).
import { type Color, isGradient, type Mark, type Paint } from './marks.ts'
import { identity, type Matrix, multiply } from './matrix.ts'
import { extentOf, type Outline, transformed } from './outline.ts'
import type { BlackInk } from './renderer-options.ts'

/** Points up to which a line, or a bar along an axis of the page, is thin. */
const maxThin = 2
/** Difference of the channels up to which a color is neutral; those of a dark color may differ more. */
const [maxDifference, maxDarkDifference] = [4, 12]
/** The greatest channel up to which a color is dark: black ink alone on paper is about as light. */
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
  const isAlwaysBlack = isAll || mark.kind === 'text' || mark.isLettering === true
  /** Points for each unit of the mark. */
  const scale = points * Math.sqrt(Math.abs(matrix[0] * matrix[3] - matrix[1] * matrix[2]))
  const isBlackFill =
    isAlwaysBlack || (mark.kind === 'shape' && thicknessOf(mark.outline, matrix) * points <= maxThin)
  const isBlackStroke = isAlwaysBlack || (stroke !== undefined && stroke.width * scale <= maxThin)
  return {
    ...mark,
    ...(fill && isBlackFill && { fill: paintInBlack(fill, { isAll }) }),
    ...(stroke && isBlackStroke && { stroke: { ...stroke, paint: paintInBlack(stroke.paint, { isAll }) } }),
  }
}

/** The shorter side of the upright rectangle around an outline, in pixels of the stage. */
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

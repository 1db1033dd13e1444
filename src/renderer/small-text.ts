// Finds small text that is printed in several inks: the slightest shift between the plates of a press blurs it.
import { type Color, isGradient, type Mark } from './marks.ts'
import { identity, type Matrix, multiply } from './matrix.ts'
import type { PressColors } from './press-colors.ts'

/** Points below which text should be printed in one ink. */
export const smallText = 9
/** Percent from which an ink counts. */
const minInk = 10

/** Text that is too small for its inks. */
export interface SmallText {
  /** Points. */
  size: number
  /** The number of its inks. */
  inks: number
}

/** The smallest text that is filled with several inks; undefined if there is none below `smallText`. @param points for each pixel of the stage */
export function smallTextOf(
  marks: readonly Mark[],
  points: number,
  { inks, spot }: PressColors,
): SmallText | undefined {
  const inkCount = (color: Color) =>
    spot(color) ? 1 : inks(color).filter((percent) => percent >= minInk).length
  const candidates = marks
    .flatMap((mark) => coloredTexts(mark, identity))
    .map(({ color, size }) => ({ size: size * points, inks: inkCount(color) }))
    .filter((text) => text.inks > 1 && text.size < smallText)
  const smallest = candidates.reduce<SmallText | undefined>(
    (least, text) => (text.size < (least?.size ?? smallText) ? text : least),
    undefined,
  )
  return smallest && { ...smallest, size: Math.round(smallest.size * 10) / 10 }
}

/** The colors of texts with their sizes in pixels of the stage; of distorted text, its smaller side. @param matrix to the stage */
function coloredTexts(mark: Mark, matrix: Matrix): { color: Color; size: number }[] {
  if (mark.kind === 'group') {
    const inner = mark.matrix ? multiply(matrix, mark.matrix) : matrix
    return mark.marks.flatMap((part) => coloredTexts(part, inner))
  }
  if (mark.kind !== 'text' || !mark.fill) return []
  const [a, b, c, d] = matrix
  const size = mark.size * Math.min(Math.hypot(a, b), Math.hypot(c, d))
  const colors = isGradient(mark.fill) ? mark.fill.stops.map(({ color }) => color) : [mark.fill]
  return colors.map((color) => ({ color, size }))
}

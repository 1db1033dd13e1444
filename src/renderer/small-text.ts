// Small text in several inks: the slightest shift between the plates of a press blurs it.
import { type Color, isGradient, type Mark } from './marks.ts'
import { identity, type Matrix, multiply } from './matrix.ts'
import type { PressColors } from './press-colors.ts'

/** Points below which text should have one ink. */
export const smallText = 9
/** Percent from which an ink counts. */
const leastInk = 10

export interface SmallText {
  /** Points, of the smallest. */
  size: number
  /** Of how many inks it consists. */
  inks: number
}

/** @param points for each pixel of the stage */
export function smallTextOf(
  marks: readonly Mark[],
  points: number,
  { inks, spot }: PressColors,
): SmallText | undefined {
  let smallest: SmallText | undefined
  const check = (color: Color, size: number) => {
    const count = spot(color) ? 1 : inks(color).filter((percent) => percent >= leastInk).length
    if (count > 1 && size < smallText && size < (smallest?.size ?? smallText))
      smallest = { size, inks: count }
  }
  const visit = (mark: Mark, matrix: Matrix): void => {
    if (mark.kind === 'group') {
      const inner = mark.matrix ? multiply(matrix, mark.matrix) : matrix
      for (const each of mark.marks) visit(each, inner)
    }
    if (mark.kind !== 'text' || !mark.fill) return
    // Of distorted text, its smaller side.
    const [a, b, c, d] = matrix
    const size = mark.size * points * Math.min(Math.hypot(a, b), Math.hypot(c, d))
    const colors = isGradient(mark.fill) ? mark.fill.stops.map(({ color }) => color) : [mark.fill]
    for (const color of colors) check(color, size)
  }
  for (const mark of marks) visit(mark, identity)
  return smallest && { ...smallest, size: Math.round(smallest.size * 10) / 10 }
}

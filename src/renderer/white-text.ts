// Finds text that white paper does not show.
import type { Placed } from './compose.ts'
import { isGradient, type Mark, type Paint } from './marks.ts'
import { intersection } from './matrix.ts'

/** Whether the element is a text all of whose marks are white, with no element below it. @param below the elements that are painted before it */
export const isWhiteOnPaper = ({ element, marks, area }: Placed, below: readonly Placed[]): boolean =>
  element.kind === 'text' &&
  marks.length > 0 &&
  marks.every(isWhite) &&
  !below.some((lower) => lower.marks.length > 0 && intersection(lower.area, area) !== undefined)

function isWhite(mark: Mark): boolean {
  if (mark.kind === 'group') return mark.marks.every(isWhite)
  if (mark.kind === 'picture' || mark.kind === 'shadow') return false
  return [mark.fill, mark.stroke?.paint].every((paint) => paint === undefined || isWhitePaint(paint))
}

const isWhitePaint = (paint: Paint) => !isGradient(paint) && Math.min(paint.r, paint.g, paint.b) === 255

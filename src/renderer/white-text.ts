// Finds text that white paper does not show.
import type { Placed } from './compose.ts'
import { isGradient, type Mark, type Paint } from './marks.ts'
import { intersection } from './matrix.ts'

/** Whether the element is a text that is only white, and lies on the paper. @param below the elements that were painted before it */
export function isWhiteOnPaper({ element, marks, area }: Placed, below: readonly Placed[]): boolean {
  if (element.kind !== 'text' || element.text.trim() === '') return false
  const paints = marks.flatMap(paintsOf)
  if (paints.length === 0 || !paints.every(isWhite)) return false
  return !below.some((other) => other.marks.length > 0 && intersection(other.area, area) !== undefined)
}

/** The paints of a mark; undefined stands for those of pictures and shadows. */
function paintsOf(mark: Mark): (Paint | undefined)[] {
  if (mark.kind === 'group') return mark.marks.flatMap(paintsOf)
  if (mark.kind === 'picture' || mark.kind === 'shadow') return [undefined]
  return [mark.fill, mark.stroke?.paint].filter((paint) => paint !== undefined)
}

const isWhite = (paint: Paint | undefined) =>
  paint !== undefined && !isGradient(paint) && Math.min(paint.r, paint.g, paint.b) === 255

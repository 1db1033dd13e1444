// Computes for shadows where they fall, which of them shapes can show instead of pixels, and how finely a blur has to be drawn.
import { boundsOfMarks } from './bounds.ts'
import type { Face } from './face.ts'
import { type Color, isGradient, type Mark, type Paint, type ShadowMark } from './marks.ts'
import { grown, intersection, type Matrix, type Rectangle } from './matrix.ts'

/**
 * The rectangle in which a shadow falls, with the parts beyond the page that its blur brings onto it; undefined if no part of it is
 * on the page.
 * @param outer the matrix from the marks to the stage
 * @param page the rectangle of the stage that the page shows
 */
export function shadowRegion(
  { dx, dy, sigma, marks }: Pick<ShadowMark, 'dx' | 'dy' | 'sigma' | 'marks'>,
  outer: Matrix,
  page: Rectangle,
  face: (key: string) => Face,
): Rectangle | undefined {
  const cast = boundsOfMarks(marks, outer, face)
  if (!cast) return undefined
  const fallen = grown({ ...cast, x: cast.x + dx, y: cast.y + dy }, 3 * sigma + 1)
  // Marks farther from the page than the blur reaches do not affect it.
  return intersection(fallen, page) && intersection(fallen, grown(page, 3 * sigma + 1))
}

/** A shadow without blur as shapes: its silhouette in one color. Undefined for one that only pixels can show. */
export function sharpShadow({ color, dx, dy, sigma, marks }: ShadowMark): Mark | undefined {
  if (sigma > 0 || !isVector(marks)) return undefined
  // Faded as a group, so that parts that overlap do not show through one another.
  const silhouettes = marks.map((mark) => silhouette(mark, { ...color, a: 1 }))
  return { kind: 'group', matrix: [1, 0, 0, 1, dx, dy], alpha: color.a, marks: silhouettes }
}

/** Pixels of a standard deviation beyond which a finer picture of a blur looks the same. */
const maxSigma = 8

/** The resolution in which a shadow is drawn: that of the page, or what its blur needs if that is less. In pixels for each pixel of the stage. */
export function shadowGrid({ sigma }: ShadowMark, { x, y }: { x: number; y: number }) {
  const coarser = Math.max(1, (sigma * Math.max(x, y)) / maxSigma)
  return { x: x / coarser, y: y / coarser }
}

/** Whether shapes can show the silhouette of the marks: they have no pictures, and no gradients that are partly transparent. */
const isVector = (marks: Mark[]): boolean =>
  marks.every((mark) =>
    mark.kind === 'group'
      ? isVector(mark.marks)
      : (mark.kind === 'text' || mark.kind === 'shape') &&
        isEvenlyOpaque(mark.fill) &&
        isEvenlyOpaque(mark.stroke?.paint),
  )

/** Whether a paint is equally transparent everywhere. */
const isEvenlyOpaque = (paint: Paint | undefined) =>
  !paint || !isGradient(paint) || paint.stops.every(({ color }) => color.a === 1)

/** The mark in one color. */
function silhouette(mark: Mark, color: Color): Mark {
  const plainPaint = (paint: Paint): Paint => ({ ...color, a: color.a * (isGradient(paint) ? 1 : paint.a) })
  if (mark.kind === 'group') return { ...mark, marks: mark.marks.map((part) => silhouette(part, color)) }
  if (mark.kind === 'picture' || mark.kind === 'shadow') return mark
  const stroke = mark.stroke && { ...mark.stroke, paint: plainPaint(mark.stroke.paint) }
  return { ...mark, fill: mark.fill && plainPaint(mark.fill), stroke }
}

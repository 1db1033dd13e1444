// Writes the operators of lines for finishing a page: crop marks, registration targets, and the line along which the page is cut.
import { ellipse, type Outline, rectangle } from './outline.ts'
import type { PageBox } from './page.ts'
import { pathText } from './pdf-operators.ts'

export const pointsPerMm = 72 / 25.4

/** Millimetres from the bleed to the beginning and the end of a crop mark. */
const [markFrom, markTo] = [1, 6]
/** Millimetres beyond the bleed, on each side, of a page with crop marks. */
export const marginWithMarks = 7

/** The operators that draw crop marks and targets around a page. @param edge millimetres from the edge of the paper to the trim */
export function cropMarksText(page: PageBox, edge: number): string {
  const [right, bottom] = [edge + page.width, edge + page.height]
  const targets = targetsOf(edge, right, bottom, page.bleed + (markFrom + markTo) / 2)
  return `0.25 w ${cropMarksPath(page, edge)} ${targets} S`
}

/** The path of the crop marks, two at each corner. @param edge millimetres from the edge of the paper to the trim */
export function cropMarksPath({ width, height, bleed }: PageBox, edge: number): string {
  const [right, bottom] = [edge + width, edge + height]
  const [near, far] = [bleed + markFrom, bleed + markTo]
  return pathText([
    ...[edge, right].flatMap((x) => [
      ...line(x, edge - far, x, edge - near),
      ...line(x, bottom + near, x, bottom + far),
    ]),
    ...[edge, bottom].flatMap((y) => [
      ...line(edge - far, y, edge - near, y),
      ...line(right + near, y, right + far, y),
    ]),
  ])
}

/** A line between two points in millimetres. */
const line = (x1: number, y1: number, x2: number, y2: number): Outline => [
  ['M', x1 * pointsPerMm, y1 * pointsPerMm],
  ['L', x2 * pointsPerMm, y2 * pointsPerMm],
]

/** Millimetres of the radius of a target's circle, and from its center to the ends of its cross. */
const [radius, reach] = [1.5, 2.5]

/** The path of a target in the middle of each side. `edge`, `right` and `bottom` are the trim; `away` is from the trim to the target. */
function targetsOf(edge: number, right: number, bottom: number, away: number): string {
  const [x, y] = [(edge + right) / 2, (edge + bottom) / 2]
  const places = [
    [x, edge - away],
    [x, bottom + away],
    [edge - away, y],
    [right + away, y],
  ] as const
  return places
    .map(([cx, cy]) => {
      const cross = [...line(cx - reach, cy, cx + reach, cy), ...line(cx, cy - reach, cx, cy + reach)]
      return pathText([
        ...ellipse(cx * pointsPerMm, cy * pointsPerMm, radius * pointsPerMm, radius * pointsPerMm),
        ...cross,
      ])
    })
    .join(' ')
}

/** The operators that draw a line along the trim. @param edge millimetres from the edge of the paper to the trim */
export function cutText({ width, height }: PageBox, edge: number): string {
  const box = {
    x: edge * pointsPerMm,
    y: edge * pointsPerMm,
    width: width * pointsPerMm,
    height: height * pointsPerMm,
  }
  return `0.25 w ${pathText(rectangle(box))} S`
}

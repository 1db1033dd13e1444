// What a page carries for its finishing: registration targets beside the crop marks, and the line along which it is cut.
import { ellipse, type Outline, plain, rectangle } from './outline.ts'
import type { PageBox } from './page.ts'

/** Points per millimetre. */
export const point = 72 / 25.4

export function pathText(outline: Outline): string {
  return outline
    .map((segment) => {
      if (segment[0] === 'Z') return 'h'
      const [name, ...values] = segment
      return `${values.map((value) => plain(value, 5)).join(' ')} ${name.toLowerCase()}`
    })
    .join(' ')
}

/** Crop marks around the bleed, in millimetres: start and end, and the room that they take. */
const [markFrom, markTo] = [1, 6]
export const marginWithMarks = 7

/** Crop marks and targets around a page. @param edge millimetres from the sheet to the trim */
export function marksText(page: PageBox, edge: number): string {
  const [right, bottom] = [edge + page.width, edge + page.height]
  const targets = targetsOf(edge, right, bottom, page.bleed + (markFrom + markTo) / 2)
  return `0.25 w ${cropText(page, edge)} ${targets} S`
}

/** Crop marks alone. @param edge as above */
export function cropText({ width, height, bleed }: PageBox, edge: number): string {
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

/** In millimetres. */
const line = (x1: number, y1: number, x2: number, y2: number): Outline => [
  ['M', x1 * point, y1 * point],
  ['L', x2 * point, y2 * point],
]

/** Millimetres of the circle of a target, and of its cross. */
const [radius, reach] = [1.5, 2.5]

/** A target in the middle of each side. @param edge millimetres from the sheet to the trim; `away` from the trim to the target */
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
      return pathText([...ellipse(cx * point, cy * point, radius * point, radius * point), ...cross])
    })
    .join(' ')
}

/** The edge of the trimmed page. */
export function cutText({ width, height }: PageBox, edge: number): string {
  const box = { x: edge * point, y: edge * point, width: width * point, height: height * point }
  return `0.25 w ${pathText(rectangle(box))} S`
}

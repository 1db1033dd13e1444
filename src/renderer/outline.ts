// Makes and measures outlines: lists of moves, lines and cubic curves. path-data.ts reads them from SVG.
import { around, type Matrix, type Point, type Rectangle } from './matrix.ts'

/** A move, a line or a cubic curve, with the coordinates of its points as in SVG path data; Z closes the part. */
export type Segment =
  | readonly ['M' | 'L', number, number]
  | readonly ['C', number, number, number, number, number, number]
  | readonly ['Z']
/** One or more parts, each of which begins with a move. */
export type Outline = Segment[]

export function transformed(outline: Outline, [a, b, c, d, e, f]: Matrix): Outline {
  return outline.map((segment): Segment => {
    if (segment[0] === 'Z') return segment
    const x = a * segment[1] + c * segment[2] + e
    const y = b * segment[1] + d * segment[2] + f
    if (segment[0] !== 'C') return [segment[0], x, y]
    const [, , , x2, y2, x3, y3] = segment
    return ['C', x, y, a * x2 + c * y2 + e, b * x2 + d * y2 + f, a * x3 + c * y3 + e, b * x3 + d * y3 + f]
  })
}

/** The outline as SVG path data (SVG 2 §9.3). @param digits after the decimal point */
export function pathData(outline: Outline, digits = 4): string {
  let text = ''
  for (const segment of outline) {
    text += segment[0]
    for (let i = 1; i < segment.length; i++)
      text += `${i > 1 ? ' ' : ''}${decimal(Number(segment[i]), digits)}`
  }
  return text
}

/** A number without exponent and without zeros at the end. */
export function decimal(value: number, digits = 4): string {
  const text = value.toFixed(digits)
  if (!text.includes('.')) return text
  let end = text.length
  while (text[end - 1] === '0') end--
  if (text[end - 1] === '.') end--
  const short = text.slice(0, end)
  return short === '-0' ? '0' : short
}

/** The outline of a rectangle, with corners rounded by the radii `rx` and `ry`. */
export function rectangle({ x, y, width, height }: Rectangle, rx = 0, ry = rx): Outline {
  const [a, b] = [Math.min(Math.max(rx, 0), width / 2), Math.min(Math.max(ry, 0), height / 2)]
  const [right, bottom] = [x + width, y + height]
  if (a === 0 || b === 0) return [['M', x, y], ['L', right, y], ['L', right, bottom], ['L', x, bottom], ['Z']]
  // How far the control points of a quarter of an ellipse are from the corner.
  const [i, j] = [a * (1 - kappa), b * (1 - kappa)]
  return [
    ['M', x + a, y],
    ['L', right - a, y],
    ['C', right - i, y, right, y + j, right, y + b],
    ['L', right, bottom - b],
    ['C', right, bottom - j, right - i, bottom, right - a, bottom],
    ['L', x + a, bottom],
    ['C', x + i, bottom, x, bottom - j, x, bottom - b],
    ['L', x, y + b],
    ['C', x, y + j, x + i, y, x + a, y],
    ['Z'],
  ]
}

/** The length of the control lines of a cubic curve that approximates a quarter of a circle with the radius 1. */
const kappa = 0.5522847498

/** The outline of an ellipse around a center. */
export const ellipse = (cx: number, cy: number, rx: number, ry: number): Outline =>
  rectangle({ x: cx - rx, y: cy - ry, width: 2 * rx, height: 2 * ry }, rx, ry)

/** The outline of lines between points. @param points x and y in turn; a last number alone is ignored */
export function polygon(points: readonly number[], isClosed: boolean): Outline {
  const outline: Outline = []
  for (let i = 0; i + 1 < points.length; i += 2) {
    outline.push([i === 0 ? 'M' : 'L', points[i] ?? 0, points[i + 1] ?? 0])
  }
  return isClosed && outline.length > 0 ? [...outline, ['Z']] : outline
}

/** The rectangle around the outline itself, not its control points. */
export function extentOf(outline: Outline): Rectangle {
  const points: Point[] = []
  let [x, y] = [0, 0]
  for (const segment of outline) {
    if (segment[0] === 'Z') continue
    if (segment[0] === 'C') {
      const [, a, b, c, d, e, f] = segment
      for (const t of [...turningPoints(x, a, c, e), ...turningPoints(y, b, d, f)]) {
        points.push({ x: cubic(t, x, a, c, e), y: cubic(t, y, b, d, f) })
      }
      ;[x, y] = [e, f]
    } else [x, y] = [segment[1], segment[2]]
    points.push({ x, y })
  }
  return around(points)
}

/** A coordinate of a cubic Bézier curve at `t` from 0 to 1. */
const cubic = (t: number, p: number, q: number, r: number, s: number) =>
  (1 - t) ** 3 * p + 3 * (1 - t) ** 2 * t * q + 3 * (1 - t) * t ** 2 * r + t ** 3 * s

/** Where a cubic curve turns in one coordinate: the roots of its derivative a t² + b t + c between 0 and 1. */
function turningPoints(p: number, q: number, r: number, s: number): number[] {
  const [a, b, c] = [-p + 3 * q - 3 * r + s, 2 * (p - 2 * q + r), q - p]
  if (Math.abs(a) < 1e-12) return [-c / b].filter(isInside)
  const root = Math.sqrt(b * b - 4 * a * c)
  return [(-b + root) / (2 * a), (-b - root) / (2 * a)].filter(isInside)
}

const isInside = (t: number) => t > 0 && t < 1

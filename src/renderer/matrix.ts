// Calculates with affine matrices [a, b, c, d, e, f], as SVG, canvas and PDF write them (x' = a x + c y + e, y' = b x + d y + f), and
// with upright rectangles.

export type Matrix = readonly [number, number, number, number, number, number]

/** A point; y points downwards. */
export interface Point {
  x: number
  y: number
}

/** An upright rectangle: its left upper corner with its size. */
export interface Rectangle extends Point {
  width: number
  height: number
}

/** Changes nothing. */
export const identity: Matrix = [1, 0, 0, 1, 0, 0]

/** The matrix that applies first `inner`, then `outer`. */
export function multiply(outer: Matrix, inner: Matrix): Matrix {
  const [a, b, c, d, e, f] = outer
  const [g, h, i, j, k, l] = inner
  return [a * g + c * h, b * g + d * h, a * i + c * j, b * i + d * j, a * k + c * l + e, b * k + d * l + f]
}

/** Moves to the right and down. */
export const translate = (x: number, y: number): Matrix => [1, 0, 0, 1, x, y]
/** Mirrors an area from x = 0 to x = `width` from left to right, within itself. */
export const mirrored = (width: number): Matrix => [-1, 0, 0, 1, width, 0]
/** Enlarges by factors; negative ones mirror. */
export const scale = (x: number, y: number): Matrix => [x, 0, 0, y, 0, 0]

/** @param angle degrees, clockwise on the screen */
export function rotate(angle: number): Matrix {
  const [sin, cos] = sineAndCosine(angle)
  return [cos, sin, -sin, cos, 0, 0]
}

/** The sine and cosine of degrees, exact at quarter turns. */
function sineAndCosine(angle: number): [sin: number, cos: number] {
  const radians = ((((angle % 360) + 360) % 360) * Math.PI) / 180
  // Adding 0 turns -0 into 0.
  const exact = (value: number) => (angle % 90 === 0 ? Math.round(value) + 0 : value)
  return [exact(Math.sin(radians)), exact(Math.cos(radians))]
}

export const apply = ([a, b, c, d, e, f]: Matrix, { x, y }: Point): Point => ({
  x: a * x + c * y + e,
  y: b * x + d * y + f,
})

/** The inverse matrix; undefined if the matrix maps everything to a line. */
export function invert([a, b, c, d, e, f]: Matrix): Matrix | undefined {
  const area = a * d - b * c
  if (!Number.isFinite(area) || Math.abs(area) < 1e-12) return undefined
  return [d / area, -b / area, -c / area, a / area, (c * f - d * e) / area, (b * e - a * f) / area]
}

/** The smallest upright rectangle around the rectangle after the matrix is applied. */
export function boundsOf(matrix: Matrix, { x, y, width, height }: Rectangle): Rectangle {
  const corners = [
    [x, y],
    [x + width, y],
    [x, y + height],
    [x + width, y + height],
  ].map(([left = 0, top = 0]) => apply(matrix, { x: left, y: top }))
  return around(corners)
}

/** The smallest rectangle around points; an empty one at the origin if there are none. */
export function around(points: readonly Point[]): Rectangle {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity]
  for (const { x, y } of points) {
    left = Math.min(left, x)
    top = Math.min(top, y)
    right = Math.max(right, x)
    bottom = Math.max(bottom, y)
  }
  return points.length === 0
    ? { x: 0, y: 0, width: 0, height: 0 }
    : { x: left, y: top, width: right - left, height: bottom - top }
}

/** The rectangle extended by a length on each side. */
export const grown = ({ x, y, width, height }: Rectangle, by: number): Rectangle => ({
  x: x - by,
  y: y - by,
  width: width + 2 * by,
  height: height + 2 * by,
})

/** The smallest rectangle around all areas; undefined if there are none. */
export function united(areas: (Rectangle | undefined)[]): Rectangle | undefined {
  const corners = areas.flatMap((area) =>
    area ? [area, { x: area.x + area.width, y: area.y + area.height }] : [],
  )
  return corners.length === 0 ? undefined : around(corners)
}

/** The area that both rectangles cover; undefined if there is none. */
export function intersection(a: Rectangle, b: Rectangle): Rectangle | undefined {
  const [x, y] = [Math.max(a.x, b.x), Math.max(a.y, b.y)]
  const width = Math.min(a.x + a.width, b.x + b.width) - x
  const height = Math.min(a.y + a.height, b.y + b.height) - y
  return width > 0 && height > 0 ? { x, y, width, height } : undefined
}

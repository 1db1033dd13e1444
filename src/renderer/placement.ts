// Reads the placement of an element, and computes its matrix on the stage, as fabric.js does.
import { boundsOf, type Matrix, multiply, type Point, rotate, scale, translate } from './matrix.ts'
import { choiceOf, flagOf, numberOf, type Properties } from './values.ts'

/** Where an element is, in pixels of the stage: `left` and `top` are the place of its origin, which may be its center, a corner, or the middle of a side. */
export interface Placement {
  left: number
  top: number
  /** Degrees, clockwise. */
  angle: number
  scaleX: number
  scaleY: number
  flipX: boolean
  flipY: boolean
  /** Degrees. */
  skewX: number
  skewY: number
  originX: 'left' | 'center' | 'right'
  originY: 'top' | 'center' | 'bottom'
}

/** The stored placement with its defaults. @throws Undrawable for values out of bounds */
export function placementOf(parameters: Properties): Placement {
  const scaleBounds = { min: -1000, max: 1000 }
  const skewBounds = { min: -89, max: 89 }
  return {
    left: numberOf(parameters, 'left', 0),
    top: numberOf(parameters, 'top', 0),
    angle: numberOf(parameters, 'angle', 0),
    scaleX: numberOf(parameters, 'scaleX', 1, scaleBounds),
    scaleY: numberOf(parameters, 'scaleY', 1, scaleBounds),
    flipX: flagOf(parameters, 'flipX'),
    flipY: flagOf(parameters, 'flipY'),
    skewX: numberOf(parameters, 'skewX', 0, skewBounds),
    skewY: numberOf(parameters, 'skewY', 0, skewBounds),
    originX: choiceOf(parameters, 'originX', ['left', 'center', 'right'], 'center'),
    originY: choiceOf(parameters, 'originY', ['top', 'center', 'bottom'], 'center'),
  }
}

/** The size of an element before it is scaled. */
export interface Extent {
  width: number
  height: number
  /** The width of a stroke that does not grow with the element; it is added after the scale. */
  uniformStroke?: number
}

/** The matrix from the element's space, whose origin is its center, to the stage (fabric 5.3 `calcOwnMatrix`). */
export function matrixFor(placement: Placement, size: Extent): Matrix {
  const { scaleX, scaleY, flipX, flipY, skewX, skewY, angle } = placement
  const tangent = (degrees: number) => Math.tan((degrees * Math.PI) / 180)
  let unturned = scale(flipX ? -scaleX : scaleX, flipY ? -scaleY : scaleY)
  if (skewX !== 0) unturned = multiply(unturned, [1, 0, tangent(skewX), 1, 0, 0])
  if (skewY !== 0) unturned = multiply(unturned, [1, tangent(skewY), 0, 1, 0, 0])
  const center = centerOf(placement, size, unturned)
  return multiply(translate(center.x, center.y), multiply(rotate(angle), unturned))
}

/** The center of the element on the stage. @param unturned the matrix of its scale and skew, without its angle */
function centerOf(
  placement: Placement,
  { width, height, uniformStroke = 0 }: Extent,
  unturned: Matrix,
): Point {
  const { left, top, originX, originY, angle } = placement
  /** The share of a side from its origin to the center. */
  const share = (origin: string) =>
    origin === 'center' ? 0 : origin === 'left' || origin === 'top' ? 0.5 : -0.5
  const box = boundsOf(unturned, { x: -width / 2, y: -height / 2, width, height })
  const [x, y] = [share(originX) * (box.width + uniformStroke), share(originY) * (box.height + uniformStroke)]
  const [a, b, c, d] = rotate(angle)
  return { x: left + a * x + c * y, y: top + b * x + d * y }
}

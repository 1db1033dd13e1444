// The position of an element on the stage.
import { boundsOf, type Matrix, multiply, type Point, rotate, scale, translate } from './matrix.ts'
import { choiceOf, flagOf, numberOf, type Properties } from './values.ts'

export interface Placement {
  left: number
  top: number
  /** Degrees, clockwise. */
  angle: number
  scaleX: number
  scaleY: number
  flipX: boolean
  flipY: boolean
  skewX: number
  skewY: number
  originX: 'left' | 'center' | 'right'
  originY: 'top' | 'center' | 'bottom'
}

/** @throws Undrawable */
export function placementOf(parameters: Properties): Placement {
  const factor = { min: -1000, max: 1000 }
  const tilt = { min: -89, max: 89 }
  return {
    left: numberOf(parameters, 'left', 0),
    top: numberOf(parameters, 'top', 0),
    angle: numberOf(parameters, 'angle', 0),
    scaleX: numberOf(parameters, 'scaleX', 1, factor),
    scaleY: numberOf(parameters, 'scaleY', 1, factor),
    flipX: flagOf(parameters, 'flipX'),
    flipY: flagOf(parameters, 'flipY'),
    skewX: numberOf(parameters, 'skewX', 0, tilt),
    skewY: numberOf(parameters, 'skewY', 0, tilt),
    originX: choiceOf(parameters, 'originX', ['left', 'center', 'right'], 'center'),
    originY: choiceOf(parameters, 'originY', ['top', 'center', 'bottom'], 'center'),
  }
}

/** Around the center of an element. */
export interface Extent {
  width: number
  height: number
  /** Of a line whose width does not grow with the element. */
  uniform?: number
}

/** From the element's own space, whose origin is its center, to the stage. */
export function matrixFor(placement: Placement, size: Extent): Matrix {
  const { scaleX, scaleY, flipX, flipY, skewX, skewY, angle } = placement
  const tilt = (degrees: number) => Math.tan((degrees * Math.PI) / 180)
  let own = scale(flipX ? -scaleX : scaleX, flipY ? -scaleY : scaleY)
  if (skewX !== 0) own = multiply(own, [1, 0, tilt(skewX), 1, 0, 0])
  if (skewY !== 0) own = multiply(own, [1, tilt(skewY), 0, 1, 0, 0])
  const center = centerOf(placement, size, own)
  return multiply(translate(center.x, center.y), multiply(rotate(angle), own))
}

function centerOf(placement: Placement, { width, height, uniform = 0 }: Extent, own: Matrix): Point {
  const { left, top, originX, originY, angle } = placement
  const shift = (origin: string) =>
    origin === 'center' ? 0 : origin === 'left' || origin === 'top' ? 0.5 : -0.5
  const around = boundsOf(own, { x: -width / 2, y: -height / 2, width, height })
  const [x, y] = [shift(originX) * (around.width + uniform), shift(originY) * (around.height + uniform)]
  const [a, b, c, d] = rotate(angle)
  return { x: left + a * x + c * y, y: top + b * x + d * y }
}

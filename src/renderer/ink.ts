// Reads the colors and gradients of elements, which fabric.js 5 stores in `fill` and `stroke`, and turns them into paint once the size of
// the element is known. Ink is here what paints an element, not ink of a press.
import { clear } from './color.ts'
import type { Color, Gradient, Paint } from './marks.ts'
import { type Matrix, multiply, translate } from './matrix.ts'
import { Undrawable } from './refusal.ts'
import { colorIn, colorOf, numberOf, objectOf, type Properties, textOf } from './values.ts'

/** A gradient that is not placed yet: it is measured by the box of the element that it paints. */
export interface StoredGradient {
  kind: 'linear' | 'radial'
  /** x1, y1, x2, y2 of a line; x and y of the inner and of the outer circle, and the radius of the outer one. */
  coords: number[]
  stops: Gradient['stops']
  /** From the gradient's space to the box of the element, whose upper left corner is the origin. */
  matrix: Matrix
  /** Pixels by which it is moved. */
  offset: { x: number; y: number }
  /** Whether its space is the box with both sides 1 (gradientUnits: percentage), not pixels. */
  isShare: boolean
  /**
   * Whether half of the stroke's width moves it to the right and down. fabric 5.3 `_applyPatternForTransformedGradient` paints such
   * a gradient on a canvas of its own, which is wider than the box by the stroke and begins half of it further left.
   */
  isMovedByStroke: boolean
}

/** The fill or stroke of an element. */
export type Ink = Color | StoredGradient

/**
 * The ink in a stored property such as `fill`; undefined if nothing is painted.
 * @param fallback the color if the property is missing
 * @throws Undrawable for one that cannot be drawn
 */
export function inkOf(parameters: Properties, name: string, fallback?: Color): Ink | undefined {
  const stored = objectOf(parameters[name])
  return Array.isArray(stored.colorStops) ? gradientOf(stored, name) : colorOf(parameters, name, fallback)
}

function gradientOf(stored: Properties, name: string): StoredGradient {
  const kind = textOf(stored, 'type', 'linear')
  if (kind !== 'linear' && kind !== 'radial')
    throw new Undrawable('feature', `The property ${name} is an unknown gradient.`)
  const isShare = textOf(stored, 'gradientUnits', 'pixels') === 'percentage'
  const transform = Array.isArray(stored.gradientTransform) ? stored.gradientTransform : undefined
  if (transform && !(transform.length === 6 && transform.every(Number.isFinite)))
    throw new Undrawable('value', `The property ${name} has no sound gradientTransform.`)
  const stops = stopsOf(stored.colorStops, name)
  // Six finite numbers, as just checked.
  const matrix = transform as unknown as Matrix | undefined
  return {
    kind,
    ...(kind === 'linear'
      ? { coords: coordsOf(stored, ['x1', 'y1', 'x2', 'y2']), stops }
      : circles(stored, stops, name)),
    matrix: matrix ?? [1, 0, 0, 1, 0, 0],
    offset: { x: numberOf(stored, 'offsetX', 0), y: numberOf(stored, 'offsetY', 0) },
    isShare,
    isMovedByStroke: isShare || matrix !== undefined,
  }
}

const coordsOf = (stored: Properties, names: readonly string[]) =>
  names.map((name) => numberOf(objectOf(stored.coords), name, 0))

/**
 * Coordinates and stops of a radial gradient whose inner circle is a point. One that begins at a larger inner circle around the same
 * center gets its stops moved outwards.
 * @throws Undrawable for circles around different centers, and an inner one that is not smaller
 */
function circles(stored: Properties, stops: Gradient['stops'], name: string) {
  const names = ['x1', 'y1', 'x2', 'y2', 'r1', 'r2']
  const [x1 = 0, y1 = 0, x2 = 0, y2 = 0, inner = 0, outer = 0] = coordsOf(stored, names)
  if (inner > 0 && (x1 !== x2 || y1 !== y2 || inner >= outer))
    throw new Undrawable(
      'feature',
      `The property ${name} is a gradient between two circles, which cannot be drawn.`,
    )
  const firstOffset = outer > 0 ? inner / outer : 0
  return {
    coords: [x1, y1, x2, y2, outer],
    stops: stops.map(({ offset, color }) => ({ offset: firstOffset + offset * (1 - firstOffset), color })),
  }
}

/** The stored stops by rising offset; `opacity` is part of the color. */
function stopsOf(stored: unknown, name: string): Gradient['stops'] {
  const list = (Array.isArray(stored) ? stored : []).map(objectOf)
  if (list.length < 1 || list.length > 100)
    throw new Undrawable('value', `The property ${name} has no sound colorStops.`)
  const stops = list.map((stop) => {
    const color = colorIn(textOf(stop, 'color', 'black'), name) ?? clear
    const a = color.a * numberOf(stop, 'opacity', 1, { min: 0, max: 1 })
    return { offset: numberOf(stop, 'offset', 0, { min: 0, max: 1 }), color: { ...color, a } }
  })
  return stops.sort((a, b) => a.offset - b.offset)
}

/** The paint for an element of a size, in the element's space, whose origin is its center. @param strokeWidth of the element in pixels */
export function paintWith(
  ink: Ink,
  { width, height }: { width: number; height: number },
  strokeWidth: number,
): Paint {
  if (!('isShare' in ink)) return ink
  const { kind, coords, stops, isShare, isMovedByStroke, offset } = ink
  const shift = isMovedByStroke ? strokeWidth / 2 : 0
  const corner = translate(shift - width / 2 + offset.x, shift - height / 2 + offset.y)
  const box: Matrix = isShare ? [width, 0, 0, height, 0, 0] : [1, 0, 0, 1, 0, 0]
  return { kind, coords, stops, matrix: multiply(corner, multiply(box, ink.matrix)) }
}

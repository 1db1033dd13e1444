// What an element is painted with: a color, or a gradient as fabric.js 5 stores it, measured by the element's box.
import { clear } from './color.ts'
import type { Color, Gradient, Paint } from './marks.ts'
import { type Matrix, multiply, translate } from './matrix.ts'
import { Undrawable } from './refusal.ts'
import { colorIn, colorOf, numberOf, objectOf, type Properties, textOf } from './values.ts'

export interface StoredGradient {
  kind: 'linear' | 'radial'
  coords: number[]
  stops: Gradient['stops']
  /** From the gradient's space to the box, whose corner is the origin; in shares of the box, or in pixels. */
  matrix: Matrix
  offset: { x: number; y: number }
  isShare: boolean
  /** Painted by way of a picture that is wider by the stroke, and so half of it further. */
  isShifted: boolean
}

export type Ink = Color | StoredGradient

/** Undefined if nothing is painted. @throws Undrawable */
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
  return {
    kind,
    ...(kind === 'linear'
      ? { coords: coordsOf(stored, ['x1', 'y1', 'x2', 'y2']), stops }
      : circles(stored, stops, name)),
    matrix: (transform as unknown as Matrix | undefined) ?? [1, 0, 0, 1, 0, 0],
    offset: { x: numberOf(stored, 'offsetX', 0), y: numberOf(stored, 'offsetY', 0) },
    isShare,
    isShifted: isShare || transform !== undefined,
  }
}

const coordsOf = (stored: Properties, names: readonly string[]) =>
  names.map((name) => numberOf(objectOf(stored.coords), name, 0))

/** A gradient between two circles around one point begins at the inner one. */
function circles(stored: Properties, stops: Gradient['stops'], name: string) {
  const [x1 = 0, y1 = 0, x2 = 0, y2 = 0, inner = 0, outer = 0] = coordsOf(stored, [
    'x1',
    'y1',
    'x2',
    'y2',
    'r1',
    'r2',
  ])
  if (inner > 0 && (x1 !== x2 || y1 !== y2 || inner >= outer))
    throw new Undrawable(
      'feature',
      `The property ${name} is a gradient between two circles, which cannot be drawn.`,
    )
  const from = outer > 0 ? inner / outer : 0
  return {
    coords: [x1, y1, x2, y2, outer],
    stops: stops.map(({ offset, color }) => ({ offset: from + offset * (1 - from), color })),
  }
}

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

/** The ink on an element of this size, around whose center it is painted. */
export function paintWith(ink: Ink, width: number, height: number, strokeWidth: number): Paint {
  if (!('isShare' in ink)) return ink
  const { kind, coords, stops, isShare, isShifted, offset } = ink
  const shift = isShifted ? strokeWidth / 2 : 0
  const corner = translate(shift - width / 2 + offset.x, shift - height / 2 + offset.y)
  const box: Matrix = isShare ? [width, 0, 0, height, 0, 0] : [1, 0, 0, 1, 0, 0]
  return { kind, coords, stops, matrix: multiply(corner, multiply(box, ink.matrix)) }
}

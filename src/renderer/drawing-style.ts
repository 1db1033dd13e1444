// Reads how shapes of a drawing are painted, as fabric.js 5 does: inherited properties, lengths and transforms.
import { declaredValue, type Node, NotVectors } from './drawing-tree.ts'
import type { Stroke } from './marks.ts'
import { identity, type Matrix, multiply, rotate, scale, translate } from './matrix.ts'

/** The properties of an element with those that it inherits. Paints are texts, which drawing-paint.ts reads. */
export interface Style {
  fill: string
  fillOpacity: number
  fillRule: 'nonzero' | 'evenodd'
  stroke: string
  strokeOpacity: number
  strokeWidth: number
  cap: Stroke['cap']
  join: Stroke['join']
  miter: number
  dash: number[]
  dashOffset: number
  /** The product of the opacities of the element and of those around it. */
  opacity: number
  /** Whether neither the element nor one around it has `display: none`. */
  isDisplayed: boolean
  /** Whether `visibility` hides the element. fabric.js ignores that property, so drawing.ts refuses such a drawing. */
  isInvisible: boolean
}

/** The style that the root element inherits. */
export const initialStyle: Style = {
  fill: 'black',
  fillOpacity: 1,
  fillRule: 'nonzero',
  stroke: 'none',
  strokeOpacity: 1,
  strokeWidth: 1,
  cap: 'butt',
  join: 'miter',
  miter: 4,
  dash: [],
  dashOffset: 0,
  opacity: 1,
  isDisplayed: true,
  isInvisible: false,
}

/** Properties that are not drawn as vectors, with the values that have no effect. */
const notDrawn: Record<string, RegExp> = {
  filter: /^none$/,
  mask: /^none$/,
  'mix-blend-mode': /^normal$/,
  'paint-order': /^(normal|fill)/,
  'vector-effect': /^none$/,
  'marker-start': /^none$/,
  'marker-mid': /^none$/,
  'marker-end': /^none$/,
  marker: /^none$/,
}

/** The style of an element. @param outer that of the element around it @throws NotVectors for properties that are not drawn */
export function styleOf(node: Node, outer: Style): Style {
  const { attributes } = node
  for (const [name, harmless] of Object.entries(notDrawn)) {
    const value = attributes.get(name)?.trim()
    if (value !== undefined && !harmless.test(value)) throw new NotVectors(name)
  }
  const declared = (name: string) => declaredValue(node, name)
  /** A number or percentage from 0 to 1. */
  const amount = (name: string, inherited: number) => {
    const value = declared(name)
    if (value === undefined) return inherited
    const number = value.endsWith('%') ? Number.parseFloat(value) / 100 : Number.parseFloat(value)
    return Number.isFinite(number) ? Math.min(Math.max(number, 0), 1) : inherited
  }
  const [rule, dash] = [declared('fill-rule'), declared('stroke-dasharray')]
  const visibility = declared('visibility')
  return {
    fill: declared('fill') ?? outer.fill,
    fillOpacity: amount('fill-opacity', outer.fillOpacity),
    fillRule: rule === undefined ? outer.fillRule : rule === 'evenodd' ? 'evenodd' : 'nonzero',
    stroke: declared('stroke') ?? outer.stroke,
    strokeOpacity: amount('stroke-opacity', outer.strokeOpacity),
    strokeWidth: lengthOf(declared('stroke-width'), outer.strokeWidth),
    cap: caps.find((cap) => cap === declared('stroke-linecap')) ?? outer.cap,
    join: joins.find((join) => join === declared('stroke-linejoin')) ?? outer.join,
    miter: Number(declared('stroke-miterlimit') ?? outer.miter) || 4,
    dash: dash === undefined ? outer.dash : dash === 'none' ? [] : numbersIn(dash),
    dashOffset: lengthOf(declared('stroke-dashoffset'), outer.dashOffset),
    opacity: outer.opacity * amount('opacity', 1),
    isDisplayed: outer.isDisplayed && declared('display') !== 'none',
    isInvisible: visibility === undefined ? outer.isInvisible : /^(hidden|collapse)$/.test(visibility),
  }
}

const caps = ['butt', 'round', 'square'] as const
const joins = ['miter', 'round', 'bevel'] as const

/** All numbers in a text, whatever separates them. */
export const numbersIn = (text: string): number[] =>
  (text.match(/[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/g) ?? []).map(Number)

/** Pixels of each unit. */
const units: Record<string, number> = {
  '': 1,
  px: 1,
  pt: 4 / 3,
  pc: 16,
  in: 96,
  cm: 96 / 2.54,
  mm: 96 / 25.4,
  em: 16,
}

/** A length in pixels; the fallback for a missing or empty text. @throws NotVectors for percentages and anything else */
export function lengthOf(text: string | undefined, fallback = 0): number {
  const length = text?.trim() ?? ''
  if (length === '') return fallback
  const [, number, unit = ''] =
    /^([+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?)([a-z]*)$/i.exec(length) ?? []
  const factor = units[unit.toLowerCase()]
  if (number === undefined || factor === undefined) throw new NotVectors('length')
  return Number(number) * factor
}

const call = /(matrix|translate|scale|rotate|skewX|skewY)\s*\(([^()]*)\)/g

/** The matrix of a `transform` attribute (CSS Transforms 1 §8); the identity for a missing one. @throws NotVectors */
export function transformOf(text: string | undefined): Matrix {
  if (text === undefined) return identity
  if (text.replaceAll(call, '').replaceAll(/[\s,]/g, '') !== '') throw new NotVectors('transform')
  const matrix = [...text.matchAll(call)].reduce(
    (product, [, name, parameters = '']) => multiply(product, matrixOf(name, numbersIn(parameters))),
    identity,
  )
  if (!matrix.every(Number.isFinite)) throw new NotVectors('transform')
  return matrix
}

/** The matrix of one transform function. */
function matrixOf(name: string | undefined, [a = 0, b, c, d = 1, e = 0, f = 0]: readonly number[]): Matrix {
  const tilt = Math.tan((a * Math.PI) / 180)
  if (name === 'translate') return translate(a, b ?? 0)
  if (name === 'scale') return scale(a, b ?? a)
  if (name === 'skewX') return [1, 0, tilt, 1, 0, 0]
  if (name === 'skewY') return [1, tilt, 0, 1, 0, 0]
  if (name === 'rotate')
    return multiply(translate(b ?? 0, c ?? 0), multiply(rotate(a), translate(-(b ?? 0), -(c ?? 0))))
  return [a, b ?? 0, c ?? 0, d, e, f]
}

// Reads the filters of a picture, which designs store by name, as matrices, or as objects of fabric.js.
import { black, white } from './color.ts'
import type { Color } from './marks.ts'
import { quoted, Undrawable } from './refusal.ts'
import { choiceOf, colorOf, flagOf, isSet, numberOf, objectOf, type Properties, textOf } from './values.ts'

/** A filter with its defaults resolved; filter-steps.ts applies it. Amounts have the ranges of fabric.js. */
export type PictureFilter =
  | { kind: 'grayscale'; mode: 'average' | 'lightness' | 'luminosity' }
  | { kind: 'removecolor'; color: Color; distance: number }
  | { kind: 'matrix'; matrix: readonly number[]; withAlpha?: true }
  | { kind: 'convolute'; matrix: readonly number[]; isOpaque: boolean }
  | { kind: 'noise'; amount: number }
  | { kind: 'brightness'; amount: number }
  | { kind: 'contrast'; amount: number }
  | { kind: 'saturation'; amount: number }
  | { kind: 'vibrance'; amount: number }
  | { kind: 'blur'; amount: number }
  | { kind: 'gamma'; gamma: readonly number[] }
  | { kind: 'invert' }
  | { kind: 'blend'; color: Color; alpha: number; mode: BlendMode }
  | { kind: 'pixelate'; size: number }

const blendModes = [
  'multiply',
  'screen',
  'add',
  'diff',
  'difference',
  'subtract',
  'darken',
  'lighten',
  'overlay',
  'exclusion',
  'tint',
] as const
/** A blend mode of the filter BlendColor. */
export type BlendMode = (typeof blendModes)[number]

/**
 * The filters in the order in which they are applied: of fabric's `filters` if the design stores them, else of the designer's `filter`.
 * @throws Undrawable for an unknown filter, or an invalid value of one
 */
export function filtersOf(parameters: Properties): PictureFilter[] {
  const { filter, filters } = parameters
  if (isSet(parameters, 'filters')) {
    if (!Array.isArray(filters)) throw new Undrawable('feature', 'The property filters cannot be drawn.')
    return filters.flatMap((stored) => (stored === null ? [] : [filterOf(stored)]))
  }
  if (!isSet(parameters, 'filter')) return []
  const isList = Array.isArray(filter) && !filter.every((item) => typeof item === 'number')
  return isList ? filter.map(filterOf) : [filterOf(filter)]
}

/** One filter: stored by its name, as a matrix of 20 numbers, or as an object with its type and values. */
function filterOf(stored: unknown): PictureFilter {
  if (Array.isArray(stored)) return matrixOf(stored)
  const properties = typeof stored === 'string' ? { type: stored } : objectOf(stored)
  const name = textOf(properties, 'type', '')
    .toLowerCase()
    .replaceAll(/[\s_-]/g, '')
  const matrix = matrices.get(name)
  if (matrix) return { kind: 'matrix', matrix }
  if (name === 'grayscale') return { kind: name, mode: choiceOf(properties, 'mode', grayModes, 'average') }
  if (name === 'removewhite' || name === 'removecolor') {
    const color = colorOf(properties, 'color', white) ?? white
    return {
      kind: 'removecolor',
      color,
      distance: numberOf(properties, 'distance', 0.02, { min: 0, max: 1 }),
    }
  }
  if (name === 'noise')
    return { kind: name, amount: numberOf(properties, 'noise', numberOf(properties, 'value', 100)) }
  const kernel = kernels.get(name) ?? (name === 'convolute' ? properties.matrix : undefined)
  if (kernel !== undefined)
    return { kind: 'convolute', ...kernelOf(kernel), isOpaque: flagOf(properties, 'opaque') }
  // fabric draws its result in the same size: a filter that changes nothing takes its place.
  if (name === 'resize') return { kind: 'brightness', amount: 0 }
  if (name === 'invert') return { kind: name }
  if (name === 'blur')
    return {
      kind: name,
      amount: numberOf(properties, 'blur', numberOf(properties, 'value', 0), { min: 0, max: 1 }),
    }
  if (name === 'pixelate')
    return { kind: name, size: Math.round(numberOf(properties, 'blocksize', 4, { min: 1, max: 10_000 })) }
  if (name === 'huerotation')
    return { kind: 'matrix', matrix: turnedHue(numberOf(properties, 'rotation', 0, { min: -10, max: 10 })) }
  if (name === 'blendcolor') {
    const color = colorOf(properties, 'color', black) ?? black
    const alpha = numberOf(properties, 'alpha', 1, { min: 0, max: 1 })
    return { kind: 'blend', color, alpha, mode: choiceOf(properties, 'mode', blendModes, 'multiply') }
  }
  if (name === 'gamma') {
    const gamma = Array.isArray(properties.gamma) ? properties.gamma : []
    if (gamma.length === 3 && gamma.every((item) => typeof item === 'number' && item > 0 && item <= 10))
      return { kind: name, gamma }
    throw new Undrawable('value', 'A gamma filter must hold three numbers.')
  }
  if (name === 'brightness' || name === 'contrast' || name === 'saturation' || name === 'vibrance') {
    const amount = numberOf(properties, name, undefined, { min: -1, max: 1 })
    return { kind: name, amount: amount ?? numberOf(properties, 'value', 0, { min: -1, max: 1 }) }
  }
  if (name === 'colormatrix' && Array.isArray(properties.matrix))
    return { ...matrixOf(properties.matrix), ...(properties.colorsOnly === false && { withAlpha: true }) }
  throw new Undrawable('feature', `The filter ${quoted(name)} cannot be drawn.`)
}

const grayModes = ['average', 'lightness', 'luminosity'] as const

const kernels = new Map([
  ['sharpen', [0, -1, 0, -1, 5, -1, 0, -1, 0]],
  ['emboss', [1, 1, 1, 1, 0.7, -1, -1, -1, -1]],
])

/** The weights of a convolution: a square with a side of 3, 5, 7 or 9, as in fabric.js. @throws Undrawable for others */
function kernelOf(stored: unknown): { matrix: readonly number[] } {
  const matrix = Array.isArray(stored) ? stored : []
  const areNumbers = matrix.every((item) => typeof item === 'number' && Math.abs(item) < 1000)
  if (!areNumbers || ![9, 25, 49, 81].includes(matrix.length))
    throw new Undrawable('value', 'The matrix of a filter must hold 9, 25, 49 or 81 numbers.')
  return { matrix }
}

/** A color matrix: 4 rows (red, green, blue, alpha) of 5 numbers (factors of the channels, and an offset from 0 to 1). */
function matrixOf(numbers: readonly unknown[]): Extract<PictureFilter, { kind: 'matrix' }> {
  const areValid =
    numbers.length === 20 && numbers.every((item) => typeof item === 'number' && Math.abs(item) < 1000)
  if (!areValid) throw new Undrawable('value', 'A filter matrix must hold 20 numbers.')
  return { kind: 'matrix', matrix: numbers as number[] }
}

/** The matrix that turns hues around the gray axis (fabric 5.3 `HueRotation`). @param turn half turns of the circle of hues */
function turnedHue(turn: number): number[] {
  const [sin, cos] = [Math.sin(turn * Math.PI), Math.cos(turn * Math.PI)]
  const [third, sine] = [(1 - cos) / 3, Math.sqrt(1 / 3) * sin]
  const [same, next, previous] = [cos + third, third - sine, third + sine]
  return withAlpha([
    [same, next, previous, 0, 0],
    [previous, same, next, 0, 0],
    [next, previous, same, 0, 0],
  ])
}

const bw = [1.5, 1.5, 1.5, 0, -1]
const sepia = [
  [0.393, 0.769, 0.189, 0, 0],
  [0.349, 0.686, 0.168, 0, 0],
  [0.272, 0.534, 0.131, 0, 0],
]
/** The color matrices of fabric.js 5 (MIT) by the names of the filters: the rows of red, green and blue; the alpha stays. */
const colorMatrices = {
  sepia,
  // A filter of older versions of fabric.js.
  sepia2: [1.351, 1.203, 2.14].map((divisor, row) => (sepia[row] ?? []).map((value) => value / divisor)),
  blackwhite: [bw, bw, bw],
  vintage: [
    [0.62793, 0.32021, -0.03965, 0, 0.03784],
    [0.02578, 0.64411, 0.03259, 0, 0.02926],
    [0.0466, -0.08512, 0.52416, 0, 0.02023],
  ],
  brownie: [
    [0.5997, 0.34553, -0.27082, 0, 0.186],
    [-0.0377, 0.86095, 0.15059, 0, -0.1449],
    [0.24113, -0.07441, 0.44972, 0, -0.02965],
  ],
  polaroid: [
    [1.438, -0.062, -0.062, 0, 0],
    [-0.122, 1.378, -0.122, 0, 0],
    [-0.016, -0.016, 1.483, 0, 0],
  ],
  kodachrome: [
    [1.12855, -0.39673, -0.03992, 0, 0.24991],
    [-0.16404, 1.08352, -0.05498, 0, 0.09698],
    [-0.16786, -0.56034, 1.60148, 0, 0.13972],
  ],
  technicolor: [
    [1.91252, -0.85453, -0.09155, 0, 0.04624],
    [-0.30878, 1.76589, -0.10601, 0, -0.27589],
    [-0.2311, -0.75018, 1.84759, 0, 0.12137],
  ],
}

const matrices = new Map(Object.entries(colorMatrices).map(([name, rows]) => [name, withAlpha(rows)]))

/** A matrix of 20 numbers from three rows, with a fourth that leaves the alpha unchanged. */
function withAlpha(rows: readonly (readonly number[])[]): number[] {
  return [...rows.flat(), 0, 0, 0, 1, 0]
}

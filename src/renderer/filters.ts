// The filters of a picture, as stored in designs.
import { shown, Undrawable } from './refusal.ts'
import { isSet, numberOf, objectOf, type Properties, textOf } from './values.ts'

export type PictureFilter =
  | { kind: 'grayscale' }
  | { kind: 'removewhite' }
  | { kind: 'matrix'; matrix: readonly number[] }
  | { kind: 'brightness'; amount: number }
  | { kind: 'contrast'; amount: number }
  | { kind: 'saturation'; amount: number }
  | { kind: 'vibrance'; amount: number }
  | { kind: 'blur'; amount: number }
  | { kind: 'gamma'; gamma: readonly number[] }
  | { kind: 'invert' }

/** @throws Undrawable for an unknown filter */
export function filtersOf(given: Properties): PictureFilter[] {
  const { filter, filters } = given
  if (isSet(given, 'filters')) {
    if (!Array.isArray(filters)) throw new Undrawable('feature', 'The property filters cannot be drawn.')
    return filters.flatMap((each) => (each === null ? [] : [filterOf(each)]))
  }
  return isSet(given, 'filter') ? [filterOf(filter)] : []
}

/** By name, as an array of 20 numbers, or as an object with type and amount. */
function filterOf(given: unknown): PictureFilter {
  if (Array.isArray(given)) return matrixOf(given)
  const properties = typeof given === 'string' ? { type: given } : objectOf(given)
  const name = textOf(properties, 'type', '')
    .toLowerCase()
    .replaceAll(/[\s_-]/g, '')
  const known = matrices[name]
  if (known) return { kind: 'matrix', matrix: known }
  if (name === 'grayscale' || name === 'removewhite') return { kind: name }
  if (name === 'invert') return { kind: name }
  if (name === 'blur')
    return {
      kind: name,
      amount: numberOf(properties, 'blur', numberOf(properties, 'value', 0), { min: 0, max: 1 }),
    }
  if (name === 'gamma') {
    const gamma = Array.isArray(properties.gamma) ? properties.gamma : []
    if (gamma.length === 3 && gamma.every((each) => typeof each === 'number' && each > 0 && each <= 10))
      return { kind: name, gamma }
    throw new Undrawable('value', 'A gamma filter must hold three numbers.')
  }
  if (name === 'brightness' || name === 'contrast' || name === 'saturation' || name === 'vibrance') {
    const amount = numberOf(properties, name, undefined, { min: -1, max: 1 })
    return { kind: name, amount: amount ?? numberOf(properties, 'value', 0, { min: -1, max: 1 }) }
  }
  if (name === 'colormatrix' && Array.isArray(properties.matrix)) return matrixOf(properties.matrix)
  throw new Undrawable('feature', `The filter ${shown(name)} cannot be drawn.`)
}

function matrixOf(numbers: readonly unknown[]): PictureFilter {
  const isSound =
    numbers.length === 20 && numbers.every((each) => typeof each === 'number' && Math.abs(each) < 1000)
  if (!isSound) throw new Undrawable('value', 'A filter matrix must hold 20 numbers.')
  return { kind: 'matrix', matrix: numbers as number[] }
}

const rest = [0, 0, 0, 1, 0]
const bw = [1.5, 1.5, 1.5, 0, -1]
/** Of fabric.js 5 (MIT). */
const matrices: Record<string, readonly number[]> = Object.assign(Object.create(null), {
  sepia: [0.393, 0.769, 0.189, 0, 0, 0.349, 0.686, 0.168, 0, 0, 0.272, 0.534, 0.131, 0, 0, ...rest],
  blackwhite: [...bw, ...bw, ...bw, ...rest],
  vintage: [
    0.62793,
    0.32021,
    -0.03965,
    0,
    0.03784,
    0.02578,
    0.64411,
    0.03259,
    0,
    0.02926,
    0.0466,
    -0.08512,
    0.52416,
    0,
    0.02023,
    ...rest,
  ],
  kodachrome: [
    1.12855,
    -0.39673,
    -0.03992,
    0,
    0.24991,
    -0.16404,
    1.08352,
    -0.05498,
    0,
    0.09698,
    -0.16786,
    -0.56034,
    1.60148,
    0,
    0.13972,
    ...rest,
  ],
  technicolor: [
    1.91252,
    -0.85453,
    -0.09155,
    0,
    0.04624,
    -0.30878,
    1.76589,
    -0.10601,
    0,
    -0.27589,
    -0.2311,
    -0.75018,
    1.84759,
    0,
    0.12137,
    ...rest,
  ],
})

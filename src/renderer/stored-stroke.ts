// The stroke of an element, or of a single character, as it is stored.
import { type Ink, inkOf } from './ink.ts'
import type { Stroke } from './marks.ts'
import { Undrawable } from './refusal.ts'
import { choiceOf, flagOf, isSet, numberOf, type Properties } from './values.ts'

export interface Outlined extends Omit<Stroke, 'paint'> {
  ink: Ink
  /** Of the same width however the element is scaled. */
  isUniform: boolean
}

export const strokeWidthOf = (given: Properties): number =>
  numberOf(given, 'strokeWidth', 0, { min: 0, max: 10_000 })

/** Undefined if nothing is painted. @throws Undrawable */
export function strokeOf(given: Properties): Outlined | undefined {
  const width = strokeWidthOf(given)
  const ink = width > 0 ? inkOf(given, 'stroke') : undefined
  if (!ink) return undefined
  const dash = dashOf(given)
  return {
    ink,
    width,
    cap: choiceOf(given, 'strokeLineCap', ['butt', 'round', 'square'], 'butt'),
    join: choiceOf(given, 'strokeLineJoin', ['miter', 'round', 'bevel'], 'miter'),
    miter: numberOf(given, 'strokeMiterLimit', 4, { min: 1, max: 1000 }),
    dash: dash.some((each) => each > 0) ? dash : [],
    dashOffset: numberOf(given, 'strokeDashOffset', 0),
    isUniform: flagOf(given, 'strokeUniform'),
  }
}

function dashOf(given: Properties): number[] {
  const stored = isSet(given, 'strokeDashArray') ? given.strokeDashArray : []
  const dash = Array.isArray(stored)
    ? stored.map((each) => (typeof each === 'string' && each.trim() !== '' ? Number(each) : each))
    : [undefined]
  if (!dash.every((each) => typeof each === 'number' && each >= 0 && each < 1e5))
    throw new Undrawable('value', 'The property strokeDashArray is not a list of lengths.')
  return dash
}

// Reads single stored properties: untrusted values, each with its default and bounds.
import { parseColor } from './color.ts'
import type { Color } from './marks.ts'
import { shown, Undrawable } from './refusal.ts'

export type Properties = Readonly<Record<string, unknown>>

export const objectOf = (value: unknown): Properties =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Properties) : {}

/** The stored property; undefined if it has no value. */
function ownProperty(properties: Properties, name: string): unknown {
  const value = Object.hasOwn(properties, name) ? properties[name] : undefined
  return value === null || value === '' ? undefined : value
}

/**
 * A finite number within bounds; shops store numbers as strings, too.
 * @throws Undrawable
 */
export function numberOf<T extends number | undefined>(
  properties: Properties,
  name: string,
  fallback: T,
  { min = -1e5, max = 1e5 }: { min?: number; max?: number } = {},
): number | T {
  const value = ownProperty(properties, name)
  if (value === undefined || value === false) return fallback
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  if (typeof number !== 'number' || !Number.isFinite(number)) {
    throw new Undrawable('value', `The property ${name} is not a finite number.`)
  }
  if (number < min || number > max) {
    throw new Undrawable(
      'value',
      `The property ${name} is ${number}, which is not between ${min} and ${max}.`,
    )
  }
  return number
}

/** A flag as PHP or JavaScript stores it. */
export function flagOf(properties: Properties, name: string): boolean {
  const value = ownProperty(properties, name)
  return value === true || value === 1 || value === '1' || value === 'yes' || value === 'true'
}

/** @throws Undrawable if it is not a string */
export function textOf(properties: Properties, name: string, fallback: string): string {
  const value = ownProperty(properties, name)
  if (value === undefined || value === false) return fallback
  if (typeof value === 'number') return String(value)
  if (typeof value !== 'string') throw new Undrawable('value', `The property ${name} is not a string.`)
  return value
}

/** @throws Undrawable if it is not one of the choices */
export function choiceOf<T extends string>(
  properties: Properties,
  name: string,
  choices: readonly T[],
  fallback: T,
): T {
  const text = textOf(properties, name, fallback)
  const found = choices.find((choice) => choice === text)
  if (found === undefined)
    throw new Undrawable('feature', `The property ${name} is ${shown(text)}, which cannot be drawn.`)
  return found
}

/** Undefined if nothing is painted. @throws Undrawable for anything that is not a plain color */
export function colorOf(properties: Properties, name: string, fallback?: Color): Color | undefined {
  const value = ownProperty(properties, name)
  if (value === undefined)
    return Object.hasOwn(properties, name) && properties[name] === '' ? undefined : fallback
  if (value === false) return undefined
  if (typeof value !== 'string') throw new Undrawable('feature', `The property ${name} is not a plain color.`)
  return colorIn(value, name)
}

/** @throws Undrawable */
export function colorIn(text: string, name: string): Color | undefined {
  const color = parseColor(text)
  if (color === undefined)
    throw new Undrawable('value', `The property ${name} is ${shown(text)}, which is not a color.`)
  return color === 'none' ? undefined : color
}

/** Whether a property has a visible effect. */
export function isSet(properties: Properties, name: string): boolean {
  const value = ownProperty(properties, name)
  if (value === undefined || value === false || value === 0 || value === 'none') return false
  if (Array.isArray(value)) return value.length > 0
  return typeof value !== 'object' || Object.keys(objectOf(value)).length > 0
}

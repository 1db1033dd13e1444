// Reads single stored properties of designs: untrusted values, each with a default and bounds.
import { parseColor } from './color.ts'
import type { Color } from './marks.ts'
import { quoted, Undrawable } from './refusal.ts'

/** Stored properties by name. */
export type Properties = Readonly<Record<string, unknown>>

/** The value if it is an object and not a list, else an empty object. */
export const objectOf = (value: unknown): Properties =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Properties) : {}

/** The stored property; undefined if it is missing, null or empty. */
function storedValue(properties: Properties, name: string): unknown {
  const value = Object.hasOwn(properties, name) ? properties[name] : undefined
  return value === null || value === '' ? undefined : value
}

/**
 * A finite number within bounds; the fallback if the property is missing or false. Shops store numbers as strings, too.
 * @param bounds.parent name of the object in messages, such as `output`
 * @throws Undrawable for any other value
 */
export function numberOf<T extends number | undefined>(
  properties: Properties,
  name: string,
  fallback: T,
  { min = -1e5, max = 1e5, parent }: { min?: number; max?: number; parent?: string } = {},
): number | T {
  const value = storedValue(properties, name)
  if (value === undefined || value === false) return fallback
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  const path = parent === undefined ? name : `${parent}.${name}`
  if (typeof number !== 'number' || !Number.isFinite(number)) {
    throw new Undrawable('value', `The property ${path} is not a finite number.`)
  }
  if (number < min || number > max) {
    throw new Undrawable(
      'value',
      `The property ${path} is ${number}, which is not between ${min} and ${max}.`,
    )
  }
  return number
}

/** A flag as PHP or JavaScript stores it; false for any other value. */
export function flagOf(properties: Properties, name: string): boolean {
  const value = storedValue(properties, name)
  return value === true || value === 1 || value === '1' || value === 'yes' || value === 'true'
}

/** A text or a number as text; the fallback if the property is missing or false. @throws Undrawable for any other value */
export function textOf(properties: Properties, name: string, fallback: string): string {
  const value = storedValue(properties, name)
  if (value === undefined || value === false) return fallback
  if (typeof value === 'number') return String(value)
  if (typeof value !== 'string') throw new Undrawable('value', `The property ${name} is not a string.`)
  return value
}

/** One of the choices; the fallback if the property is missing. @throws Undrawable for any other value */
export function choiceOf<T extends string>(
  properties: Properties,
  name: string,
  choices: readonly T[],
  fallback: T,
): T {
  const text = textOf(properties, name, fallback)
  const choice = choices.find((candidate) => candidate === text)
  if (choice === undefined)
    throw new Undrawable('feature', `The property ${name} is ${quoted(text)}, which cannot be drawn.`)
  return choice
}

/** A color; undefined if nothing is painted; the fallback if the property is missing. @throws Undrawable for anything else */
export function colorOf(properties: Properties, name: string, fallback?: Color): Color | undefined {
  const value = storedValue(properties, name)
  if (value === undefined)
    return Object.hasOwn(properties, name) && properties[name] === '' ? undefined : fallback
  if (value === false) return undefined
  if (typeof value !== 'string') throw new Undrawable('feature', `The property ${name} is not a plain color.`)
  return colorIn(value, name)
}

/** The color of a text; undefined for `none` and transparent. @param name of the property, for the message @throws Undrawable for no color */
export function colorIn(text: string, name: string): Color | undefined {
  const color = parseColor(text)
  if (color === undefined)
    throw new Undrawable('value', `The property ${name} is ${quoted(text)}, which is not a color.`)
  return color === 'none' ? undefined : color
}

/** Whether a property has a value other than null, false, 0, `none`, and an empty text, list or object. */
export function isSet(properties: Properties, name: string): boolean {
  const value = storedValue(properties, name)
  if (value === undefined || value === false || value === 0 || value === 'none') return false
  if (Array.isArray(value)) return value.length > 0
  return typeof value !== 'object' || Object.keys(objectOf(value)).length > 0
}

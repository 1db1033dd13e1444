// Works on parsed JSON: merge patches (RFC 7396), comparisons, and the check for lone surrogates.
import { fromJson, isRawNumber, numberOf } from './parse.ts'

/** False if a string or name contains a lone surrogate: PHP cannot read such JSON at all. */
export function isWellFormed(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed()
  if (typeof value !== 'object' || value === null) return true
  if (Array.isArray(value)) return value.every(isWellFormed)
  return Object.keys(value).every((name) => name.isWellFormed() && isWellFormed(Reflect.get(value, name)))
}

type JsonObject = Record<string, unknown>

/** Whether parsed JSON is an object: no array, no null, no raw number of `parseExact`. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isRawNumber(value)
}

/** The target with a JSON merge patch applied (RFC 7396 §2): objects merge, null removes a property, anything else replaces. Changes neither. */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch
  const merged: JsonObject = isObject(target) ? { ...target } : {}
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete merged[name]
    else merged[name] = mergePatch(Object.hasOwn(merged, name) ? merged[name] : undefined, value)
  }
  return merged
}

/**
 * Whether a value and a JSON text are equal, with properties in the same order. Compares numbers as doubles, because a
 * client may send back fewer digits than are stored.
 */
export const sameJson = (value: unknown, text: string): boolean => sameValue(value, fromJson(text))

/** Whether a value and a JSON text are equal, with properties in any order. Compares numbers as doubles. */
export const sameJsonInAnyOrder = (value: unknown, text: string): boolean =>
  sameValue(value, fromJson(text), { isOrdered: false })

/**
 * Whether two parsed values are equal; numbers are compared as doubles. It ends at the first difference, so that comparing a
 * small value with a large one is cheap. A list `a` equals an object `b` with the names "0", "1", …, because PHP writes both as
 * the same array.
 * @param options.isOrdered whether properties in another order are a difference
 */
export function sameValue(a: unknown, b: unknown, options = { isOrdered: true }): boolean {
  const number = numberOf(a)
  if (number !== undefined) return number === numberOf(b)
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b
  if (isRawNumber(b)) return false
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((item, index) => sameValue(item, b[index], options))
  if (Array.isArray(b)) return false
  const names = Object.keys(b)
  if (Array.isArray(a) && !names.every((name, index) => name === String(index))) return false
  const hasName = (name: string, index: number) =>
    options.isOrdered ? name === names[index] : Object.hasOwn(b, name)
  return (
    Object.keys(a).length === names.length &&
    Object.keys(a).every(
      (name, index) => hasName(name, index) && sameValue(Reflect.get(a, name), Reflect.get(b, name), options),
    )
  )
}

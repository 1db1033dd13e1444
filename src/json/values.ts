// What is done with parsed JSON: merge patches, which keep properties that they do not name, and comparisons.
import { isRawNumber, numberOf } from './exact.ts'
import { fromJson } from './parse.ts'

/** False if a string or name contains a lone surrogate: PHP cannot read such JSON at all. */
export function isWellFormed(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed()
  if (typeof value !== 'object' || value === null) return true
  if (Array.isArray(value)) return value.every(isWellFormed)
  return Object.keys(value).every((name) => name.isWellFormed() && isWellFormed(Reflect.get(value, name)))
}

type JsonObject = Record<string, unknown>

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isRawNumber(value)
}

/** JSON merge patch (RFC 7396): objects merge, null removes a property, anything else replaces. */
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

/** The same with properties in any order. */
export const equalJson = (value: unknown, text: string): boolean => sameValue(value, fromJson(text), false)

/**
 * The same for two values. It ends at the first difference, so that comparing a small value with a large one is cheap. A
 * list equals an object `b` with the names "0", "1", …, because PHP writes both as the same array.
 */
export function sameValue(a: unknown, b: unknown, isOrdered = true): boolean {
  const number = numberOf(a)
  if (number !== undefined) return number === numberOf(b)
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b
  if (isRawNumber(b)) return false
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((item, at) => sameValue(item, b[at], isOrdered))
  const names = Object.keys(b)
  if (!Array.isArray(a) && Array.isArray(b)) return false
  if (Array.isArray(a) && !Array.isArray(b) && !names.every((name, at) => name === String(at))) return false
  return (
    Object.keys(a).length === names.length &&
    Object.keys(a).every(
      (name, at) =>
        (isOrdered ? name === names[at] : Object.hasOwn(b, name)) &&
        sameValue(Reflect.get(a, name), Reflect.get(b, name), isOrdered),
    )
  )
}

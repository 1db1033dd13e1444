// PHP has one kind of array: json_decode(…, true) and json_encode turn an empty object into [], and an object with the names
// "0", "1", … into a list. What is stored says which of the two a value was.
import { isObject } from './values.ts'

/**
 * The value with the objects that are stored at the same places. Changes arrays and objects within it.
 * @param stored the parsed value that a client may have read
 */
export function asStored(sent: unknown, stored: unknown): unknown {
  if (Array.isArray(sent)) {
    if (isObject(stored) && isList(Object.keys(stored), sent.length))
      return asStored(Object.fromEntries(sent.entries()), stored)
    if (Array.isArray(stored)) for (const at of sent.keys()) sent[at] = asStored(sent[at], stored[at])
    return sent
  }
  if (!isObject(sent)) return sent
  if (isObject(stored))
    for (const name of Object.keys(sent))
      if (Object.hasOwn(stored, name)) sent[name] = asStored(sent[name], stored[name])
  return sent
}

/** Whether these are the names that PHP gives to the items of a list of this length. */
const isList = (names: readonly string[], length: number): boolean =>
  names.length === length && names.every((name, at) => name === String(at))

/** Whether the value contains what PHP may have turned from an object into an array: an array inside, or an empty value. */
export function mayLackObjects(value: unknown): boolean {
  const rest = [value]
  for (let item = rest.pop(); item !== undefined; item = rest.pop()) {
    if (typeof item !== 'object' || item === null) continue
    const parts = Object.values(item)
    if (parts.length === 0 || (Array.isArray(item) && item !== value)) return true
    for (const part of parts) if (typeof part === 'object' && part !== null) rest.push(part)
  }
  return false
}

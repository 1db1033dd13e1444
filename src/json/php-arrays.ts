// Restores objects that PHP turned into arrays. PHP has one kind of array: json_decode(…, true) and json_encode turn an empty
// object into [], and an object with the names "0", "1", … into a list. The stored value tells which of the two it was.
import { isObject } from './values.ts'

/**
 * Returns the value of a PHP client with an object for each list that is an object at the same place of the stored value.
 * Changes arrays and objects inside of `sent`.
 * @param stored the parsed value that the client read before
 */
export function asStored(sent: unknown, stored: unknown): unknown {
  if (Array.isArray(sent)) {
    if (isObject(stored) && isList(Object.keys(stored), sent.length))
      return asStored(Object.fromEntries(sent.entries()), stored)
    if (Array.isArray(stored))
      for (const index of sent.keys()) sent[index] = asStored(sent[index], stored[index])
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
  names.length === length && names.every((name, index) => name === String(index))

/**
 * Whether PHP may have turned an object in the value into an array: it contains an array, or anything empty. If not, `asStored`
 * would change nothing, and the caller need not read the stored value.
 */
export function mayLackObjects(value: unknown): boolean {
  const pending = [value]
  for (let item = pending.pop(); item !== undefined; item = pending.pop()) {
    if (typeof item !== 'object' || item === null) continue
    const parts = Object.values(item)
    if (parts.length === 0 || (Array.isArray(item) && item !== value)) return true
    for (const part of parts) if (typeof part === 'object' && part !== null) pending.push(part)
  }
  return false
}

// Merges a patch into stored options, unless they cannot be read or would not change.
import { unmergeableValue } from '../errors.ts'
import { isObject, mergePatch, parseExact, sameValue } from '../json.ts'
import { JsonText, type JsonTextParts, jsonForThread } from '../json-text.ts'
import { largeFrom, offThread } from '../off-thread/off-thread.ts'

interface Place {
  table: string
  row: number
  column: string
}

/**
 * The stored options of a row after a merge patch; undefined if the patch equals the stored value, so that a value
 * with nulls, which would remove properties, can be sent back as it was read. Large values are merged off the main thread.
 * @param json the stored value; null if it cannot be read
 * @throws SvcError 409 if the stored value cannot be read or is not an object: a merge would silently replace it
 */
export async function mergedOptions(
  table: string,
  row: number,
  json: string | null,
  patch: unknown,
): Promise<unknown> {
  const place = { table, row, column: 'options' }
  if (json === null) throw unmergeableValue(place)
  if (json.length < largeFrom && !(patch instanceof JsonText)) return merged(json, patch, place)
  const parts = await offThread<JsonTextParts | undefined>(
    import.meta.url,
    'mergedJson',
    json,
    jsonForThread(patch),
    place,
  )
  return parts && new JsonText(parts)
}

/** Runs on the other thread. */
export function mergedJson(json: string, patch: string, place: Place): JsonTextParts | undefined {
  const value = merged(json, parseExact(patch), place)
  return value === undefined ? undefined : JsonText.parts(JSON.stringify(value))
}

function merged(json: string, patch: unknown, place: Place): unknown {
  const current = parseExact(json)
  if (sameValue(patch, current)) return undefined
  // PHP encodes an object without properties as an empty array.
  const isEmpty = current === null || (Array.isArray(current) && current.length === 0)
  if (!isObject(current) && !isEmpty) throw unmergeableValue(place)
  return mergePatch(current, patch)
}

// Merges a patch into stored options, unless they cannot be read or would not change.
import { unmergeableValue } from '../errors.ts'
import { parseExact } from '../json/exact.ts'
import { isObject, mergePatch, sameValue } from '../json/values.ts'
import { JsonText, type JsonTextParts, type StoredJson } from '../json-text.ts'
import { compacted, JsonArgument, type JsonBytes, partsOf } from '../large-json/bytes.ts'
import { mergedJson as mergedBytes } from '../large-json/merge.ts'
import { withoutReplaced } from '../large-json/replaced.ts'
import { isSameValue } from '../large-json/same.ts'
import { isObjectText, textOf } from '../large-json/scan.ts'
import { isLarge, offThread } from '../off-thread/off-thread.ts'

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
  json: StoredJson | null,
  patch: unknown,
): Promise<unknown> {
  const place = { table, row, column: 'options' }
  if (json === null) throw unmergeableValue(place)
  if (typeof json === 'string' && !isLarge(json) && !(patch instanceof JsonText))
    return merged(json, patch, place)
  const parts = await offThread<JsonTextParts | undefined>(
    import.meta.url,
    'mergedJson',
    new JsonArgument(json),
    JsonArgument.ofValue(patch),
    place,
  )
  return parts && new JsonText(parts)
}

/** Runs on the other thread. */
export function mergedJson(stored: JsonBytes, patch: JsonBytes, place: Place): JsonTextParts | undefined {
  const current = compacted(withoutReplaced(stored.json, patch.json))
  if (isSameValue(patch.json, current, true)) return undefined
  if (!isObjectText(current) && !['null', '[]'].includes(textOf(current.subarray(0, 5))))
    throw unmergeableValue(place)
  return partsOf(mergedBytes(current, patch.json))
}

function merged(json: string, patch: unknown, place: Place): unknown {
  const current = parseExact(json)
  if (sameValue(patch, current)) return undefined
  // PHP encodes an object without properties as an empty array.
  const isEmpty = current === null || (Array.isArray(current) && current.length === 0)
  if (!isObject(current) && !isEmpty) throw unmergeableValue(place)
  return mergePatch(current, patch)
}

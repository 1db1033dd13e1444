// Merging a patch into stored options: only into what can be read, and not where it would change nothing.
import { unmergeableValue } from '../errors.ts'
import {
  isObject,
  JsonText,
  type JsonTextParts,
  jsonForThread,
  mergePatch,
  parseExact,
  sameValue,
} from '../json.ts'
import { largeFrom, offThread } from '../off-thread/off-thread.ts'

interface Place {
  table: string
  row: number
  column: string
}

/**
 * The stored options of a row after a merge patch; undefined where the patch is what is stored already, so that what was
 * read can be sent back although it holds nulls, which would remove properties. Large values are merged off the main
 * thread.
 * @param text JSON text of what is stored; null where it cannot be read
 * @throws SvcError 409 where what is stored cannot be read, or is no object: a merge would replace it silently
 */
export async function mergedOptions(
  table: string,
  row: number,
  text: string | null,
  patch: unknown,
): Promise<unknown> {
  const place = { table, row, column: 'options' }
  if (text === null) throw unmergeableValue(place)
  if (text.length < largeFrom && !(patch instanceof JsonText)) return merged(text, patch, place)
  const parts = await offThread<JsonTextParts | undefined>(
    import.meta.url,
    'mergedText',
    text,
    jsonForThread(patch),
    place,
  )
  return parts && new JsonText(parts)
}

/** Runs on the other thread. */
export function mergedText(text: string, patch: string, place: Place): JsonTextParts | undefined {
  const value = merged(text, parseExact(patch), place)
  return value === undefined ? undefined : JsonText.parts(JSON.stringify(value))
}

function merged(text: string, patch: unknown, place: Place): unknown {
  const current = parseExact(text)
  if (sameValue(patch, current)) return undefined
  // PHP writes an object without properties as an empty list.
  const isEmpty = current === null || (Array.isArray(current) && current.length === 0)
  if (!isObject(current) && !isEmpty) throw unmergeableValue(place)
  return mergePatch(current, patch)
}

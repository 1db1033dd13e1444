// Merging a patch into stored options: only into what can be read, and not where it would change nothing.
import { readStoredJson } from '../db/stored-json.ts'
import { unmergeableValue } from '../errors.ts'
import { isObject, mergePatch, parseExact, sameJson } from '../json.ts'

/**
 * The stored object after a merge patch; undefined where the patch is what is stored already, so that what was read can
 * be sent back although it holds nulls, which would remove properties.
 * @throws SvcError 409 where what is stored cannot be read, or is no object: a merge would replace it silently
 */
export function mergedOptions(
  stored: string | null,
  patch: Record<string, unknown>,
  place: { table: string; row: number; column: string },
): object | undefined {
  const text = readStoredJson(stored, '{}')
  if (text === undefined) throw unmergeableValue(place)
  if (sameJson(patch, text)) return undefined
  const current = parseExact(text)
  // PHP writes an object without properties as an empty list.
  const isEmpty = current === null || (Array.isArray(current) && current.length === 0)
  if (!isObject(current) && !isEmpty) throw unmergeableValue(place)
  return mergePatch(current, patch) as object
}

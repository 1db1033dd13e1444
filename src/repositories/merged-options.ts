// Merging a patch into stored options: only into what can be read, and not where it would change nothing.
import { unmergeableValue } from '../errors.ts'
import { isObject, mergePatch, parseExact, sameJson } from '../json.ts'

/**
 * The stored options of a row after a merge patch; undefined where the patch is what is stored already, so that what was
 * read can be sent back although it holds nulls, which would remove properties.
 * @param text JSON text of what is stored; null where it cannot be read
 * @throws SvcError 409 where what is stored cannot be read, or is no object: a merge would replace it silently
 */
export function mergedOptions(
  table: string,
  row: number,
  text: string | null,
  patch: Record<string, unknown>,
): object | undefined {
  const place = { table, row, column: 'options' }
  if (text === null) throw unmergeableValue(place)
  if (sameJson(patch, text)) return undefined
  const current = parseExact(text)
  // PHP writes an object without properties as an empty list.
  const isEmpty = current === null || (Array.isArray(current) && current.length === 0)
  if (!isObject(current) && !isEmpty) throw unmergeableValue(place)
  return mergePatch(current, patch) as object
}

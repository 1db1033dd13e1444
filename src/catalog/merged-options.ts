// Merges a patch into the stored options of a product or view.
import { unmergeableValue } from '../core/errors.ts'
import { turns } from '../core/turns.ts'
import { parseExact } from '../json/parse.ts'
import { isObject, mergePatch, sameValue } from '../json/values.ts'

/**
 * The stored options of a row after a merge patch; undefined if the patch equals the stored value, so that a value with nulls, which
 * would remove properties, can be sent back as it was read.
 * @param json the stored value; null if it cannot be read
 * @throws SvcError 409 if the stored value cannot be read or is not an object: a merge would silently replace it
 */
export async function mergedOptions(
  table: string,
  row: number,
  json: string | null,
  patch: object,
): Promise<unknown> {
  const turn = turns()
  const location = { table, row, column: 'options' }
  if (json === null) throw unmergeableValue(location)
  const current = parseExact(json)
  await turn()
  if (sameValue(patch, current)) return undefined
  // PHP encodes an object without properties as an empty array.
  const isEmpty = current === null || (Array.isArray(current) && current.length === 0)
  if (!isObject(current) && !isEmpty) throw unmergeableValue(location)
  await turn()
  const merged = mergePatch(current, patch)
  await turn()
  return merged
}

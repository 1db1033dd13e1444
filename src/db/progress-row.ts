// Stores how far background work has come, as JSON in an option row. Of several processes that have read the same row, one succeeds.
import type { Database } from './connect.ts'

/**
 * Stores the progress, unless another process has changed the row since it was read.
 * @param key name of the option, which `internalRow` in src/settings/keys.ts must match, so that settings routes refuse it
 * @param stored the text of the row when it was read; undefined if there was no row
 * @returns whether it was stored
 */
export async function storeProgress(
  { db, t, dialect }: Database,
  key: string,
  stored: string | undefined,
  progress: object,
): Promise<boolean> {
  const option_value = JSON.stringify(progress)
  if (stored === option_value) return true
  if (stored === undefined) {
    try {
      await db.insertInto(t.options).values({ option_name: key, option_value, autoload: 'no' }).execute()
      return true
    } catch (error) {
      if (!dialect.isUnique(error)) throw error
      return false
    }
  }
  const { numUpdatedRows } = await db
    .updateTable(t.options)
    .set({ option_value })
    .where('option_name', '=', key)
    .where(dialect.sameBytes('option_value', stored))
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

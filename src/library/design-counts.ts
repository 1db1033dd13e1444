// Counts the designs of categories. A list is counted once per change, without parsing it.
import { sql } from 'kysely'
import { mapInTurns } from '../core/turns.ts'
import type { Database } from '../db/connect.ts'
import { batches } from '../db/id-windows.ts'
import { lengthOfStored } from '../db/stored-json.ts'

/** Maximum bytes of lists that are read at once. */
const batchSize = 4 * 1024 * 1024
/** Maximum number of cached counts. */
const maxLists = 100_000

/** The list of designs in a row: its length in bytes, and a signature that changes with its content. */
interface List {
  ID: number
  size: number
  signature: string
}

/**
 * Returns a function that resolves to the number of designs by category id, of all categories or of some; null if the list cannot
 * be read. Only changed lists are counted again, a few at a time.
 */
export function designCounts({ db, t, dialect }: Database) {
  let countByList = new Map<string, number | null>()

  async function listsOf(ids: readonly number[] | undefined): Promise<List[]> {
    if (ids?.length === 0) return []
    const where = ids ? sql`where ID in (${sql.join(ids)})` : sql``
    const { rows } = await sql<List>`
      select ID, ${dialect.byteLength('designs')} as size, ${dialect.contentSignature('designs')} as signature
      from ${sql.table(t.designs)} ${where}`.execute(db)
    return rows
  }

  async function count(lists: List[]): Promise<void> {
    const ids = lists.map(({ ID }) => ID)
    const rows = await db.selectFrom(t.designs).select(['ID', 'designs']).where('ID', 'in', ids).execute()
    const designs = new Map(rows.map((row) => [row.ID, row.designs]))
    await mapInTurns(lists, (list) =>
      countByList.set(keyOf(list), lengthOfStored(designs.get(list.ID) ?? null) ?? null),
    )
  }

  return async (ids?: readonly number[]): Promise<Map<number, number | null>> => {
    const lists = await listsOf(ids)
    if (countByList.size > maxLists) countByList = new Map()
    const uncounted = lists.filter((list) => !countByList.has(keyOf(list)))
    for (const batch of batches(uncounted, batchSize)) await count(batch)
    return new Map(lists.map((list) => [list.ID, countByList.get(keyOf(list)) ?? null]))
  }
}

const keyOf = ({ ID, size, signature }: List) => `${ID} ${size} ${signature}`

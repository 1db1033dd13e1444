// How many designs the categories of the library hold: lists that are counted once per change, without parsing them.
import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Database } from '../db/connect.ts'
import { lengthOfStored } from '../db/stored-json.ts'

/** Bytes of lists that are read at once. */
const batch = 4 * 1024 * 1024
/** Lists that are remembered. */
const mostLists = 100_000

interface List {
  ID: number
  size: number
  signature: string
}

/**
 * The number of designs of each category, or of these; null where the list cannot be read. Counts again only the lists
 * that have changed, a few at a time.
 */
export function designCounts({ db, t, dialect }: Database) {
  let known = new Map<string, number | null>()

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
    const texts = new Map(rows.map((row) => [row.ID, row.designs]))
    for (const list of lists) known.set(keyOf(list), lengthOfStored(texts.get(list.ID) ?? null) ?? null)
  }

  return async (ids?: readonly number[]): Promise<Map<number, number | null>> => {
    const lists = await listsOf(ids)
    if (known.size > mostLists) known = new Map()
    for (const some of batches(lists.filter((list) => !known.has(keyOf(list))))) {
      await count(some)
      await setImmediate()
    }
    return new Map(lists.map((list) => [list.ID, known.get(keyOf(list)) ?? null]))
  }
}

const keyOf = ({ ID, size, signature }: List) => `${ID} ${size} ${signature}`

function* batches(lists: List[]): Generator<List[]> {
  let some: List[] = []
  let size = 0
  for (const list of lists) {
    some.push(list)
    size += Number(list.size)
    if (size < batch && some.length < 500) continue
    yield some
    some = []
    size = 0
  }
  if (some.length > 0) yield some
}

// Walks over a table by its numeric primary key, so that no statement takes longer the larger the table is.
import { sql } from 'kysely'
import type { Connection } from './connect.ts'

/** Rows of a window. */
const windowRows = 5000

/**
 * The windows of all rows that exist at this time, each with the ids above `from` up to `to`; none where the table does not
 * exist.
 * @param table physical name
 * @param id column of the primary key
 * @param after leaves out the rows up to this id
 */
export async function* idWindows(
  { db, dialect }: Pick<Connection, 'db' | 'dialect'>,
  table: string,
  id: string,
  after = 0,
): AsyncGenerator<{ from: number; to: number }> {
  const idColumn = sql.ref(id)
  for (let from = after; ; ) {
    const to = await lastOf(from)
    if (to === undefined) return
    yield { from, to }
    from = to
  }

  async function lastOf(from: number): Promise<number | undefined> {
    try {
      const { rows } = await sql<{ last: number | null }>`
        select max(id) as last from (
          select ${idColumn} as id from ${sql.table(table)} where ${idColumn} > ${from}
          order by ${idColumn} limit ${windowRows}
        ) as w`.execute(db)
      return rows[0]?.last === null ? undefined : Number(rows[0]?.last)
    } catch (error) {
      if (dialect.isMissingTable(error)) return undefined
      throw error
    }
  }
}

/** The items in batches of at most `maxBytes` and 500 items, or of a single larger item. */
export function* batches<T extends { size: number }>(items: readonly T[], maxBytes: number): Generator<T[]> {
  let batch: T[] = []
  let bytes = 0
  for (const item of items) {
    bytes += Number(item.size)
    if (batch.length > 0 && (bytes > maxBytes || batch.length === 500)) {
      yield batch
      batch = []
      bytes = Number(item.size)
    }
    batch.push(item)
  }
  if (batch.length > 0) yield batch
}

// Splits walks over large tables: by windows of ids, so that no statement takes longer the larger the table is, and rows into batches
// of limited size.
import { sql } from 'kysely'
import type { Connection } from './connect.ts'

/** Number of rows in a window. */
const windowRows = 5000

/**
 * Windows that cover all rows that exist at this time: the ids above `from`, up to and including `to`. None if the table does not
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
    const to = await lastIdOfWindow(from)
    if (to === undefined) return
    yield { from, to }
    from = to
  }

  /** Undefined if no row follows. */
  async function lastIdOfWindow(from: number): Promise<number | undefined> {
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

/** Batches of at most 500 items and `maxBytes` bytes; an item that is larger is a batch of its own. @param items with their bytes as `size` */
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

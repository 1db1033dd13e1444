// Splits walks over large tables: by windows of ids, so that no statement takes longer the larger the table is, and rows into batches
// of limited size.
import { sql } from 'kysely'
import type { Connection } from './connect.ts'

interface IdWindow {
  /** The ids above this one, */
  from: number
  /** up to and including this one. */
  to: number
  /** How many of them have a row. */
  rows: number
}

/**
 * Windows of ids with `size` rows each that cover all rows with an id above `after`. None if the table does not exist.
 * @param table physical name
 * @param id column of the numeric primary key
 */
export async function* idWindows(
  { db, dialect }: Pick<Connection, 'db' | 'dialect'>,
  table: string,
  id: string,
  { after = 0, size = 5000 }: { after?: number; size?: number } = {},
): AsyncGenerator<IdWindow> {
  const column = sql.ref(id)
  for (let from = after; ; ) {
    const query = sql<{ number: number; last: number | null }>`
      select count(*) as number, max(id) as last from (
        select ${column} as id from ${sql.table(table)} where ${column} > ${from} order by ${column} limit ${size}
      ) as w`
    const [window] = await query.execute(db).then(
      ({ rows }) => rows,
      (error) => {
        if (dialect.isMissingTable(error)) return []
        throw error
      },
    )
    const rows = Number(window?.number ?? 0)
    if (rows === 0) return
    const to = Number(window?.last)
    yield { from, to, rows }
    if (rows < size) return
    from = to
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

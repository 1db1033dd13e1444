// Walks over a table by its numeric primary key, so that no statement takes longer the larger the table is.
import { sql } from 'kysely'
import type { Connection } from './connect.ts'

/** Ids of one window: above `from`, up to and including `to`. */
export interface IdWindow {
  from: number
  to: number
}

/** Rows of a window. */
const windowRows = 5000

/**
 * The windows of all rows that exist at this time; none where the table does not exist.
 * @param table physical name
 * @param id column of the primary key
 */
export async function* idWindows(
  { db, dialect }: Pick<Connection, 'db' | 'dialect'>,
  table: string,
  id: string,
): AsyncGenerator<IdWindow> {
  const idColumn = sql.ref(id)
  for (let from = 0; ; ) {
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

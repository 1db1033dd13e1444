// Reads a whole table with its blobs, a few rows at a time.
import { sql } from 'kysely'
import type { Connection } from './connect.ts'
import { batches } from './id-windows.ts'

/** Number of rows whose sizes are read at once. */
const chunk = 500
/** Bytes of values that are read at once. */
const maxBatchBytes = 8 * 1024 * 1024

/** Which rows and columns of a table to read. */
export interface ScannedRows {
  /** Physical name. */
  table: string
  /** Column of the numeric primary key. */
  id: string
  columns: readonly string[]
  /** Only rows with one of these keys. */
  keys?: { column: string; among: readonly string[] }
}

/** The id of a row, and the values of the columns. */
export type ScannedRow = { id: number } & Record<string, string | null>

/** The rows of a table in the order of their ids, in batches of at most 8 MiB; a larger row is a batch of its own. */
export async function* scannedRows(
  { db }: Pick<Connection, 'db'>,
  { table, id, columns, keys }: ScannedRows,
): AsyncGenerator<ScannedRow[]> {
  const bytes = columns.map((column) => sql`coalesce(length(${sql.ref(column)}), 0)`)
  const among = keys ? sql`${sql.ref(keys.column)} in (${sql.join(keys.among)})` : sql`1 = 1`
  const from = sql`from ${sql.table(table)} where ${among} and ${sql.ref(id)}`
  for (let after = 0; ; ) {
    const { rows: sizes } = await sql<{ id: number; size: number }>`
      select ${sql.ref(id)} as id, ${sql.join(bytes, sql` + `)} as size
      ${from} > ${after} order by ${sql.ref(id)} limit ${chunk}`.execute(db)
    for (const batch of batches(sizes, maxBatchBytes)) {
      const to = batch.at(-1)?.id ?? after
      const { rows } = await sql<ScannedRow>`
        select ${sql.ref(id)} as id, ${sql.join(columns.map((column) => sql.ref(column)))}
        ${from} > ${after} and ${sql.ref(id)} <= ${to} order by ${sql.ref(id)}`.execute(db)
      yield rows
      after = to
    }
    if (sizes.length < chunk) return
  }
}

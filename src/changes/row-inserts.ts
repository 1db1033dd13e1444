// Inserts and removes many rows in statements of limited size, for the audit trail and the outbox.
import { type Compilable, type CompiledQuery, type RawBuilder, sql } from 'kysely'
import type { Connection } from '../db/connect.ts'
import { type HotQuery, hotQuery } from '../db/prepared.ts'

/** Engines limit the parameters of a statement: SQLite to 32,766, MySQL to 65,535. A row has at most nine. */
const rowsPerStatement = 500

/**
 * Returns a generator of the statements that insert rows. Statements of one row and of a full chunk occur again and again, so
 * their SQL is compiled once; that of one row is also prepared on the server.
 * @param names the properties of the rows
 * @param build the insert of rows
 */
export function rowInserts<Name extends string>(
  names: readonly Name[],
  build: (rows: Record<Name, string>[]) => Compilable<unknown>,
) {
  // Parameters are a flat list of values; each row has `names.length` of them.
  const rowAt = (values: readonly string[], row: number) =>
    Object.fromEntries(names.map((name, i) => [name, values[row * names.length + i]])) as Record<Name, string>
  const insert = hotQuery((...values: string[]) =>
    build(Array.from({ length: values.length / names.length }, (_, row) => rowAt(values, row))),
  )

  // A generator builds each statement when it is taken, because building one of many rows takes a moment.
  return function* insertsOf(rows: readonly Record<Name, string>[]): Generator<CompiledQuery | HotQuery> {
    for (let start = 0; start < rows.length; start += rowsPerStatement) {
      const chunk = rows.slice(start, start + rowsPerStatement)
      if (chunk.length !== 1 && chunk.length !== rowsPerStatement) {
        yield build(chunk).compile() as CompiledQuery
        continue
      }
      const hot = insert(...chunk.flatMap((row) => names.map((name) => row[name])))
      const { isHot: _, ...query } = hot
      yield chunk.length === 1 ? hot : query
    }
  }
}

interface OldRows {
  /** Physical name. */
  table: string
  /** A column with a time in seconds. */
  column: string
  /** The age after which a row is removed. */
  seconds: number
  /** Only rows that meet it. */
  condition?: RawBuilder<unknown>
}

/** Removes the rows whose time in a column is older than some seconds, a limited number per statement. */
export async function removeOld(
  { db, dialect }: Pick<Connection, 'db' | 'dialect'>,
  { table, column, seconds, condition = sql`1 = 1` }: OldRows,
): Promise<void> {
  for (;;) {
    const { rows } = await sql<{ ID: number }>`select ID from ${sql.table(table)}
      where ${condition} and ${sql.ref(column)} < ${dialect.now} - ${seconds}
      order by ${sql.ref(column)} limit ${rowsPerStatement}`.execute(db)
    const ids = rows.map(({ ID }) => ID)
    if (ids.length > 0) await sql`delete from ${sql.table(table)} where ID in (${sql.join(ids)})`.execute(db)
    if (ids.length < rowsPerStatement) return
  }
}

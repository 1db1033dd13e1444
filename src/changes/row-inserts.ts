// Inserts and removes many rows in statements of limited size, for the audit trail and the outbox.
import { type Compilable, type CompiledQuery, type RawBuilder, sql } from 'kysely'
import type { Connection } from '../db/connect.ts'
import { type HotQuery, hotQuery } from '../db/prepared.ts'

/** Engines limit the parameters of a statement. */
const rowsPerStatement = 500

/**
 * Returns a generator of the statements that insert rows. Statements of one row and of a full chunk occur again and again, so
 * their SQL is compiled once; that of one row is also prepared on the server.
 * @param build the insert of rows, which all have the same properties in the same order
 */
export function rowInserts<R extends Record<string, string>>(build: (rows: R[]) => Compilable<unknown>) {
  /** The properties of the rows, which the generator sets before it calls `insert`. */
  let names: string[] = []
  const rowAt = (values: string[], index: number) =>
    Object.fromEntries(names.map((name, i) => [name, values[index * names.length + i]])) as R
  // Parameters are a flat list of values; each row has `names.length` of them.
  const insert = hotQuery((...values: string[]) =>
    build(Array.from({ length: values.length / names.length }, (_, index) => rowAt(values, index))),
  )

  // A generator builds each statement when it is taken, because building one of many rows takes a moment.
  return function* insertsOf(rows: readonly R[]): Generator<CompiledQuery | HotQuery> {
    for (let start = 0; start < rows.length; start += rowsPerStatement) {
      const chunk = rows.slice(start, start + rowsPerStatement)
      if (chunk.length !== 1 && chunk.length !== rowsPerStatement) {
        yield build(chunk).compile() as CompiledQuery
        continue
      }
      names = Object.keys(chunk[0] ?? {})
      const hot = insert(...chunk.flatMap((row) => Object.values(row)))
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

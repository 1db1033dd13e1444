// Many rows some at a time: inserts of rows that consist of strings, and removing what is old.
import { type Compilable, type CompiledQuery, type RawBuilder, sql } from 'kysely'
import type { Connection } from '../db/connect.ts'
import { type HotQuery, hotQuery } from '../db/prepared.ts'

/** Rows of one statement, because engines limit its parameters. */
const batch = 500

/** @param build the insert of these rows, which all have the same properties */
export function rowInserts<R extends Record<string, string>>(build: (rows: R[]) => Compilable<unknown>) {
  let names: string[] = []
  const rowOf = (values: string[], at: number) =>
    Object.fromEntries(names.map((name, i) => [name, values[at * names.length + i]])) as R
  const insert = hotQuery((...values: string[]) =>
    build(Array.from({ length: values.length / names.length }, (_, at) => rowOf(values, at))),
  )

  /** The statements are built as they are taken, because building one of many rows takes a moment. */
  return function* insertsOf(rows: readonly R[]): Generator<CompiledQuery | HotQuery> {
    for (let at = 0; at < rows.length; at += batch) {
      const some = rows.slice(at, at + batch)
      if (some.length !== 1 && some.length !== batch) {
        yield build(some).compile() as CompiledQuery
        continue
      }
      names = Object.keys(some[0] ?? {})
      // The SQL of the sizes that occur again is kept, and that of one row is prepared on the server, too.
      const hot = insert(...some.flatMap((row) => Object.values(row)))
      const { isHot: _, ...query } = hot
      yield some.length === 1 ? hot : query
    }
  }
}

interface OldRows {
  /** Physical name. */
  table: string
  column: string
  seconds: number
  condition?: RawBuilder<unknown>
}

/** Removes rows some seconds after the time in a column. */
export async function removeOld(
  { db, dialect }: Pick<Connection, 'db' | 'dialect'>,
  { table, column, seconds, condition = sql`1 = 1` }: OldRows,
): Promise<void> {
  for (;;) {
    const { rows } = await sql<{ ID: number }>`select ID from ${sql.table(table)}
      where ${condition} and ${sql.ref(column)} < ${dialect.now} - ${seconds}
      order by ${sql.ref(column)} limit ${batch}`.execute(db)
    const ids = rows.map(({ ID }) => ID)
    if (ids.length > 0) await sql`delete from ${sql.table(table)} where ID in (${sql.join(ids)})`.execute(db)
    if (ids.length < batch) return
  }
}

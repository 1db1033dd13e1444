// Inserts of rows that consist of strings, many rows some at a time.
import type { Compilable, CompiledQuery } from 'kysely'
import { type HotQuery, hotQuery } from '../db/prepared.ts'

/** Rows of one statement, because engines limit its parameters. */
const batch = 500

/** @param build the insert of these rows */
export function rowInserts<N extends string>(
  names: readonly N[],
  build: (rows: Record<N, string>[]) => Compilable<unknown>,
) {
  const rowOf = (values: string[], at: number) =>
    Object.fromEntries(names.map((name, i) => [name, values[at * names.length + i]])) as Record<N, string>
  const insert = hotQuery((...values: string[]) =>
    build(Array.from({ length: values.length / names.length }, (_, at) => rowOf(values, at))),
  )

  /** The statements are built as they are taken, because building one of many rows takes a moment. */
  return function* insertsOf(rows: readonly Record<N, string>[]): Generator<CompiledQuery | HotQuery> {
    for (let at = 0; at < rows.length; at += batch) {
      const some = rows.slice(at, at + batch)
      if (some.length !== 1 && some.length !== batch) {
        yield build(some).compile() as CompiledQuery
        continue
      }
      // The SQL of the sizes that occur again is kept, and that of one row is prepared on the server, too.
      const hot = insert(...some.flatMap((row) => names.map((name) => row[name])))
      const { isHot: _, ...query } = hot
      yield some.length === 1 ? hot : query
    }
  }
}

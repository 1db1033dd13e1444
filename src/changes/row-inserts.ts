// Inserts of rows that consist of strings: the SQL for one row is built once, many rows go some at a time.
import type { Compilable, CompiledQuery } from 'kysely'
import { prepared } from '../db/prepared.ts'

/** Rows of one statement, because engines limit its parameters. */
const batch = 500

/** @param build the insert of these rows */
export function rowInserts<N extends string>(
  names: readonly N[],
  build: (rows: Record<N, string>[]) => Compilable<unknown>,
): (rows: readonly Record<N, string>[]) => CompiledQuery[] {
  const one = prepared((...values: string[]) =>
    build([Object.fromEntries(names.map((name, i) => [name, values[i]])) as Record<N, string>]),
  )
  return (rows) => {
    const [first] = rows
    if (first && rows.length === 1) return [one.query(...names.map((name) => first[name]))]
    return Array.from({ length: Math.ceil(rows.length / batch) }, (_, i) =>
      build(rows.slice(i * batch, (i + 1) * batch)).compile(),
    ) as CompiledQuery[]
  }
}

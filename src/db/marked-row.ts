// Which print profile is the master, and which layout is the default.
import type { Kysely } from 'kysely'
import { readFlag } from './stored-json.ts'
import type { PhysicalNames, Tables } from './tables.ts'

/** The tables in which one row carries a mark, with the column of that mark. */
export const marks = { print_profiles: 'is_master', user_interfaces: 'is_default' } as const

export type MarkedTable = keyof typeof marks

/** The id of the one row that carries the mark. Where other writers have marked several rows, the oldest counts. */
export async function markedId(
  db: Kysely<Tables>,
  t: PhysicalNames,
  name: MarkedTable,
): Promise<number | undefined> {
  // The two tables differ only in the name of the mark.
  const table = t[name] as 'print_profiles'
  const mark = marks[name] as 'is_master'
  const rows = await db.selectFrom(table).select(['ID', mark]).orderBy('ID').execute()
  return rows.find((row) => readFlag(row[mark]))?.ID
}

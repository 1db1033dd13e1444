// Which value of `autoload` a new option row gets: WordPress before 6.6 knows yes and no, later ones on, off and auto.
import type { Kysely } from 'kysely'
import type { PhysicalNames, Tables } from './tables.ts'

const values = {
  /** Read by every page of the CMS. */
  always: ['auto', 'on', 'yes'],
  /** Read only when asked for. */
  never: ['off', 'no'],
}

/** A value of this meaning that the installation uses already; else the one that every version understands. */
export async function autoloadValue(
  executor: Kysely<Tables>,
  t: PhysicalNames,
  meaning: keyof typeof values,
): Promise<string> {
  const rows = await executor.selectFrom(t.options).select('autoload').distinct().execute()
  const used = new Set(rows.map((row) => row.autoload))
  return values[meaning].find((value) => used.has(value)) ?? (meaning === 'always' ? 'yes' : 'no')
}

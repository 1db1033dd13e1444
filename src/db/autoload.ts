// The `autoload` value of a new option row: yes or no before WordPress 6.6, on, off or auto since.
import type { Kysely } from 'kysely'
import type { PhysicalNames, Tables } from './tables.ts'

const values = {
  /** Loaded by every page of the CMS. */
  always: ['auto', 'on', 'yes'],
  /** Loaded on demand. */
  never: ['off', 'no'],
}

/** A value with this meaning that the installation uses already, else the one that every version understands. */
export async function autoloadValue(
  executor: Kysely<Tables>,
  t: PhysicalNames,
  meaning: keyof typeof values,
): Promise<string> {
  const rows = await executor.selectFrom(t.options).select('autoload').distinct().execute()
  const used = new Set(rows.map((row) => row.autoload))
  return values[meaning].find((value) => used.has(value)) ?? (meaning === 'always' ? 'yes' : 'no')
}

// The way of hot statements past Kysely, whose layers cost more than these statements do.
import type { Kysely } from 'kysely'
import { analyzeLarge } from './large-values.ts'
import type { Tables } from './tables.ts'

/** What a statement returned: the rows of a select, or the number of rows that a write matched. */
export interface DirectResult {
  rows: unknown[]
  /** Changed rows only if the settings of the host's pool make the database report these. */
  matched: bigint
}

/** Runs one statement on a connection of its own. */
export type Direct = (text: string, values: readonly unknown[]) => Promise<DirectResult>

const known = new WeakMap<object, Direct>()

/** Statements on this instance, outside of transactions, may run directly. */
export function runDirectly(db: Kysely<Tables>, direct: Direct): void {
  known.set(db, async (text, values) => {
    const result = await direct(text, values)
    const analysis = analyzeLarge(result.rows)
    if (analysis) await analysis
    return result
  })
}

/** Undefined for transactions, and for instances that know no direct way. */
export const directOf = (executor: Kysely<Tables>): Direct | undefined => known.get(executor)

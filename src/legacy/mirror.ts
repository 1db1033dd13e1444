// Synchronizes the tables of rules and layouts with the options of legacy installations. Changes by PHP are merged into the tables
// before this API writes and, at most once a second, before it reads. Its writes are mirrored to the options.
import type { Kysely } from 'kysely'
import type { Database } from '../db/connect.ts'
import { guard } from '../db/guard.ts'
import type { Tables } from '../db/tables.ts'
import { layoutsChanged } from './layout-options.ts'
import { legacyLayouts } from './layouts.ts'
import { importRecordKey, type OptionRows, readLegacyRows, rulesKey, type Warn } from './rows.ts'
import { legacyRules, rulesChanged } from './rules.ts'

/** Milliseconds between two checks before reads: below one second, so that changes by PHP are seen within one. */
const maxAge = 900

/** The synchronization of one database, which the repositories of rules and layouts share. */
export type LegacyMirror = ReturnType<typeof legacyMirror>

/** Creates the synchronization. @param warn logs entries that both PHP and the API changed, and failures to read the rows of PHP */
export function legacyMirror(database: Database, options: OptionRows, warn: Warn) {
  const { db, t } = database
  const rules = legacyRules(database, options, warn)
  const layouts = legacyLayouts(database, options, warn)

  /**
   * Returns a function that merges changes by PHP, at most once a second, and resolves to whether there were any. It never
   * rejects.
   * @param isChanged whether PHP wrote the options, read without locks
   * @param merge merges the changes in a transaction, and returns the keys of the options that it wrote
   */
  function refreshing(isChanged: () => Promise<boolean>, merge: (trx: Kysely<Tables>) => Promise<string[]>) {
    let checkedAt = Number.NEGATIVE_INFINITY
    let running: Promise<boolean> | undefined
    const check = async () => {
      checkedAt = performance.now()
      try {
        if (!(await isChanged())) return false
        const keys = await database.transaction(merge)
        if (keys.length > 0) await options.announce(keys)
        return true
      } catch (error) {
        warn({ err: error }, 'The legacy rows could not be read.')
        return false
      } finally {
        running = undefined
      }
    }
    return (): Promise<boolean> => {
      if (!running && performance.now() - checkedAt < maxAge) return Promise.resolve(false)
      running ??= check()
      return running
    }
  }

  return {
    rules: {
      ...rules,
      /** Call it before reads of the table; resolves with whether it changed. */
      refresh: refreshing(
        async () => rulesChanged(await options.getMany([rulesKey, importRecordKey])),
        async (trx) => {
          await guard(database, trx, 'pricing_rules')
          const merged = await rules.mergeChanges(trx)
          return merged?.isStale ? merged.mirror() : []
        },
      ),
    },
    layouts: {
      ...layouts,
      /** Call it before reads of the table; resolves with whether it changed. */
      refresh: refreshing(
        async () => layoutsChanged(await readLegacyRows(t, db)),
        async (trx) => {
          await guard(database, trx, 'user_interfaces')
          await layouts.mergeChanges(trx)
          return []
        },
      ),
    },
  }
}

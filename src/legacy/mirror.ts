// Both ways between our tables and the options of legacy installations: what PHP changes there is merged into the tables
// before we write and, at most once a second, before we read; what we write stands there, too.
import type { Kysely } from 'kysely'
import type { Database } from '../db/connect.ts'
import { guard } from '../db/guard.ts'
import type { Tables } from '../db/tables.ts'
import { layoutsChanged, legacyLayouts } from './layouts.ts'
import { markerKey, type OptionRows, readLegacyRows, rulesKey, type Warn } from './rows.ts'
import { legacyRules, rulesChanged } from './rules.ts'

/** Below one second, so that a change of PHP's is seen within it. */
const maxAge = 900

export type LegacyMirror = ReturnType<typeof legacyMirror>

/** @param warn told of what PHP and the API both changed */
export function legacyMirror(database: Database, options: OptionRows, warn: Warn) {
  const { db, t } = database
  const rules = legacyRules(database, options, warn)
  const layouts = legacyLayouts(database, options, warn)

  /** Runs `work` at most once a second, and once for all who ask meanwhile. A read does not fail for it. */
  function refreshing(isChanged: () => Promise<boolean>, merge: (trx: Kysely<Tables>) => Promise<string[]>) {
    let since = Number.NEGATIVE_INFINITY
    let running: Promise<boolean> | undefined
    const look = async () => {
      since = performance.now()
      try {
        if (!(await isChanged())) return false
        const keys = await database.transaction(merge)
        if (keys.length > 0) await options.announce(keys)
        return true
      } catch (error) {
        warn({ err: error }, 'The rows of a legacy installation could not be looked at.')
        return false
      } finally {
        running = undefined
      }
    }
    return (): Promise<boolean> => {
      if (!running && performance.now() - since < maxAge) return Promise.resolve(false)
      running ??= look()
      return running
    }
  }

  return {
    rules: {
      ...rules,
      /** To be called before reads of the table; tells whether it changed. */
      refresh: refreshing(
        async () => rulesChanged(await options.getMany([rulesKey, markerKey])),
        async (trx) => {
          await guard(database, trx, 'pricing_rules')
          const entered = await rules.enter(trx)
          return entered?.isStale ? entered.mirror() : []
        },
      ),
    },
    layouts: {
      ...layouts,
      refresh: refreshing(
        async () => layoutsChanged(await readLegacyRows(t, db)),
        async (trx) => {
          await guard(database, trx, 'user_interfaces')
          await layouts.enter(trx)
          return []
        },
      ),
    },
  }
}

// The setting that names the storefront's layout names the default one: who writes it makes another layout the default.
import type { Kysely } from 'kysely'
import type { Database } from '../../src/db/connect.ts'
import type { Tables } from '../../src/db/tables.ts'
import { olderRows } from '../../src/options/older-rows.ts'
import type { OptionsStore } from '../../src/options/store.ts'
import { markedRows } from '../../src/repositories/marked-rows.ts'

/** A slug that no layout has, and a database without older layouts, leave the default as it is. */
export function shownLayout(database: Database, options: OptionsStore) {
  const layouts = markedRows(database, 'user_interfaces')
  const older = olderRows(database, options)

  return async (trx: Kysely<Tables>, slug: unknown): Promise<void> => {
    await layouts.enter(trx)
    const id = await older.layoutOf(trx, String(slug))
    if (id !== undefined && (await layouts.read(id, trx))) await layouts.setMark(trx, id)
  }
}

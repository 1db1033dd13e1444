// The `svc_` rows of the CMS's options table: read, written, and changed without losing what PHP writes meanwhile.
import { setTimeout as delay } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import { usualAutoload } from '../db/autoload.ts'
import type { Database } from '../db/connect.ts'
import type { Tables } from '../db/tables.ts'
import { unavailable } from '../errors.ts'

/** Told after commit which rows changed, so that the host can drop the CMS's object cache for them. */
export type OptionsChanged = (keys: string[]) => void

export interface OptionsStore {
  get(key: string): Promise<string | undefined>
  /** Stored texts by key; absent rows are absent. */
  getMany(keys: readonly string[], executor?: Kysely<Tables>): Promise<Map<string, string>>
  /** Writes all or none. */
  set(values: Record<string, string>): Promise<void>
  /**
   * Compare-and-swap: `change` gets the stored text and returns the new one, or undefined to leave the row alone.
   * It may run several times; a value written by others in between is never overwritten.
   * @returns the text that is stored afterwards
   */
  update(key: string, change: (stored: string | undefined) => string | undefined): Promise<string | undefined>
  /** Writes inside a transaction of the caller's, which calls `announce` after its commit. Undefined removes a row. */
  put(trx: Kysely<Tables>, values: Record<string, string | undefined>): Promise<void>
  /** Tells which rows changed, after commit. */
  announce(keys: string[]): void
}

const casTries = 20

export function optionsStore(database: Database, changed: OptionsChanged): OptionsStore {
  const { db, t, dialect } = database

  function assertOwn(key: string): void {
    if (!/^svc_./.test(key)) throw new Error(`The option "${key}" is not ours to write.`)
  }

  async function getMany(keys: readonly string[], executor = db): Promise<Map<string, string>> {
    if (keys.length === 0) return new Map()
    const rows = await executor
      .selectFrom(t.options)
      .select(['option_name', 'option_value'])
      .where('option_name', 'in', keys)
      .execute()
    // The collation may have matched names in other case: only exact ones count.
    const wanted = new Set(keys)
    return new Map(
      rows
        .filter((row) => wanted.has(row.option_name))
        .map((row) => [row.option_name, String(row.option_value ?? '')]),
    )
  }

  /** Makes the row; false when somebody else was faster. */
  async function insertFirst(executor: Kysely<Tables>, key: string, value: string): Promise<boolean> {
    const autoload = await usualAutoload(executor, t, 'always')
    try {
      await executor
        .insertInto(t.options)
        .values({ option_name: key, option_value: value, autoload })
        .execute()
      return true
    } catch (error) {
      if (dialect.isUnique(error)) return false
      throw error
    }
  }

  async function swap(key: string, stored: string | undefined, next: string): Promise<boolean> {
    if (stored === undefined) return insertFirst(db, key, next)
    const result = await db
      .updateTable(t.options)
      .set({ option_value: next })
      .where('option_name', '=', key)
      .where(dialect.sameBytes('option_value', stored))
      .executeTakeFirst()
    return result.numUpdatedRows > 0n
  }

  async function put(trx: Kysely<Tables>, values: Record<string, string | undefined>): Promise<void> {
    const keys = Object.keys(values)
    keys.forEach(assertOwn)
    const existing = await getMany(keys, trx)
    for (const [key, value] of Object.entries(values)) {
      if (value === undefined) await trx.deleteFrom(t.options).where('option_name', '=', key).execute()
      else if (existing.has(key) || !(await insertFirst(trx, key, value)))
        await trx.updateTable(t.options).set({ option_value: value }).where('option_name', '=', key).execute()
    }
  }

  return {
    getMany,
    put,
    announce: changed,

    async get(key) {
      return (await getMany([key])).get(key)
    },

    async set(values) {
      await database.transaction((trx) => put(trx, values))
      changed(Object.keys(values))
    },

    async update(key, change) {
      assertOwn(key)
      for (let attempt = 1; attempt <= casTries; attempt++) {
        const stored = (await getMany([key])).get(key)
        const next = change(stored)
        if (next === undefined || next === stored) return stored
        if (await swap(key, stored, next)) {
          changed([key])
          return next
        }
        await delay(Math.random() * 10 * attempt)
      }
      throw unavailable(new Error(`The option ${key} changed ${casTries} times while it was being written.`))
    },
  }
}

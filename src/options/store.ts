// The `svc_` rows of the CMS's options table: read, written, and changed without losing what PHP writes meanwhile.
import { setTimeout as delay } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import type { Database } from '../db/connect.ts'
import { guard } from '../db/guard.ts'
import type { Tables } from '../db/tables.ts'
import { unavailable } from '../errors.ts'
import { turns } from './turns.ts'

/** Told after commit which rows changed, so that the host can drop the CMS's object cache for them. */
export type OptionsChanged = (keys: string[]) => void

export interface OptionsStore {
  get(key: string): Promise<string | undefined>
  /** Stored texts by key; absent rows are absent. */
  getMany(keys: readonly string[]): Promise<Map<string, string>>
  /** Writes all or none. */
  set(values: Record<string, string>): Promise<void>
  /**
   * All or none, by what is stored: `change` gets the rows of `keys` inside the transaction that locks them, and returns
   * the texts to write. What it throws undoes everything.
   * @param options `alone`: no other such change happens meanwhile in any process, whatever its keys
   */
  change(
    keys: readonly string[],
    change: (stored: Map<string, string>) => Record<string, string>,
    options?: { alone?: boolean },
  ): Promise<void>
  /**
   * Compare-and-swap: `change` gets the stored text and returns the new one, or undefined to leave the row alone.
   * It may run several times; a value written by others in between is never overwritten.
   * @param beside keys that are read together with the row
   * @returns the text that is stored afterwards
   */
  update(
    key: string,
    change: (stored: string | undefined, beside: Map<string, string>) => string | undefined,
    beside?: readonly string[],
  ): Promise<string | undefined>
}

const casTries = 20

export function optionsStore(database: Database, changed: OptionsChanged): OptionsStore {
  const { db, t, dialect } = database
  const inTurn = turns()

  function assertOwn(key: string): void {
    if (!/^svc_./.test(key)) throw new Error(`The option "${key}" is not ours to write.`)
  }

  async function getMany(keys: readonly string[], executor = db, lock = false): Promise<Map<string, string>> {
    if (keys.length === 0) return new Map()
    const rows = await executor
      .selectFrom(t.options)
      .select(['option_name', 'option_value'])
      .where('option_name', 'in', keys)
      .$if(lock, (query) => query.forUpdate())
      .execute()
    // The collation may have matched names in other case: only exact ones count.
    const wanted = new Set(keys)
    return new Map(
      rows
        .filter((row) => wanted.has(row.option_name))
        .map((row) => [row.option_name, String(row.option_value ?? '')]),
    )
  }

  async function insert(executor: Kysely<Tables>, values: [key: string, text: string][]): Promise<void> {
    if (values.length === 0) return
    const autoload = await usualAutoload(executor)
    await executor
      .insertInto(t.options)
      .values(values.map(([option_name, option_value]) => ({ option_name, option_value, autoload })))
      .execute()
  }

  /** WordPress before 6.6 knows yes and no, later ones on, off and auto: new rows use what this installation uses. */
  async function usualAutoload(executor: Kysely<Tables>): Promise<string> {
    const rows = await executor.selectFrom(t.options).select('autoload').distinct().execute()
    const used = rows.map((row) => row.autoload)
    return ['auto', 'on', 'yes'].find((value) => used.includes(value)) ?? 'yes'
  }

  async function swap(key: string, stored: string | undefined, next: string): Promise<boolean> {
    try {
      if (stored === undefined) {
        await insert(db, [[key, next]])
        return true
      }
      const result = await db
        .updateTable(t.options)
        .set({ option_value: next })
        .where('option_name', '=', key)
        .where(dialect.sameBytes('option_value', stored))
        .executeTakeFirst()
      return result.numUpdatedRows > 0n
    } catch (error) {
      // Somebody else was faster: with the same new row, or with a lock that made the database give up this statement.
      if (dialect.isUnique(error) || dialect.isRetryable(error)) return false
      throw error
    }
  }

  /** @returns the keys whose text is now another one */
  async function writeRows(
    trx: Kysely<Tables>,
    stored: Map<string, string>,
    values: Record<string, string>,
  ): Promise<string[]> {
    // In one order in all processes, so that two writers do not wait for each other.
    const changes = Object.entries(values)
      .filter(([key, value]) => stored.get(key) !== value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
    for (const [key, value] of changes) {
      if (!stored.has(key)) continue
      await trx.updateTable(t.options).set({ option_value: value }).where('option_name', '=', key).execute()
    }
    const added = changes.filter(([key]) => !stored.has(key))
    await insert(trx, added)
    return changes.map(([key]) => key)
  }

  const store: OptionsStore = {
    getMany,

    async get(key) {
      return (await getMany([key])).get(key)
    },

    set: (values) => store.change(Object.keys(values), () => values),

    async change(keys, change, { alone = false } = {}) {
      const changedKeys = await database.transaction(async (trx) => {
        if (alone) await guard(database, trx, 'settings')
        const stored = await getMany(keys, trx, dialect.locksRows)
        const values = change(stored)
        Object.keys(values).forEach(assertOwn)
        return writeRows(trx, stored, values)
      })
      if (changedKeys.length > 0) changed(changedKeys)
    },

    update: (key, change, beside = []) =>
      inTurn(key, async () => {
        assertOwn(key)
        for (let attempt = 1; attempt <= casTries; attempt++) {
          const rows = await getMany([key, ...beside])
          const stored = rows.get(key)
          const next = change(stored, rows)
          if (next === undefined || next === stored) return stored
          if (await swap(key, stored, next)) {
            changed([key])
            return next
          }
          await delay(Math.random() * 10 * attempt)
        }
        throw unavailable(
          new Error(`The option ${key} changed ${casTries} times while it was being written.`),
        )
      }),
  }
  return store
}

// The `svc_` rows of the CMS's options table: read, written, and changed without losing what PHP writes meanwhile.
import { setTimeout as delay } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import { autoloadValue } from '../db/autoload.ts'
import type { Database } from '../db/connect.ts'
import { guard } from '../db/guard.ts'
import { prepared } from '../db/prepared.ts'
import type { Tables } from '../db/tables.ts'
import { timeLeft } from '../deadline.ts'
import { unavailable } from '../errors.ts'
import { keyedQueue } from './keyed-queue.ts'

/** Told after commit which rows changed, so that the host can drop the CMS's object cache for them; waited for. */
export type OptionsChanged = (keys: string[]) => unknown

type MaybeLater<T> = T | Promise<T>

export interface OptionsStore {
  get(key: string): Promise<string | undefined>
  /** Stored texts by key; absent rows are absent. With `lock` nobody else writes the rows until the transaction ends. */
  getMany(keys: readonly string[], executor?: Kysely<Tables>, lock?: boolean): Promise<Map<string, string>>
  /** Writes all or none. */
  set(values: Record<string, string>): Promise<void>
  /**
   * All or none, by what is stored: `change` gets the rows of `keys` inside the transaction that locks them, and returns
   * the texts to write. What it throws undoes everything.
   * @param options `alone`: no other such change happens meanwhile in any process, whatever its keys; `first`: what
   *   else belongs to the change, before it in the same transaction
   */
  change(
    keys: readonly string[],
    change: (stored: Map<string, string>) => Record<string, string>,
    options?: { alone?: boolean; first?: ((trx: Kysely<Tables>) => Promise<void>) | undefined },
  ): Promise<void>
  /**
   * Compare-and-swap: `change` gets the stored text and returns the new one, or undefined to leave the row alone.
   * It may run several times; a value written by others in between is never overwritten.
   * @param options `beside`: keys that are read together with the row; `made`: what the write made, for those who
   *   remember it in the write's transaction
   * @returns the text that is stored afterwards
   */
  update(
    key: string,
    change: (stored: string | undefined, beside: Map<string, string>) => MaybeLater<string | undefined>,
    options?: { beside?: readonly string[]; made?: () => unknown },
  ): Promise<string | undefined>
  /** Writes inside a transaction of the caller's, which calls `announce` after its commit. Undefined removes a row. */
  put(trx: Kysely<Tables>, values: Record<string, string | undefined>): Promise<void>
  /** Tells which rows changed, after commit. */
  announce(keys: string[]): Promise<void>
}

const casTries = 20

export function optionsStore(database: Database, changed: OptionsChanged): OptionsStore {
  const { db, t, dialect } = database
  const inTurn = keyedQueue()

  const selectRows = (keys: string[]) =>
    db.selectFrom(t.options).select(['option_name', 'option_value']).where('option_name', 'in', keys)
  const plainRead = prepared((...keys: string[]) => selectRows(keys))
  const lockingRead = prepared((...keys: string[]) => selectRows(keys).forUpdate())

  function assertOwn(key: string): void {
    if (!/^svc_./.test(key)) throw new Error(`The option "${key}" is not ours to write.`)
  }

  async function getMany(keys: readonly string[], executor = db, lock = false): Promise<Map<string, string>> {
    if (keys.length === 0) return new Map()
    const rows = await (lock ? lockingRead : plainRead)(executor, ...keys)
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
    const autoload = await autoloadValue(executor, t, 'always')
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

  /** False when somebody else was faster. */
  async function swap(
    executor: Kysely<Tables>,
    key: string,
    stored: string | undefined,
    next: string,
  ): Promise<boolean> {
    if (stored === undefined) return insertFirst(executor, key, next)
    const result = await executor
      .updateTable(t.options)
      .set({ option_value: next })
      .where('option_name', '=', key)
      .where(dialect.sameBytes('option_value', stored))
      .executeTakeFirst()
    return result.numUpdatedRows > 0n
  }

  async function put(trx: Kysely<Tables>, values: Record<string, string | undefined>): Promise<void> {
    // In one order in all processes, so that two writers do not wait for each other.
    const keys = Object.keys(values).sort()
    keys.forEach(assertOwn)
    const existing = await getMany(keys, trx)
    for (const key of keys) {
      const value = values[key]
      if (value === undefined) await trx.deleteFrom(t.options).where('option_name', '=', key).execute()
      else if (existing.has(key) || !(await insertFirst(trx, key, value)))
        await trx.updateTable(t.options).set({ option_value: value }).where('option_name', '=', key).execute()
    }
  }

  return {
    getMany,
    put,
    announce: async (keys) => void (await changed(keys)),

    async get(key) {
      return (await getMany([key])).get(key)
    },

    async set(values) {
      await database.transaction((trx) => put(trx, values))
      await changed(Object.keys(values))
    },

    async change(keys, change, { alone = false, first } = {}) {
      const changedKeys = await database.transaction(async (trx) => {
        await first?.(trx)
        if (alone) await guard(database, trx, 'settings')
        const stored = await getMany(keys, trx, dialect.locksRows)
        const changes = Object.entries(change(stored)).filter(([key, value]) => stored.get(key) !== value)
        await put(trx, Object.fromEntries(changes))
        return changes.map(([key]) => key)
      })
      if (changedKeys.length > 0) await changed(changedKeys)
    },

    async update(key, change, { beside = [], made } = {}) {
      assertOwn(key)
      const { text, isWritten } = await inTurn(key, async () => {
        for (let attempt = 1; attempt <= casTries; attempt++) {
          const rows = await getMany([key, ...beside])
          const stored = rows.get(key)
          const next = await change(stored, rows)
          if (next === undefined || next === stored) return { text: stored, isWritten: false }
          if (await swapped(key, stored, next, made)) return { text: next, isWritten: true }
          await delay(timeLeft(Math.random() * 10 * attempt))
        }
        throw unavailable(
          new Error(`The option ${key} changed ${casTries} times while it was being written.`),
        )
      })
      // Behind the turn: a listener must not hold up those who write after.
      if (isWritten) await changed([key])
      return text
    },
  }

  async function swapped(key: string, stored: string | undefined, next: string, made?: () => unknown) {
    try {
      if (!made) return await swap(db, key, stored, next)
      // In a transaction, so that what is remembered of the request stands or falls with the write.
      const result = await database.transaction(async (trx) =>
        (await swap(trx, key, stored, next)) ? made() : undefined,
      )
      return result !== undefined
    } catch (error) {
      // A lock made the database give up this statement: as good as somebody else being faster.
      if (dialect.isRetryable(error)) return false
      throw error
    }
  }
}

// Reads and writes `svc_` rows of the CMS's options table, without losing concurrent changes by PHP.
import { setTimeout as delay } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import { type NotedChange, noteChange } from '../core/change.ts'
import { timeLeft } from '../core/deadline.ts'
import { unavailable } from '../core/unavailable.ts'
import type { Database } from '../db/connect.ts'
import { guard } from '../db/guard.ts'
import { prepared } from '../db/prepared.ts'
import type { ReadOptions } from '../db/repository.ts'
import type { Tables } from '../db/tables.ts'
import { keyedQueue } from './keyed-queue.ts'

/** Called and awaited after commit with the changed keys, so that the host can drop them from the CMS's object cache. */
export type OptionsChanged = (keys: string[]) => unknown

export type OptionsStore = ReturnType<typeof optionsStore>

/** Values to store by key; undefined deletes the row. */
type Values = Record<string, string | undefined>

/** Options of `change`, which writes several rows or none. */
export interface RowChangeOptions {
  /** Waits for all other exclusive changes, in any process and whatever their keys. Default false. */
  isExclusive?: boolean
  /** Runs before the rows are read, in the same transaction. */
  prepare?: ((trx: Kysely<Tables>) => Promise<void>) | undefined
  /** Returns the changes to report to listeners and the audit trail. It gets the keys whose values change. */
  noted?: ((keys: readonly string[]) => NotedChange[]) | undefined
}

/** Options of `update`, which writes one row. */
export interface RowUpdateOptions {
  /** Keys of other rows that `change` reads, but does not write. */
  alsoRead?: readonly string[]
  /** Runs in the transaction of the write, to record what it created for requests with the same Idempotency-Key. */
  remember?: ((trx: Kysely<Tables>) => Promise<void>) | undefined
  /** Returns the change to report to listeners and the audit trail. Called when the value is written, with the new value. */
  noted?: ((next: string) => NotedChange) | undefined
}

/** Compare-and-swaps of one write before the API responds that it is busy. */
const maxAttempts = 20

/**
 * Reads and writes the rows of one installation.
 * @param changed called and awaited after the commit of each write, with the changed keys
 * @throws Error from all functions that write, for a key that does not start with `svc_`
 */
export function optionsStore(database: Database, changed: OptionsChanged) {
  const { db, t, dialect } = database
  const queued = keyedQueue()

  const selectRows = (keys: string[]) =>
    db.selectFrom(t.options).select(['option_name', 'option_value']).where('option_name', 'in', keys)
  const plainRead = prepared((...keys: string[]) => selectRows(keys))
  const lockingRead = prepared((...keys: string[]) => selectRows(keys).forUpdate())

  /** A mistake of this program: options of the CMS and of its other plugins must never be written. */
  function assertSvcKey(key: string): void {
    if (!/^svc_./.test(key)) throw new Error(`The option "${key}" must not be written by this API.`)
  }

  /** Stored values by key, of the existing rows. `lock` locks the rows until the transaction ends. */
  async function getMany(
    keys: readonly string[],
    executor = db,
    { lock = false }: ReadOptions = {},
  ): Promise<Map<string, string>> {
    if (keys.length === 0) return new Map()
    const rows = await (lock ? lockingRead : plainRead)(executor, ...keys)
    const requested = new Set(keys)
    const values = new Map<string, string>()
    for (const { option_name, option_value } of rows) {
      // The collation may match names in other case; only exact ones count.
      if (requested.has(option_name)) values.set(option_name, String(option_value ?? ''))
    }
    return values
  }

  /**
   * The value of the column `autoload` that makes the CMS load the row with every page. Its versions have different ones, so one
   * that the installation uses already, else the oldest one.
   */
  async function autoloadValue(executor: Kysely<Tables>): Promise<string> {
    const rows = await executor.selectFrom(t.options).select('autoload').distinct().execute()
    const used = new Set(rows.map((row) => row.autoload))
    return ['auto', 'on', 'yes'].find((value) => used.has(value)) ?? 'yes'
  }

  /** Creates the row; false if a concurrent writer was faster. */
  async function insertFirst(executor: Kysely<Tables>, key: string, value: string): Promise<boolean> {
    const autoload = await autoloadValue(executor)
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

  /** Writes the value if the row still has the stored one; false if a concurrent writer was faster. */
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

  /** Writes in a transaction of the caller, who calls `announce` after its commit. Undefined deletes a row. */
  async function put(trx: Kysely<Tables>, values: Values): Promise<void> {
    // In the same order in all processes, so that two writers do not deadlock.
    const keys = Object.keys(values).sort()
    keys.forEach(assertSvcKey)
    const existing = await getMany(keys, trx)
    for (const key of keys) {
      const value = values[key]
      if (value === undefined) await trx.deleteFrom(t.options).where('option_name', '=', key).execute()
      else if (existing.has(key) || !(await insertFirst(trx, key, value)))
        await trx.updateTable(t.options).set({ option_value: value }).where('option_name', '=', key).execute()
    }
  }

  /** Swaps the value in a transaction of its own; false if a concurrent writer was faster, or holds a lock. */
  async function swapInTransaction(
    key: string,
    stored: string | undefined,
    next: string,
    { remember, noted }: RowUpdateOptions,
  ): Promise<boolean> {
    try {
      // In a transaction, so that the record of the request is written if and only if the value is, and nothing is
      // written once the request was refused.
      const result = await database.transaction(
        async (trx) => {
          if (!(await swap(trx, key, stored, next))) return undefined
          if (noted) noteChange(trx, noted(next))
          await remember?.(trx)
          return true
        },
        async () => {
          const current = (await getMany([key])).get(key)
          if (current === next) return true
          // Another writer may have replaced this value already.
          return current === stored ? false : undefined
        },
      )
      return result !== undefined
    } catch (error) {
      // The statement failed because of a lock: as if a concurrent writer had been faster.
      if (dialect.isRetryable(error)) return false
      throw error
    }
  }

  return {
    getMany,
    put,

    /** Reports the keys that `put` has changed. Call it after the commit. */
    announce: async (keys: string[]) => void (await changed(keys)),

    /** The stored value; undefined if there is no row. */
    async get(key: string): Promise<string | undefined> {
      return (await getMany([key])).get(key)
    },

    /**
     * Writes all values or none, depending on what is stored. `change` gets the locked rows of `keys` and returns the values
     * to write. The transaction is rolled back if it throws. Both run again after a deadlock.
     * @returns what `change` returned, including values that were stored already and therefore not written
     */
    async change(
      keys: readonly string[],
      change: (stored: Map<string, string>) => Record<string, string>,
      { isExclusive = false, prepare, noted }: RowChangeOptions = {},
    ): Promise<Record<string, string>> {
      const { values, changedKeys } = await database.transaction(async (trx) => {
        await prepare?.(trx)
        if (isExclusive) await guard(database, trx, 'settings')
        const stored = await getMany(keys, trx, { lock: dialect.locksRows })
        const values = change(stored)
        const changes = Object.entries(values).filter(([key, value]) => stored.get(key) !== value)
        await put(trx, Object.fromEntries(changes))
        const changedKeys = changes.map(([key]) => key)
        for (const change of noted?.(changedKeys) ?? []) noteChange(trx, change)
        return { values, changedKeys }
      })
      if (changedKeys.length > 0) await changed(changedKeys)
      return values
    },

    /**
     * Compare-and-swap: `change` gets the stored value, and the rows of `key` and `alsoRead`. It returns the new value, or
     * undefined to keep the row. It may run several times; concurrent writes are never overwritten.
     * @returns the value that is stored afterwards; undefined if there is no row
     * @throws SvcError 503 if other writers were faster `maxAttempts` times
     */
    async update(
      key: string,
      change: (
        stored: string | undefined,
        rows: Map<string, string>,
      ) => string | undefined | Promise<string | undefined>,
      { alsoRead = [], ...options }: RowUpdateOptions = {},
    ): Promise<string | undefined> {
      assertSvcKey(key)
      const { text, isWritten } = await queued(key, async () => {
        for (let attempt = 1; attempt <= maxAttempts; attempt++) {
          const rows = await getMany([key, ...alsoRead])
          const stored = rows.get(key)
          const next = await change(stored, rows)
          if (next === undefined || next === stored) return { text: stored, isWritten: false }
          if (await swapInTransaction(key, stored, next, options)) return { text: next, isWritten: true }
          await delay(timeLeft(Math.random() * 10 * attempt))
        }
        throw unavailable(
          'busy',
          new Error(`The option ${key} changed ${maxAttempts} times while it was being written.`),
        )
      })
      // Outside of the queue, so that a listener does not delay later writers.
      if (isWritten) await changed([key])
      return text
    },
  }
}

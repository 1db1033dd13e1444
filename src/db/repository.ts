// What repositories share: the steps of writes of a resource with an id, short statements, and how rows become resources.
import type { InsertResult, Kysely, SelectQueryBuilder } from 'kysely'
import { type ChangedResource, type NotedChange, noteChange } from '../core/change.ts'
import { membersOf } from '../core/foreign.ts'
import type { Check, Unreadable, WriteOptions, Written } from '../core/resource.ts'
import { readStoredJson } from './stored-json.ts'
import { shapes, type TableName, type Tables } from './tables.ts'
import type { Totals } from './totals.ts'
import { type Transaction, verifyByState, type WriteTransaction } from './transaction.ts'

/** `lock` locks the row until the transaction ends. */
export interface ReadOptions {
  lock?: boolean
}

/** What writes need of a resource as `find` returns it. */
interface StoredResource {
  resource: { id: number }
  state: string
}

/** `F` is the resource as `find` returns it, `Ref` what a path names it by: an id, or another reference. */
interface Writes<F extends StoredResource, Ref> {
  /** Name of the resource in changes. */
  resource: ChangedResource
  /** The resource as GET returns it; undefined if it does not exist. */
  find(ref: Ref | number, executor?: Kysely<Tables>, options?: ReadOptions): Promise<F | undefined>
  transaction: Transaction
  /** The guard of the table, if removing a row changes other rows. */
  lockTable?(trx: Kysely<Tables>): Promise<void>
}

/**
 * What the writes of a resource share. A write calls `write`, changes its rows, and returns the result of `created` or `updated`.
 */
export function resourceWrites<F extends StoredResource, Ref = number>(writes: Writes<F, Ref>) {
  const { resource, find, transaction, lockTable } = writes

  /**
   * The end of a write: reads the resource back if that is wanted, notes the change, and remembers the id for a repeated request.
   * Undefined if the resource does not exist.
   */
  async function written(
    trx: WriteTransaction,
    id: number,
    { readBack, remember }: WriteOptions,
    change: Pick<NotedChange, 'action' | 'before'>,
  ): Promise<Written<F> | undefined> {
    const found = readBack ? await find(id, trx) : undefined
    if (readBack && !found) return undefined
    noteChange(trx, { resource, id, ...change, after: found?.state })
    await remember?.(trx, id)
    return { id, found, isNew: change.action === 'created' }
  }

  return {
    /** Runs a write in a transaction, which may run it several times. */
    write: (work: (trx: WriteTransaction) => Promise<Written<F> | undefined>) =>
      transaction(work, verifyByState(find)),

    /** The end of a write that inserted a row. */
    created: (trx: WriteTransaction, id: number, options: WriteOptions) =>
      written(trx, id, options, { action: 'created' }),

    /** The end of a write that changed a resource it had read before. */
    updated: (trx: WriteTransaction, { resource: { id }, state }: F, options: WriteOptions) =>
      written(trx, id, options, { action: 'updated', before: state }),

    /**
     * Removes a resource.
     * @param remove deletes its rows
     * @returns its id; undefined if it does not exist
     * @throws whatever `check` throws
     */
    remove(
      ref: Ref,
      check: Check | undefined,
      remove: (trx: WriteTransaction, stored: F) => Promise<void>,
    ): Promise<number | undefined> {
      return transaction(
        async (trx) => {
          await lockTable?.(trx)
          const stored = await find(ref, trx, { lock: true })
          if (!stored) return undefined
          await check?.(stored)
          await remove(trx, stored)
          const { id } = stored.resource
          noteChange(trx, { resource, action: 'deleted', id, before: stored.state })
          return id
        },
        // Verifies the removal, if the connection is lost at COMMIT.
        async (id) => (await find(id ?? ref)) === undefined,
      )
    },
  }
}

/** Transactions that clear these caches after COMMIT, so that totals are counted again. */
export const thenForget =
  (transaction: Transaction, ...caches: Pick<Totals, 'forget'>[]): Transaction =>
  async (work, verify) => {
    const result = await transaction(work, verify)
    for (const cache of caches) cache.forget()
    return result
  }

/** Runs an INSERT of one row. @returns the id of the row */
export async function insertedId(insert: {
  executeTakeFirstOrThrow(): Promise<InsertResult>
}): Promise<number> {
  return Number((await insert.executeTakeFirstOrThrow()).insertId)
}

/** Runs the query as a count. @returns the number of rows that it matches */
export async function countOf<DB, T extends keyof DB, O>(
  rows: SelectQueryBuilder<DB, T, O>,
): Promise<number> {
  const row = await rows.select((eb) => eb.fn.countAll().as('total')).executeTakeFirstOrThrow()
  return Number(membersOf(row).total)
}

/** Whether the query matches a row. */
export const isAny = async (rows: { executeTakeFirst(): Promise<unknown> }): Promise<boolean> =>
  (await rows.executeTakeFirst()) !== undefined

/** Columns with JSON lists; all other blobs contain objects. */
const lists = new Set(['elements', 'designs'])

/**
 * A row as responses carry it: texts and numbers without null; blobs as JSON texts, or null if the stored value cannot be read.
 * Columns that were not selected are left out.
 * @param fields the property of the resource by column
 * @param state tag of the row, if it is known: then its blobs need not be hashed again
 */
export function readRow<R>(
  table: TableName,
  fields: Readonly<Record<string, keyof R & string>>,
  row: object & { ID: number },
  state?: string,
): { resource: Partial<R>; unreadable: Unreadable[] } {
  const unreadable: Unreadable[] = []
  const propertyValue = (column: string, value: unknown) => {
    const kind = shapes[table].columns[column]?.kind
    if (kind === 'text') return value ?? ''
    if (kind !== 'blob') return value ?? 0
    const empty = lists.has(column) ? '[]' : '{}'
    const json = readStoredJson(value as string | null, empty, state && `${state} ${column}`)
    if (json === undefined) unreadable.push({ id: row.ID, column })
    return json ?? null
  }
  const values = row as Readonly<Record<string, unknown>>
  // A loop, because lists read many rows.
  const resource: Record<string, unknown> = {}
  for (const column in fields) {
    const value = values[column]
    if (value !== undefined) resource[fields[column] as string] = propertyValue(column, value)
  }
  // Each property has the type that the schema of its column implies.
  return { resource: resource as Partial<R>, unreadable }
}

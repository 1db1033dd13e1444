// What repositories have in common: the transactions around the writes of a resource with an id, short statements, and how
// rows become resources.
import type { InsertResult, Kysely, SelectQueryBuilder } from 'kysely'
import { type ChangedResource, type NotedChange, noteChange } from '../core/change.ts'
import type { Check, Unreadable, WriteOptions, Written } from '../core/resource.ts'
import { readStoredJson } from './stored-json.ts'
import { shapes, type TableName, type Tables } from './tables.ts'
import type { Totals } from './totals.ts'
import { isWritten, type Transaction } from './transaction.ts'

/** `lock` locks the row until the transaction ends. */
export interface ReadOptions {
  lock?: boolean
}

interface Stored {
  resource: { id: number }
  state: string
}

interface Writes<F extends Stored, Ref> {
  /** What the changes are about. */
  resource: ChangedResource
  /** The resource as GET returns it. */
  find(ref: Ref | number, executor?: Kysely<Tables>, options?: ReadOptions): Promise<F | undefined>
  transaction: Transaction
  /** The guard of the table, where removing a row concerns others. */
  enter?(trx: Kysely<Tables>): Promise<void>
}

/** What the writes of a resource have in common. */
export function resourceWrites<F extends Stored, Ref = number>(writes: Writes<F, Ref>) {
  const { resource, find, transaction, enter } = writes

  /** The end of a write: reads the resource back, notes the change, and remembers it for a repeated request. */
  async function written(
    trx: Kysely<Tables>,
    id: number,
    { readBack, remember }: WriteOptions,
    change: Pick<NotedChange, 'action' | 'before'> | undefined,
  ): Promise<Written<F> | undefined> {
    const found = readBack ? await find(id, trx) : undefined
    if (readBack && !found) return undefined
    if (change) noteChange({ resource, id, ...change, after: found?.state })
    await remember?.(trx, id)
    return { id, found, isNew: change?.action === 'created' }
  }

  return {
    /** Runs a write in a transaction, which is retried and committed. */
    write: (work: (trx: Kysely<Tables>) => Promise<Written<F> | undefined>) =>
      transaction(work, isWritten(find)),

    /** The end of a write that inserted a row. */
    created: (trx: Kysely<Tables>, id: number, options: WriteOptions) =>
      written(trx, id, options, { action: 'created' }),

    /** The end of a write that changed what it had found. */
    updated: (trx: Kysely<Tables>, { resource: { id }, state }: F, options: WriteOptions) =>
      written(trx, id, options, { action: 'updated', before: state }),

    /** The end of a write that did not read the state before. */
    written,

    /** The id of the removed resource; undefined when there is none. @throws whatever `check` throws */
    remove(
      ref: Ref,
      check: Check | undefined,
      remove: (trx: Kysely<Tables>, found: F) => Promise<void>,
    ): Promise<number | undefined> {
      return transaction(
        async (trx) => {
          await enter?.(trx)
          const found = await find(ref, trx, { lock: true })
          if (!found) return undefined
          await check?.(found)
          await remove(trx, found)
          const { id } = found.resource
          noteChange({ resource, action: 'deleted', id, before: found.state })
          return id
        },
        async (id) => (await find(id ?? ref)) === undefined,
      )
    },
  }
}

/** The transactions of a database, after which totals, or what else is remembered of its rows, are read again. */
export const thenForget =
  (transaction: Transaction, ...remembered: Pick<Totals, 'forget'>[]): Transaction =>
  async (work, committed) => {
    const result = await transaction(work, committed)
    for (const each of remembered) each.forget()
    return result
  }

/** The id that the row of this statement gets. */
export async function insertedId(insert: {
  executeTakeFirstOrThrow(): Promise<InsertResult>
}): Promise<number> {
  return Number((await insert.executeTakeFirstOrThrow()).insertId)
}

/** The number of rows that the statement matches. */
export async function countOf<DB, T extends keyof DB, O>(
  rows: SelectQueryBuilder<DB, T, O>,
): Promise<number> {
  const row = await rows.select((eb) => eb.fn.countAll().as('total')).executeTakeFirstOrThrow()
  return Number(Reflect.get(row, 'total'))
}

/** Whether the statement matches a row. */
export const isAny = async (rows: { executeTakeFirst(): Promise<unknown> }): Promise<boolean> =>
  (await rows.executeTakeFirst()) !== undefined

/** Blobs with lists; all others hold objects. */
const lists = new Set(['elements', 'designs'])

/**
 * What was read of a row, as responses carry it: texts and numbers without null, blobs as JSON texts, null where the stored
 * value cannot be read.
 * @param fields the property of each column
 * @param state tag of the row where it is known, so that its blobs need not be hashed again
 */
export function readRow<R>(
  table: TableName,
  fields: Readonly<Record<string, keyof R & string>>,
  row: object & { ID: number },
  state?: string,
): { resource: Partial<R>; unreadable: Unreadable[] } {
  const unreadable: Unreadable[] = []
  const read = (column: string, value: unknown) => {
    const kind = shapes[table].columns[column]?.kind
    if (kind === 'text') return value ?? ''
    if (kind !== 'blob') return value ?? 0
    const empty = lists.has(column) ? '[]' : '{}'
    const json = readStoredJson(value as string | null, empty, state && `${state} ${column}`)
    if (json === undefined) unreadable.push({ id: row.ID, column })
    return json ?? null
  }
  // A loop, because lists read many rows.
  const resource: Record<string, unknown> = {}
  for (const column in fields) {
    const value: unknown = Reflect.get(row, column)
    if (value !== undefined) resource[fields[column] as string] = read(column, value)
  }
  return { resource: resource as Partial<R>, unreadable }
}

// What repositories have in common: the transactions around the writes of a resource with an id, short statements, and how
// rows become resources.
import type { InsertResult, Kysely, SelectQueryBuilder } from 'kysely'
import { type ChangedResource, noteChange } from '../core/change.ts'
import { readBack, type Unread } from '../core/read-back.ts'
import type { Check, Unreadable } from '../core/resource.ts'
import type { Database } from './connect.ts'
import { type GuardName, guard } from './guard.ts'
import { readStoredJson } from './stored-json.ts'
import { shapes, type TableName, type Tables } from './tables.ts'
import { type Committed, isThere } from './transaction.ts'

interface Kept {
  resource: { id: number }
  state: string
}

type Run = <T>(
  work: (trx: Kysely<Tables>) => Promise<T>,
  committed: Committed<T>,
  isGuarded?: boolean,
) => Promise<T>

interface Writes<F extends Kept, Ref> {
  /** What the changes are about. */
  resource: ChangedResource
  /** The resource as GET returns it; `lock` locks its row. */
  find(ref: Ref | number, executor?: Kysely<Tables>, lock?: boolean): Promise<F | undefined>
  run: Run
}

/**
 * Runs writes in transactions, under the guard unless one touches a single row and nothing else.
 * @param after called after each
 */
export const underGuard =
  (database: Database, name: GuardName, after = () => {}): Run =>
  async (work, committed, isGuarded = true) => {
    const result = await database.transaction(async (trx) => {
      if (isGuarded) await guard(database, trx, name)
      return work(trx)
    }, committed)
    after()
    return result
  }

/** Creates, changes and removes a resource: found under a lock, checked, written, noted, read back. */
export function resourceWrites<F extends Kept, Ref = number>({ resource, find, run }: Writes<F, Ref>) {
  /** Runs a write and returns the resource whose id it returns. */
  function write(
    work: (trx: Kysely<Tables>) => Promise<number | undefined>,
    isGuarded?: boolean,
  ): Promise<F | Unread | undefined> {
    const written = async (trx: Kysely<Tables>) => {
      const id = await work(trx)
      return id === undefined ? undefined : readBack(id, () => find(id, trx))
    }
    return run(written, isThere(find), isGuarded)
  }

  /** Changes or removes a resource under its lock. @returns its id; undefined when there is none */
  async function apply(
    trx: Kysely<Tables>,
    action: 'updated' | 'deleted',
    ref: Ref,
    check: Check | undefined,
    change: (trx: Kysely<Tables>, found: F) => Promise<void>,
  ): Promise<number | undefined> {
    const found = await find(ref, trx, true)
    if (!found) return undefined
    await check?.(found)
    await change(trx, found)
    const { id } = found.resource
    noteChange({ resource, action, id, before: found.state })
    return id
  }

  return {
    write,

    /** @param insert the id of the new row; undefined if there is nothing to create it from */
    create(insert: (trx: Kysely<Tables>) => Promise<number | undefined>, isGuarded?: boolean) {
      return write(async (trx) => {
        const id = await insert(trx)
        if (id !== undefined) noteChange({ resource, action: 'created', id })
        return id
      }, isGuarded)
    },

    /** @throws whatever `check` throws */
    update(
      ref: Ref,
      check: Check | undefined,
      change: (trx: Kysely<Tables>, found: F) => Promise<void>,
      isGuarded?: boolean,
    ) {
      return write((trx) => apply(trx, 'updated', ref, check, change), isGuarded)
    },

    /** The id of the removed resource; undefined when there is none. @throws whatever `check` throws */
    remove(
      ref: Ref,
      check: Check | undefined,
      remove: (trx: Kysely<Tables>, found: F) => Promise<void>,
    ): Promise<number | undefined> {
      return run(
        (trx) => apply(trx, 'deleted', ref, check, remove),
        async (id) => (await find(id ?? ref)) === undefined,
      )
    },
  }
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

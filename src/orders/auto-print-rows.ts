// The rows of `svc_auto_prints`: each item of an order is added once, leased to one process at a time, and stays after it was printed,
// so that it is not printed again.
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { noteChange, type WithNotedChanges } from '../core/change.ts'
import type { Database } from '../db/connect.ts'
import { guard } from '../db/guard.ts'
import { retried } from '../db/transaction.ts'
import type { OrderType } from './source.ts'

/** The ids of an item to print; the item 0 stands for the whole order. */
export interface ItemIds {
  orderId: number
  itemId: number
}

/** An item that this process has leased. */
export interface LeasedItem extends ItemIds {
  type: OrderType
  /** The job that an earlier attempt made; 0 if there is none. */
  jobId: number
  /** How many attempts failed. */
  attempts: number
  /** Random id of the lease. */
  owner: string
}

/** The final state of an item. `printed`: it has a job, whose status says whether that failed. `empty`: there is nothing of it to print. */
type Outcome = 'printed' | 'empty' | 'failed'

/** Seconds for an attempt until its job is made. */
const leaseSeconds = 30
/** Among so many due items, `take` looks for one that no other process has leased. */
const candidates = 20
/** Rows of one statement. */
const batch = 500

/** The rows of one database. */
export function autoPrintRows({ db, t, dialect, ...database }: Database) {
  const table = t.auto_prints
  const { transaction } = database

  /** SQL: whether a row is that of this item. */
  const isItem = ({ type, orderId, itemId }: ItemIds & { type: OrderType }) =>
    sql<SqlBool>`order_type = ${type} and order_id = ${orderId} and item_id = ${itemId}`

  /** Changes a row if this process still has its lease. */
  async function change(item: LeasedItem, values: object, executor = db): Promise<boolean> {
    const { numUpdatedRows } = await executor
      .updateTable(table)
      .set(values)
      .where(isItem(item))
      .where('lease_owner', '=', item.owner)
      .executeTakeFirst()
    return numUpdatedRows > 0n
  }

  /** Changes a row and ends its lease. */
  const endLease = (item: LeasedItem, values: object) =>
    retried(dialect, () => change(item, { ...values, lease_owner: '', lease_until: 0 }))

  /** Inserts the items that have no row; returns them. */
  async function insertMissing(trx: typeof db, type: OrderType, items: readonly ItemIds[], state: string) {
    const added: ItemIds[] = []
    for (let start = 0; start < items.length; start += batch) {
      const chunk = items.slice(start, start + batch)
      const existing = await trx
        .selectFrom(table)
        .select(['order_id', 'item_id'])
        .where('order_type', '=', type)
        .where(
          'order_id',
          'in',
          chunk.map(({ orderId }) => orderId),
        )
        .execute()
      const names = new Set(existing.map(({ order_id, item_id }) => `${order_id}:${item_id}`))
      const missing = chunk.filter(({ orderId, itemId }) => !names.has(`${orderId}:${itemId}`))
      if (missing.length === 0) continue
      const rows = missing.map(({ orderId, itemId }) => ({
        order_type: type,
        order_id: orderId,
        item_id: itemId,
        state,
        added_at: dialect.now,
      }))
      await trx.insertInto(table).values(rows).execute()
      added.push(...missing)
    }
    return added
  }

  return {
    /**
     * Adds the items that have no row. @returns those that were added
     * @param state `earlier` for items that were printable before automatic printing began: they are never printed
     */
    add: (type: OrderType, items: readonly ItemIds[], state: 'waiting' | 'earlier' = 'waiting') =>
      transaction(async (trx) => {
        await guard({ t, dialect, ...database }, trx, 'auto_prints')
        const added = await insertMissing(trx, type, items, state)
        if (state === 'waiting') notePrintable(trx, type, added)
        return added
      }),

    /** Leases the item that has been due longest, or the item `only`; undefined if none is due, or other processes take all of them. */
    async take(owner: string, only?: ItemIds & { type: OrderType }): Promise<LeasedItem | undefined> {
      const due = await db
        .selectFrom(table)
        .select(['order_type', 'order_id', 'item_id', 'job_id', 'attempts'])
        .where('state', '=', 'waiting')
        .where('next_at', '<=', dialect.now)
        .where('lease_until', '<=', dialect.now)
        .$if(only !== undefined, (query) => query.where(only ? isItem(only) : sql<SqlBool>`1 = 1`))
        .orderBy('next_at')
        .limit(candidates)
        .execute()
      for (const row of due) {
        const name = { orderId: Number(row.order_id), itemId: Number(row.item_id) }
        const item = { ...name, type: row.order_type as OrderType, jobId: Number(row.job_id), owner }
        const lease = { lease_owner: owner, lease_until: sql<number>`${dialect.now} + ${leaseSeconds}` }
        const { numUpdatedRows } = await retried(dialect, () =>
          db
            .updateTable(table)
            .set(lease)
            .where(isItem(item))
            .where('state', '=', 'waiting')
            .where('next_at', '<=', dialect.now)
            .where('lease_until', '<=', dialect.now)
            .executeTakeFirst(),
        )
        if (numUpdatedRows > 0n) return { ...item, attempts: Number(row.attempts) }
      }
      return undefined
    },

    /** Records the job of an item, in the transaction that makes it. @throws LeaseLost if another process has the item */
    async recordJob(trx: typeof db, item: LeasedItem, jobId: number): Promise<void> {
      if (!(await change(item, { job_id: jobId }, trx))) throw new LeaseLost()
    },

    /** Records the final state of an item; does nothing if the lease was lost. */
    end: (item: LeasedItem, state: Outcome, { error = '', jobId = item.jobId } = {}) =>
      endLease(item, { state, error: error.slice(0, 255), job_id: jobId }),

    /** Makes an item due again in so many seconds, unless the lease was lost. `isFailure`: whether the attempt counts as failed. */
    retryLater: (
      item: LeasedItem,
      { seconds, isFailure, error }: { seconds: number; isFailure: boolean; error: string },
    ) =>
      endLease(item, {
        next_at: sql<number>`${dialect.now} + ${seconds}`,
        attempts: item.attempts + (isFailure ? 1 : 0),
        error: error.slice(0, 255),
      }),

    /** Deletes the row of an item whose order is no longer to be printed, so that it is added again when it is. */
    async forget(item: LeasedItem): Promise<void> {
      await db.deleteFrom(table).where(isItem(item)).where('lease_owner', '=', item.owner).execute()
    },

    /** How many items wait, and how many failed before a job was made. */
    async counts(): Promise<{ waiting: number; failed: number }> {
      const rows = await db
        .selectFrom(table)
        .select(['state', (eb) => eb.fn.countAll<number>().as('items')])
        .where('state', 'in', ['waiting', 'failed'])
        .groupBy('state')
        .execute()
      const countOf = (state: string) => Number(rows.find((row) => row.state === state)?.items ?? 0)
      return { waiting: countOf('waiting'), failed: countOf('failed') }
    },
  }
}

/** Notes an event for each order, with the items that are to be printed. */
function notePrintable(trx: WithNotedChanges, type: OrderType, added: readonly ItemIds[]): void {
  for (const [id, items] of Map.groupBy(added, ({ orderId }) => orderId)) {
    const itemIds = items.map(({ itemId }) => itemId).filter((itemId) => itemId > 0)
    const print = { order_type: type, order_id: String(id), item_ids: itemIds, file: null }
    noteChange(trx, { resource: 'order', action: 'printable', id, print })
  }
}

export type AutoPrintRows = ReturnType<typeof autoPrintRows>

/** Another process has taken the item over. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost'

  constructor() {
    super('Another process prints this item.')
  }
}

/**
 * SQL that finds items without a row: a join, and the condition that holds for them after it. It is no subquery, because an optimizer
 * may read all rows for one.
 * @param item column of the item, which also a row of the whole order (item 0) counts for; undefined for any row of the order
 */
export const joinedRows = (
  { t }: Pick<Database, 't'>,
  type: OrderType,
  order: RawBuilder<unknown>,
  item?: RawBuilder<unknown>,
) => ({
  join: sql`left join ${sql.table(t.auto_prints)} as r on r.order_type = ${type} and r.order_id = ${order}
    and ${item ? sql`r.item_id in (0, ${item})` : sql`1 = 1`}`,
  hasNone: sql<SqlBool>`r.order_id is null`,
})

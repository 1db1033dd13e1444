// The rows of the order index, `svc_order_index`, by which lists of many orders select, count and search. A row contains what a list
// shows of an order; a stale one is read again before the next list.
import { type SqlBool, sql } from 'kysely'
import type { Database } from '../db/connect.ts'
import { fold } from '../db/fold.ts'
import { pageWindows } from '../db/page-windows.ts'
import type { NewRow } from '../db/tables.ts'
import { retried } from '../db/transaction.ts'
import { newVersion } from '../print/stale-orders.ts'
import { searchText } from './order-search.ts'
import type { ListConditions, ListedOrder, ListQuery, OrderHead, OrderSource, OrderType } from './source.ts'

/** The most hits of a search that are sorted in Node.js. */
const maxHits = 20_000
/** Orders that are read at once. */
const batch = 250

type Conditions = Omit<ListConditions, 'include'> & { search?: string | undefined }

/** The rows of one source. */
export function orderRows(database: Database, type: OrderType, source: OrderSource) {
  const { db, t, dialect, transaction } = database
  const windows = pageWindows(db)
  const indexRows = () => db.selectFrom(t.order_index).where('source', '=', type)

  /** The orders as the shop has them, by id; without those that no list contains. `isPrinted`: all items have a print file. */
  async function listedOrders(ids: number[]): Promise<Map<number, ListedOrder & { isPrinted: boolean }>> {
    const query = { include: ids, search: undefined, limit: ids.length, offset: 0 }
    const [{ orders }, unprinted] = await Promise.all([
      source.list(query),
      source.list({ ...query, hasPrintFile: false }),
    ])
    const unprintedIds = new Set(unprinted.orders.map(({ id }) => id))
    return new Map(orders.map((order) => [order.id, { ...order, isPrinted: !unprintedIds.has(order.id) }]))
  }

  const rowOf = (order: ListedOrder & { isPrinted: boolean }) => ({
    order_id: order.id,
    created: secondsOf(order.created_date),
    status: order.status,
    is_printed: order.isPrinted ? 1 : 0,
    search: searchText(order),
  })

  /** Inserts rows, except those that exist. */
  async function insert(executor: typeof db, rows: NewRow<'order_index'>[]): Promise<void> {
    if (rows.length === 0) return
    const query = executor.insertInto(t.order_index).values(rows)
    await (dialect.name === 'mysql' ? query.ignore() : query.orIgnore()).execute()
  }

  function* batches(ids: readonly number[]): Generator<number[]> {
    for (let start = 0; start < ids.length; start += batch) yield ids.slice(start, start + batch)
  }

  /** Flags the rows of orders that may have changed, and inserts flagged rows of new orders. */
  async function markStale(ids: readonly number[]): Promise<void> {
    for (const chunk of batches(ids)) {
      await transaction(async (trx) => {
        const version = newVersion()
        await insert(
          trx,
          chunk.map((order_id) => ({ source: type, order_id, version })),
        )
        await trx
          .updateTable(t.order_index)
          .set({ is_stale: 1, version })
          .where('source', '=', type)
          .where('order_id', 'in', chunk)
          .execute()
      })
    }
  }

  /** Reads stale orders again. One that is flagged again meanwhile has another version, and stays stale. */
  async function refresh(ids: number[]): Promise<void> {
    const version = newVersion()
    const setVersion = db.updateTable(t.order_index).set({ version }).where('source', '=', type)
    await retried(dialect, () => setVersion.where('order_id', 'in', ids).where('is_stale', '=', 1).execute())
    const orders = await listedOrders(ids)
    const rows = [...orders.values()].map((order) => ({
      source: type,
      is_listed: 1,
      is_stale: 0,
      version: newVersion(),
      ...rowOf(order),
    }))
    await transaction(async (trx) => {
      const remove = trx.deleteFrom(t.order_index).where('source', '=', type).where('order_id', 'in', ids)
      await remove.where('version', '=', version).execute()
      await insert(trx, rows)
    })
  }

  /** The rows that meet the conditions of a list. An order without a state (`''`) meets every condition on states. */
  function listed({ since, until, hasPrintFile, statuses, search }: Conditions) {
    return indexRows()
      .where('is_listed', '=', 1)
      .$if(hasPrintFile !== undefined, (q) => q.where('is_printed', '=', hasPrintFile ? 1 : 0))
      .$if(statuses !== undefined, (q) => q.where('status', 'in', [...(statuses ?? []), '']))
      .$if(since !== undefined, (q) => q.where('created', '>=', since ?? 0))
      .$if(until !== undefined, (q) => q.where('created', '<', until ?? 0))
      .$if(search !== undefined, (q) => q.where(sql<SqlBool>`instr(search, ${fold(search ?? '')}) > 0`))
  }

  /**
   * The ids of all orders that a search finds, newest first; undefined if they are very many. They are sorted in Node.js, because the
   * engine would look up each text in the order of the index, which takes longer than one pass over all.
   */
  async function hitsOf(conditions: Conditions): Promise<number[] | undefined> {
    const rows = await listed(conditions)
      .select(['order_id', 'created'])
      .limit(maxHits + 1)
      .execute()
    if (rows.length > maxHits) return undefined
    return rows
      .sort((a, b) => b.created - a.created || b.order_id - a.order_id)
      .map(({ order_id }) => order_id)
  }

  return {
    markStale,

    /** Reads stale orders again, at most about `limit`. @returns how many there were */
    async refreshStale(limit: number): Promise<number> {
      let refreshed = 0
      while (refreshed < limit) {
        const rows = await indexRows().select('order_id').where('is_stale', '=', 1).limit(batch).execute()
        if (rows.length === 0) break
        await refresh(rows.map(({ order_id }) => order_id))
        refreshed += rows.length
      }
      return refreshed
    },

    /** Flags the rows that differ from the shop. */
    async compare(ids: number[]): Promise<void> {
      if (ids.length === 0) return
      const rows = await indexRows()
        .select(['order_id', 'created', 'status', 'is_printed', 'search'])
        .where('order_id', 'in', ids)
        .execute()
      const orders = await listedOrders(ids)
      const indexed = new Map(
        rows.map((row) => [row.order_id, textOf({ ...row, search: String(row.search) })]),
      )
      const current = new Map([...orders].map(([id, order]) => [id, textOf(rowOf(order))]))
      const different = ids.filter((id) => indexed.get(id) !== current.get(id))
      if (different.length > 0) await markStale(different)
    },

    /** The next ids of orders with a row, above an id. */
    async nextIds(id: number, limit: number): Promise<number[]> {
      const rows = await indexRows()
        .select('order_id')
        .where('order_id', '>', id)
        .orderBy('order_id')
        .limit(limit)
        .execute()
      return rows.map(({ order_id }) => order_id)
    },

    /** Orders that were created at `since` (Unix seconds) or later, newest first, at most `limit`. */
    async recent(since: number, limit: number): Promise<OrderHead[]> {
      const rows = await listed({ since })
        .select(['order_id as id', 'created', 'status'])
        .orderBy('created', 'desc')
        .orderBy('order_id', 'desc')
        .limit(limit)
        .execute()
      return rows.map(({ id, created, status }) => ({
        id,
        created_date: new Date(1000 * Number(created)).toISOString(),
        status,
      }))
    },

    /** The ids of a page, newest first, and the number of orders on all pages. */
    async page({
      limit,
      offset,
      ...conditions
    }: ListQuery): Promise<{ ids: number[]; total: () => Promise<number> }> {
      const hits = conditions.search === undefined ? undefined : await hitsOf(conditions)
      if (hits) return { ids: hits.slice(offset, offset + limit), total: async () => hits.length }
      const list = {
        name: JSON.stringify(conditions),
        rows: listed(conditions),
        // All orders of one second lie in one window.
        id: 'created',
        order: 'desc' as const,
      }
      const start = await windows.start(list, offset, limit)
      const rows = await listed(conditions)
        .select('order_id')
        .$if(start.bound !== undefined, (q) => q.where('created', '<', start.bound ?? 0))
        .orderBy('created', 'desc')
        .orderBy('order_id', 'desc')
        .limit(limit)
        .offset(start.offset)
        .execute()
      // The count also checks the windows by which the next page is found.
      return { ids: rows.map(({ order_id }) => order_id), total: () => windows.count(list, offset) }
    },
  }
}

/** A row as a text, by which rows are compared. */
const textOf = ({
  created,
  status,
  is_printed,
  search,
}: {
  created: number
  status: string
  is_printed: number
  search: string
}) => [Number(created), status, Number(is_printed), search].join()

/** Unix seconds of a time; 0 where none is stored. */
const secondsOf = (time: string | null | undefined): number => {
  const seconds = Date.parse(time ?? '') / 1000
  return Number.isFinite(seconds) ? Math.floor(seconds) : 0
}

// Lists the orders of a large shop by an index of this API (order-rows.ts), which follows the changes in the shop's tables
// (changed-orders.ts). The index only selects and counts: the orders of a page are read from the shop, and one that differs from its
// row is read again.

import { withoutDeadline } from '../core/deadline.ts'
import { endsWithin } from '../core/ends-within.ts'
import { tryAgain } from '../core/unavailable.ts'
import type { Database } from '../db/connect.ts'
import { storeProgress } from '../db/progress-row.ts'
import { retried } from '../db/transaction.ts'
import { fromJson } from '../json/parse.ts'
import { isObject } from '../json/values.ts'
import type { CmsOptions } from '../settings/cms.ts'
import { changedOrders } from './changed-orders.ts'
import { orderRows } from './order-rows.ts'
import { isFound } from './order-search.ts'
import { orderWalk } from './order-walk.ts'
import type { ListedOrder, ListQuery, OrderHead, OrderPage, OrderSource, OrderType } from './source.ts'

/** Up to so many orders with a design, lists read all of them, without the index. */
const smallShop = 300
/** Milliseconds after which a small shop may have become large. */
const betweenSizes = 60_000
/** Milliseconds between two comparisons of some orders. */
const betweenComparisons = 1000
/** Milliseconds that a request waits for the first fill. */
const maxWait = 2000
/** Rows of the shop in a step of the first fill. */
const fillStep = 500
/** Rows of the shop, and half as many rows of the index, in a comparison. */
const comparedAtOnce = 100
/** The most looks at changes in one request. */
const maxLooks = 20
/** The most stale orders that one request reads again. */
const maxRefreshed = 1000
/** Orders of a large shop that are looked at without the index. */
const maxUnindexed = 1000
/** How often a page is selected again because an order on it has changed. */
const maxTries = 3

/** How far the index is; stored as JSON in an option. */
interface Progress {
  /** The id of the walk that the first fill has reached; null when it is complete. */
  filled: number | null
  /** Where the next look at changed orders begins. */
  cursor: string
}

/** Set by tests alone. */
export interface IndexSettings {
  /** Up to so many orders, a shop is small. */
  smallShop?: number
}

/** The index of one source. */
export function orderIndex(
  database: Database,
  cms: CmsOptions,
  { type, source, ...settings }: { type: OrderType; source: OrderSource } & IndexSettings,
) {
  const { db, t, dialect } = database
  const rows = orderRows(database, type, source)
  const walk = orderWalk(database, type)
  const changes = changedOrders(database, cms, type)
  const progressKey = `svc_order_index_${type}`
  let isLarge = false
  /** When the size was last measured, and orders were last compared, on the clock of performance.now(). */
  let sizedAt = Number.NEGATIVE_INFINITY
  let comparedAt = Number.NEGATIVE_INFINITY
  /** The first fill, while it runs in this process. */
  let firstFill: Promise<void> | undefined
  /** The ids that the comparisons have reached: in the walk, and in the rows of the index. */
  let compared: { walk: number; rows: number } | undefined

  /** The progress, and its stored text; undefined if the fill has not begun. */
  async function readProgress(): Promise<{ stored: string; progress: Progress } | undefined> {
    const query = db.selectFrom(t.options).select('option_value').where('option_name', '=', progressKey)
    const row = await query.executeTakeFirst()
    const stored = String(row?.option_value ?? '')
    const progress = progressIn(stored)
    return progress && { stored, progress }
  }

  /** Stores the progress unless another process has changed it. */
  const saveProgress = (stored: string | undefined, progress: Progress) =>
    retried(dialect, () => storeProgress(database, progressKey, stored, progress))

  /** Stores the progress of a first fill that has read nothing, with a cursor for the changes that come after this moment. */
  async function beginFill(): Promise<void> {
    const { cursor } = await changes.look(undefined)
    // An unreadable row would prevent the insert.
    await db.deleteFrom(t.options).where('option_name', '=', progressKey).execute()
    await saveProgress(undefined, { filled: 0, cursor })
  }

  /** Fills the index, a step of orders at a time; processes that do so at once share the work. */
  async function fill(): Promise<void> {
    for (;;) {
      const current = await readProgress()
      if (!current) {
        await beginFill()
        continue
      }
      const { stored, progress } = current
      if (progress.filled === null) return
      const step = await walk.next(progress.filled, fillStep)
      if (step) {
        await rows.markStale(step.orders)
        await rows.refreshStale(fillStep)
      }
      await saveProgress(stored, { ...progress, filled: step?.to ?? null })
    }
  }

  /**
   * Starts the first fill unless it is complete or running.
   * @returns whether it is complete
   * @param options.isNeeded whether to wait for it, up to `maxWait`, because the list would take too long without the index
   * @throws SvcError 503 if the fill takes longer than that
   */
  async function ensureFilled({ isNeeded }: { isNeeded: boolean }): Promise<boolean> {
    if ((await readProgress())?.progress.filled === null) return true
    firstFill ??= withoutDeadline(fill).finally(() => {
      firstFill = undefined
    })
    // A failure after the last request has stopped waiting must not end the process.
    firstFill.catch(() => {})
    if (!isNeeded) return false
    if (await endsWithin(maxWait, firstFill)) return true
    throw tryAgain({
      reason: 'orders',
      message: 'The orders of this shop are being indexed for the first time.',
      seconds: 5,
    })
  }

  /** Reads the orders again that have changed since the last look, up to `maxLooks` looks and `maxRefreshed` orders. */
  async function readChanges(): Promise<void> {
    for (let looks = 0; looks < maxLooks; looks++) {
      const current = await readProgress()
      if (!current) return
      const { stored, progress } = current
      const { orders, cursor, isBehind, done } = await changes.look(progress.cursor)
      await rows.markStale(orders)
      await saveProgress(stored, { ...progress, cursor })
      done()
      if (!isBehind) break
    }
    await rows.refreshStale(maxRefreshed)
  }

  /**
   * Compares the next orders with a design, and the next rows, with the shop: this finds changes that leave no trace. Over time, it
   * compares all.
   */
  async function compareSome(): Promise<void> {
    compared ??= { walk: Math.floor(Math.random() * (await walk.end())), rows: 0 }
    const step = await walk.next(compared.walk, comparedAtOnce)
    const indexedIds = await rows.nextIds(compared.rows, comparedAtOnce / 2)
    compared = { walk: step?.to ?? 0, rows: indexedIds.at(-1) ?? 0 }
    await rows.compare([...new Set([...(step?.orders ?? []), ...indexedIds])])
  }

  /** Compares some orders without waiting for it, at most once in `betweenComparisons`. */
  function compareInBackground(): void {
    if (performance.now() - comparedAt < betweenComparisons) return
    comparedAt = performance.now()
    // After a failure, a later comparison continues.
    withoutDeadline(compareSome).catch(() => {})
  }

  /** The orders as the shop has them, by id; those that do not meet the query's conditions are missing. */
  async function readFromShop(
    ids: number[],
    { search, ...query }: ListQuery,
  ): Promise<Map<number, ListedOrder>> {
    if (ids.length === 0) return new Map()
    const { orders } = await source.list({
      ...query,
      include: ids,
      search: undefined,
      limit: ids.length,
      offset: 0,
    })
    const matching = orders.filter((order) => search === undefined || isFound(order, search))
    return new Map(matching.map((order) => [order.id, order]))
  }

  /** Whether the shop has more orders with a design than a small one; measured at most once in `betweenSizes`. */
  async function isLargeShop(): Promise<boolean> {
    if (isLarge || performance.now() - sizedAt < betweenSizes) return isLarge
    isLarge = await walk.isLargerThan(settings.smallShop ?? smallShop)
    sizedAt = performance.now()
    return isLarge
  }

  /**
   * Brings the index up to date for a list; in a large shop, the first call begins to fill it.
   * @returns true if `list` can be called; false if the list must be read from the shop: in a small shop, or until the index is filled
   * @throws SvcError 503 if it is being filled, and the list would take too long without it
   */
  async function prepare({ search, hasPrintFile }: ListQuery): Promise<boolean> {
    if (!(await isLargeShop())) return false
    try {
      const isNeeded = search !== undefined || hasPrintFile !== undefined
      if (!(await ensureFilled({ isNeeded }))) return false
      await readChanges()
      compareInBackground()
    } catch (error) {
      // On a read-only server, PHP cannot change orders either, so a filled index is up to date.
      if (!dialect.refusesWrites(error)) throw error
      return (await readProgress())?.progress.filled === null
    }
    return true
  }

  return {
    prepare,

    /** Fills the index of a large shop, for `migrate`. */
    async fillAll(): Promise<void> {
      if (await isLargeShop()) await fill()
    },

    /**
     * Orders created at `since` (Unix seconds) or later, newest first.
     * @returns at most `limit` orders, without the index at most `maxUnindexed`; `isCut`: there may be more
     */
    async recent(since: number, limit: number): Promise<{ orders: OrderHead[]; isCut: boolean }> {
      const unindexed = Math.min(limit, maxUnindexed)
      const query = { include: undefined, search: undefined, since, limit: unindexed, offset: 0 }
      if (await prepare(query)) {
        const orders = await rows.recent(since, limit + 1)
        return { orders: orders.slice(0, limit), isCut: orders.length > limit }
      }
      const { orders } = await source.list(query)
      return { orders, isCut: orders.length === unindexed }
    },

    /** A page by the index; call it after `prepare` returned true. Rows that turn out to be out of date are read again, and the page is selected again. */
    async list(query: ListQuery): Promise<OrderPage> {
      for (let tries = 1; ; tries++) {
        const { ids, total } = await rows.page(query)
        const orders = await readFromShop(ids, query)
        const changed = ids.filter((id) => !orders.has(id))
        if (changed.length > 0 && tries < maxTries) {
          await rows.markStale(changed)
          await rows.refreshStale(maxRefreshed)
          continue
        }
        return { orders: ids.map((id) => orders.get(id)).filter((order) => order !== undefined), total }
      }
    },
  }
}

/** The progress in the option; undefined if there is none or it is damaged. */
function progressIn(stored: string): Progress | undefined {
  try {
    const value = stored === '' ? undefined : fromJson(stored)
    const { filled, cursor } = isObject(value) ? value : {}
    const isProgress = filled === null || Number.isSafeInteger(filled)
    return isProgress && typeof cursor === 'string' ? { filled: filled as number | null, cursor } : undefined
  } catch {
    return undefined
  }
}

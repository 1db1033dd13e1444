// Lists of the orders of a large shop, by an index of ours that follows what changes in the shop's tables. It only selects and
// counts: what a page shows is read from the shop, and an order that is not as the index says is read anew.

import { setTimeout as delay } from 'node:timers/promises'
import { outsideRequest } from '../core/deadline.ts'
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

/** Orders with a design up to which lists look at all of them, without the index. */
const smallShop = 300
/** Milliseconds after which a small shop may have become large, between two sweeps, and that a request waits for the first fill. */
const betweenSizes = 60_000
const betweenSweeps = 1000
const maxWait = 2000
/** Rows of the shop in a step of the first fill, and in a sweep. */
const fillStep = 500
const sweepStep = 100
/** Looks and orders for which a request waits. */
const maxLooks = 20
const maxRefreshed = 1000
/** Orders of a large shop that are looked at without the index. */
const maxUnindexed = 1000
/** How often a page is selected again because an order on it has changed. */
const maxTries = 3

/** Stored as JSON in an option. */
interface Progress {
  /** Up to which id of the walk the first fill has come; null once it is complete. */
  filled: number | null
  /** Of the look at changed orders. */
  cursor: string
}

export interface IndexSettings {
  /** Orders up to which a shop is small. */
  smallShop?: number
}

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
  let sizedAt = Number.NEGATIVE_INFINITY
  let sweptAt = Number.NEGATIVE_INFINITY
  let filling: Promise<void> | undefined
  /** Where the sweeps are: in the walk, and in the rows of the index. */
  let swept: { walk: number; rows: number } | undefined

  async function read(): Promise<{ stored: string; progress: Progress } | undefined> {
    const query = db.selectFrom(t.options).select('option_value').where('option_name', '=', progressKey)
    const row = await query.executeTakeFirst()
    const stored = String(row?.option_value ?? '')
    const progress = progressIn(stored)
    return progress && { stored, progress }
  }

  const save = (stored: string | undefined, progress: Progress) =>
    retried(dialect, () => storeProgress(database, progressKey, stored, progress))

  async function begin(): Promise<void> {
    const { cursor } = await changes.look(undefined)
    // An unreadable row is in the way of a new one.
    await db.deleteFrom(t.options).where('option_name', '=', progressKey).execute()
    await save(undefined, { filled: 0, cursor })
  }

  /** Fills the index some orders at a time; processes that do so at once share the work. */
  async function fill(): Promise<void> {
    for (;;) {
      const found = await read()
      if (!found) {
        await begin()
        continue
      }
      const { stored, progress } = found
      if (progress.filled === null) return
      const step = await walk.next(progress.filled, fillStep)
      if (step) {
        await rows.mark(step.orders)
        await rows.refreshMarked(fillStep)
      }
      await save(stored, { ...progress, filled: step?.to ?? null })
    }
  }

  /** Whether the first fill is complete; starts it, and waits for it a while if it `isNeeded`. */
  async function isFilled(isNeeded: boolean): Promise<boolean> {
    if ((await read())?.progress.filled === null) return true
    filling ??= outsideRequest(fill).finally(() => {
      filling = undefined
    })
    // It goes on if no request waits for it any more.
    filling.catch(() => {})
    if (!isNeeded) return false
    const waiting = new AbortController()
    const late = delay(maxWait, 'late' as const, { signal: waiting.signal, ref: false }).catch(
      () => undefined,
    )
    try {
      if ((await Promise.race([filling, late])) !== 'late') return true
    } finally {
      waiting.abort()
    }
    throw tryAgain({
      reason: 'orders',
      message: 'The orders of this shop are being indexed for the first time.',
      seconds: 5,
    })
  }

  /** Reads anew what has changed. */
  async function follow(): Promise<void> {
    for (let looks = 0; looks < maxLooks; looks++) {
      const found = await read()
      if (!found) return
      const { stored, progress } = found
      const { orders, cursor, isBehind, done } = await changes.look(progress.cursor)
      await rows.mark(orders)
      await save(stored, { ...progress, cursor })
      done()
      if (!isBehind) break
    }
    await rows.refreshMarked(maxRefreshed)
  }

  /** Compares some orders, so that changes are seen that leave no trace: the next ones with a design, and with a row. */
  async function sweep(): Promise<void> {
    swept ??= { walk: Math.floor(Math.random() * (await walk.end())), rows: 0 }
    const [step, known] = [
      await walk.next(swept.walk, sweepStep),
      await rows.after(swept.rows, sweepStep / 2),
    ]
    swept = { walk: step?.to ?? 0, rows: known.at(-1) ?? 0 }
    await rows.compare([...new Set([...(step?.orders ?? []), ...known])])
  }

  function sweepInBackground(): void {
    if (performance.now() - sweptAt < betweenSweeps) return
    sweptAt = performance.now()
    // What fails is done by a later one.
    outsideRequest(sweep).catch(() => {})
  }

  /** As it is in the shop; the orders that are not as the query demands are missing. */
  async function live(ids: number[], { search, ...query }: ListQuery): Promise<Map<number, ListedOrder>> {
    if (ids.length === 0) return new Map()
    const { orders } = await source.list({
      ...query,
      include: ids,
      search: undefined,
      limit: ids.length,
      offset: 0,
    })
    const found = orders.filter((order) => search === undefined || isFound(order, search))
    return new Map(found.map((order) => [order.id, order]))
  }

  async function hasMany(): Promise<boolean> {
    if (isLarge || performance.now() - sizedAt < betweenSizes) return isLarge
    isLarge = await walk.isLargerThan(settings.smallShop ?? smallShop)
    sizedAt = performance.now()
    return isLarge
  }

  /**
   * Brings the index up to date for a list.
   * @returns false where lists look at all orders: in a small shop, or in a large one until the index is filled
   * @throws SvcError 503 if it is being filled, and the list would take too long without it
   */
  async function isReady({ search, hasPrintFile }: ListQuery): Promise<boolean> {
    if (!(await hasMany())) return false
    try {
      if (!(await isFilled(search !== undefined || hasPrintFile !== undefined))) return false
      await follow()
      sweepInBackground()
    } catch (error) {
      // PHP cannot write to such a server either.
      if (!dialect.refusesWrites(error)) throw error
      return (await read())?.progress.filled === null
    }
    return true
  }

  return {
    isReady,

    /** Fills the index of a large shop. */
    async fillAll(): Promise<void> {
      if (await hasMany()) await fill()
    },

    /** Orders created at `since` or later, newest first; until the index is filled, some of them as the shop has them. */
    async recent(since: number, limit: number): Promise<{ orders: OrderHead[]; isCut: boolean }> {
      const query = { include: undefined, search: undefined, since, limit: maxUnindexed, offset: 0 }
      if (await isReady(query)) {
        const orders = await rows.recent(since, limit + 1)
        return { orders: orders.slice(0, limit), isCut: orders.length > limit }
      }
      const { orders } = await source.list(query)
      return { orders, isCut: orders.length === maxUnindexed }
    },

    async list(query: ListQuery): Promise<OrderPage> {
      for (let tries = 1; ; tries++) {
        const { ids, total } = await rows.page(query)
        const found = await live(ids, query)
        const changed = ids.filter((id) => !found.has(id))
        if (changed.length > 0 && tries < maxTries) {
          await rows.mark(changed)
          await rows.refreshMarked(maxRefreshed)
          continue
        }
        return { orders: ids.map((id) => found.get(id)).filter((order) => order !== undefined), total }
      }
    },
  }
}

function progressIn(stored: string): Progress | undefined {
  try {
    const value = stored === '' ? undefined : fromJson(stored)
    const { filled, cursor } = isObject(value) ? value : {}
    const isNumber = filled === null || Number.isSafeInteger(filled)
    return isNumber && typeof cursor === 'string' ? { filled: filled as number | null, cursor } : undefined
  } catch {
    return undefined
  }
}

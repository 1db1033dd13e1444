// Finds the orders of a source that were created or changed since an earlier look, also by PHP. The statements read, by an index, only
// what is new in the tables of the shop: rows above a mark (change-marks.ts), which is an id or a time for each table. Transactions may
// commit ids out of order, so rows are read again until they are settled, ten minutes old.
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../db/connect.ts'
import type { CmsOptions } from '../settings/cms.ts'
import {
  earlierOf,
  type IdMark,
  idMark,
  isDue,
  marksIn,
  settledTime,
  settlingSeconds,
  type TimeMark,
  timeMark,
} from './change-marks.ts'
import type { OrderType } from './source.ts'
import { foreignTables, orderStorage, storedTime } from './tables.ts'

/** The result of a look. */
export interface OrderChanges {
  /** Ids of orders that were created or changed, with or without designs; some that did not change. */
  orders: number[]
  /** Where the look ended: store it after the orders are handled, and pass it to the next look. */
  cursor: string
  /** Whether there are more changes than one look returns. */
  isBehind: boolean
  /** Call it after the orders are handled: the next look of this process leaves these changes out. */
  done: () => void
}

/** Seconds in which an order may be saved again with the same time: such orders are returned again. */
const sameTimeSeconds = 3
/** Rows of a table that a look reads at most. */
const maxRows = 5000

/** A table whose new rows show that an order changed. */
interface TraceTable {
  /** Without the prefix; its key in the cursor. */
  name: string
  /** Physical name. */
  table: string
  /** The primary key. */
  id: string
  /** SQL of the id of the order. */
  order: RawBuilder<number>
  /** SQL that follows `from <table> as x`. */
  join: RawBuilder<unknown>
}

/** The result of a look at one table. */
interface Step {
  /** Where the next look at the table begins. */
  mark: IdMark | TimeMark
  /** By order a text that changes with each change of the order; '' for an order that may change again unnoticed. */
  seen: Map<number, string>
  isBehind: boolean
}

/**
 * Looks for orders of a source that were created or changed. The first look, without a cursor, finds where to begin. A change is
 * returned at least once, and again by a look with an earlier cursor; callers must accept repetitions. It finds: new orders,
 * items, designs and refunds; of shops with order tables each save of an order (`date_updated_gmt`), of classic posts new meta
 * and order notes, which the shop writes with each change of state; of forms new fields and notes. A deletion, or a row that was
 * changed without any of these, is not found.
 *
 * ```ts
 * const changes = changedOrders(database, cms, 'wc')
 * const { orders, cursor, done } = await changes.look(stored)
 * // handle the orders, store the cursor, then
 * done()
 * ```
 */
export function changedOrders(database: Database, cms: CmsOptions, type: OrderType) {
  const { db, dialect, t } = database
  const { f } = foreignTables(database)
  /** What the last look whose `done` was called has read in each table: `Step.seen` by the name of the table. */
  const handled = new Map<string, Map<number, string>>()

  const isOrder = sql`p.post_type in ('shop_order', 'shop_order_refund')`
  const orderOfPost = sql<number>`case when p.post_type = 'shop_order_refund' then p.post_parent else p.ID end`
  const postOf = (column: string) => sql`inner join ${sql.table(f.posts)} as p
    on p.ID = ${sql.ref(column)} and ${isOrder}`
  const traceTable = (table: string, id: string, order: RawBuilder<number>, join = sql``): TraceTable => ({
    name: table.slice(database.prefix.length),
    table,
    id: `x.${id}`,
    order,
    join,
  })
  const items = traceTable(
    f.itemMeta,
    'meta_id',
    sql<number>`i.order_id`,
    sql`inner join ${sql.table(f.items)} as i on i.order_item_id = x.order_item_id`,
  )
  const posts = [
    items,
    traceTable(f.posts, 'ID', orderOfPost, postOf('x.ID')),
    traceTable(f.postMeta, 'meta_id', orderOfPost, postOf('x.post_id')),
    traceTable(f.comments, 'comment_ID', orderOfPost, postOf('x.comment_post_ID')),
  ]
  const entries = [
    traceTable(f.entries, 'id', sql<number>`x.id`),
    traceTable(f.entryMeta, 'id', sql<number>`x.entry_id`),
    traceTable(f.entryNotes, 'id', sql<number>`x.entry_id`),
  ]

  /** The tables whose new rows are read, and whether orders have a time of their last save (`savedOrders`). */
  async function tablesToRead(): Promise<{ tables: TraceTable[]; hasTimes: boolean }> {
    if (type === 'shortcode')
      return { tables: [traceTable(t.orders, 'ID', sql<number>`x.ID`)], hasTimes: false }
    if (type === 'gf') return { tables: entries, hasTimes: false }
    const { isInTables } = await orderStorage(cms)
    return isInTables ? { tables: [items], hasTimes: true } : { tables: posts, hasTimes: false }
  }

  /**
   * The orders of the rows with ids above `low` up to `last`, at most `maxRows` of them.
   * @returns what was `seen` as in `Step`; the last id that was read; `isFull`: there may be more rows
   */
  async function rowsBetween({ table, id, order, join }: TraceTable, low: number, last: number) {
    const x = sql`${sql.table(table)} as x`
    const { rows: ends } = await sql<{ last: number | null; number: number }>`
      select max(id) as last, count(*) as number from (select ${sql.ref(id)} as id from ${x}
        where ${sql.ref(id)} > ${low} and ${sql.ref(id)} <= ${last} order by ${sql.ref(id)} limit ${maxRows}) as w`.execute(
      db,
    )
    const end = Number(ends[0]?.last ?? low)
    const { rows: orders } = await sql<{ order: number; last: number; number: number }>`
      select ${order} as ${sql.ref('order')}, max(${sql.ref(id)}) as last, count(*) as number from ${x} ${join}
      where ${sql.ref(id)} > ${low} and ${sql.ref(id)} <= ${end} group by ${order}`.execute(db)
    const seen = new Map(orders.map((row) => [Number(row.order), `${row.last} ${row.number}`]))
    return { seen, end, isFull: Number(ends[0]?.number) === maxRows }
  }

  /**
   * Reads the rows of a table above a mark; without a mark, finds where to begin. Much at once is read in steps of `maxRows`, which
   * pass rows that are not settled: those are read once more later.
   */
  async function newRows(trace: TraceTable, mark: IdMark | undefined): Promise<Step> {
    const { rows } = await sql<{ last: number | null; now: number }>`
      select (select max(${sql.ref(trace.id)}) from ${sql.table(trace.table)} as x) as last,
        ${dialect.now} as ${sql.ref('now')}`.execute(db)
    const [last, now] = [Number(rows[0]?.last ?? 0), Number(rows[0]?.now)]
    if (!mark) return { mark: { low: last, next: last, at: now }, seen: new Map(), isBehind: false }
    const { again, ...current } = mark
    // First of all, the rows that earlier steps passed, when they are settled.
    if (again && isDue(again, now)) {
      const { seen, end, isFull } = await rowsBetween(trace, again.from, again.to)
      return { mark: { ...current, ...(isFull && { again: { ...again, from: end } }) }, seen, isBehind: true }
    }
    const unsettledBefore = again && { again }
    const low = Math.min(mark.low, last)
    if (low === last)
      return { mark: { low, next: last, at: now, ...unsettledBefore }, seen: new Map(), isBehind: false }
    const { seen, end, isFull } = await rowsBetween(trace, low, last)
    // A step: the mark passes its rows, settled or not.
    if (isFull) {
      const unsettled = { from: again?.from ?? low, to: end, at: now }
      return { mark: { low: end, next: end, at: now, again: unsettled }, seen, isBehind: true }
    }
    // All was read: the mark moves to the id that was the newest when it was made, once that is settled.
    const isSettled = now - mark.at >= settlingSeconds
    const moved = { low: Math.min(mark.next, last), next: last, at: now, ...unsettledBefore }
    return { mark: isSettled ? moved : { ...mark, low }, seen, isBehind: false }
  }

  /**
   * Orders by the time of their last save, after a mark and up to a time, at most `maxRows` of them.
   * @param to undefined reads up to the newest
   * @returns what was `seen` as in `Step`; `end`, where to continue if there may be more
   */
  async function savedBetween({ time, id }: TimeMark, to: string | undefined, now: number) {
    const { rows } = await sql<{ id: number; order: number; time: string }>`
      select o.id, case when o.type = 'shop_order_refund' then o.parent_order_id else o.id end as ${sql.ref('order')},
        cast(o.date_updated_gmt as char) as time
      from ${sql.table(f.orders)} as o where o.date_updated_gmt >= ${time}
        and (o.date_updated_gmt > ${time} or o.id > ${id})
        ${to === undefined ? sql`` : sql`and o.date_updated_gmt <= ${to}`}
      order by o.date_updated_gmt, o.id limit ${maxRows}`.execute(db)
    const freshTime = storedTime(now - sameTimeSeconds)
    const seen = new Map(
      rows.map(({ id, order, time }) => [Number(order), time < freshTime ? `${id} ${time}` : '']),
    )
    const last = rows.at(-1)
    const end = last && rows.length === maxRows ? { time: last.time, id: Number(last.id) } : undefined
    return { seen, end }
  }

  /** Reads the orders that were saved since a mark, in steps as `newRows` does. */
  async function savedOrders(mark: TimeMark | undefined): Promise<Step> {
    const { rows } = await sql<{ last: string | null; now: number }>`
      select (select cast(max(date_updated_gmt) as char) from ${sql.table(f.orders)}) as last,
        ${dialect.now} as ${sql.ref('now')}`.execute(db)
    const now = Number(rows[0]?.now)
    const newest = earlierOf(rows[0]?.last ?? '', storedTime(now))
    if (!mark) return { mark: { time: settledTime(newest), id: 0 }, seen: new Map(), isBehind: false }
    // Without the unsettled part.
    const { again, ...current } = mark
    if (again && isDue(again, now)) {
      const { seen, end } = await savedBetween(again.from, again.to, now)
      return { mark: { ...current, ...(end && { again: { ...again, from: end } }) }, seen, isBehind: true }
    }
    const { seen, end } = await savedBetween(current, undefined, now)
    if (end) {
      const unsettled = { from: again?.from ?? current, to: end.time, at: now }
      return { mark: { ...end, again: unsettled }, seen, isBehind: true }
    }
    const next = settledTime(newest)
    const settled = next > mark.time ? { time: next, id: 0 } : current
    return { mark: { ...settled, ...(again && { again }) }, seen, isBehind: false }
  }

  /** The step; undefined if its table does not exist. */
  const ifPresent = (step: Promise<Step>) =>
    step.catch((error: unknown) => {
      if (dialect.isMissingTable(error)) return undefined
      throw error
    })

  return {
    /** Looks once. @param since the cursor of an earlier look; undefined begins now */
    async look(since: string | undefined): Promise<OrderChanges> {
      const { tables, hasTimes } = await tablesToRead()
      const marks = marksIn(since)
      const results = await Promise.all(
        [
          ...tables.map((trace) => ({ name: trace.name, step: newRows(trace, idMark(marks[trace.name])) })),
          ...(hasTimes ? [{ name: 'saved', step: savedOrders(timeMark(marks.saved)) }] : []),
        ].map(async ({ name, step }) => ({ name, step: await ifPresent(step) })),
      )
      const steps = results.flatMap(({ name, step }) => (step ? [{ name, ...step }] : []))
      const isNew = (name: string, order: number, text: string) =>
        text === '' || handled.get(name)?.get(order) !== text
      const orders = steps.flatMap(({ name, seen }) =>
        [...seen].filter(([order, text]) => isNew(name, order, text)).map(([order]) => order),
      )
      return {
        orders: [...new Set(orders)].filter((id) => id > 0),
        cursor: JSON.stringify(Object.fromEntries(steps.map(({ name, mark }) => [name, mark]))),
        isBehind: steps.some(({ isBehind }) => isBehind),
        done: () => {
          for (const { name, seen } of steps) handled.set(name, seen)
        },
      }
    },
  }
}

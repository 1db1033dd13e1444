// Finds the orders of a source that were created or changed since an earlier look, also by PHP. The statements read, by an index, only
// what is new in the tables of the shop.
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../db/connect.ts'
import { fromJson } from '../json/parse.ts'
import { isObject } from '../json/values.ts'
import type { CmsOptions } from '../settings/cms.ts'
import type { OrderType } from './source.ts'
import { foreignTables, orderStorage } from './tables.ts'

/** The result of a look. */
export interface Look {
  /** Ids of orders that were created or changed, with or without designs; some that did not change. */
  orders: number[]
  /** Where the look ended: store it after the orders are handled, and pass it to the next look. */
  cursor: string
  /** Whether there are more changes than one look returns. */
  isBehind: boolean
  /** Call it after the orders are handled: the next look of this process leaves these changes out. */
  done(): void
}

/** Seconds after which a transaction is expected to have committed; until then rows are looked at again. */
const settlingSeconds = 600
/** Seconds in which an order may be saved again with the same time: such orders are returned again. */
const sameTimeSeconds = 3
/** Rows of a table that a look reads at most. */
const maxRows = 5000

/** The position of a look in a table. Ids above `low` are looked at again, because a transaction may commit an id late. */
interface IdMark {
  /** Rows up to this id were read. */
  low: number
  /** The newest id at the time `at`; becomes `low` when that is older than `settlingSeconds`. */
  next: number
  /** Unix seconds of the database. */
  at: number
  again?: Unsettled<number, number>
}

/** The position of a look in the orders by the time of their last save, in UTC; within one second by id. */
interface TimeMark {
  time: string
  id: number
  again?: Unsettled<{ time: string; id: number }, string>
}

/**
 * The part that looks read before it was settled, because there were more rows than one look returns: after `from` up to `to`. It is
 * read once more, `settlingSeconds` after `at`.
 */
interface Unsettled<From, To> {
  from: From
  to: To
  at: number
}

const isDue = <From, To>(again: Unsettled<From, To> | undefined, now: number) =>
  again !== undefined && now - again.at >= settlingSeconds

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

/** The part of a look in one table. */
interface Step {
  mark: IdMark | TimeMark
  /** By order a text that changes with each change of the order; '' for an order that may change again unnoticed. */
  seen: Map<number, string>
  isBehind: boolean
}

/**
 * Looks for orders of a source that were created or changed. The first look, without a cursor, finds where to begin. A change is
 * returned at least once, and again by a look with an earlier cursor; callers have to take repetitions. Found are: new orders,
 * items, designs and refunds; of shops with order tables each save of an order (`date_updated_gmt`), of classic posts new meta
 * and order notes, which the shop writes with each change of state; of forms new fields and notes. A deletion, or a row that was
 * changed without any of these, shows nowhere.
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
  const seenBy = new Map<string, Map<number, string>>()

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

  async function traceTables(): Promise<{ trails: TraceTable[]; hasTimes: boolean }> {
    if (type === 'shortcode')
      return { trails: [traceTable(t.orders, 'ID', sql<number>`x.ID`)], hasTimes: false }
    if (type === 'gf') return { trails: entries, hasTimes: false }
    const { isInTables } = await orderStorage(cms)
    return isInTables ? { trails: [items], hasTimes: true } : { trails: posts, hasTimes: false }
  }

  /** The orders of new rows, at most `maxRows` of them: up to the id `end`. */
  async function rowsBetween({ table, id, order, join }: TraceTable, low: number, last: number) {
    const x = sql`${sql.table(table)} as x`
    const { rows: ends } = await sql<{ last: number | null; number: number }>`
      select max(id) as last, count(*) as number from (select ${sql.ref(id)} as id from ${x}
        where ${sql.ref(id)} > ${low} and ${sql.ref(id)} <= ${last} order by ${sql.ref(id)} limit ${maxRows}) as w`.execute(
      db,
    )
    const end = Number(ends[0]?.last ?? low)
    const { rows: found } = await sql<{ order: number; last: number; number: number }>`
      select ${order} as ${sql.ref('order')}, max(${sql.ref(id)}) as last, count(*) as number from ${x} ${join}
      where ${sql.ref(id)} > ${low} and ${sql.ref(id)} <= ${end} group by ${order}`.execute(db)
    const seen = new Map(found.map((row) => [Number(row.order), `${row.last} ${row.number}`]))
    return { seen, end, isFull: Number(ends[0]?.number) === maxRows }
  }

  /** New rows of a table. */
  async function newRows(trail: TraceTable, mark: IdMark | undefined): Promise<Step> {
    const { rows } = await sql<{ last: number | null; now: number }>`
      select (select max(${sql.ref(trail.id)}) from ${sql.table(trail.table)} as x) as last,
        ${dialect.now} as ${sql.ref('now')}`.execute(db)
    const [last, now] = [Number(rows[0]?.last ?? 0), Number(rows[0]?.now)]
    if (!mark) return { mark: { low: last, next: last, at: now }, seen: new Map(), isBehind: false }
    const { again, ...current } = mark
    if (again && isDue(again, now)) {
      const { seen, end, isFull } = await rowsBetween(trail, again.from, again.to)
      return { mark: { ...current, ...(isFull && { again: { ...again, from: end } }) }, seen, isBehind: true }
    }
    const later = again && { again }
    const low = Math.min(mark.low, last)
    if (low === last)
      return { mark: { low, next: last, at: now, ...later }, seen: new Map(), isBehind: false }
    const { seen, end, isFull } = await rowsBetween(trail, low, last)
    if (isFull) {
      const unsettled = { from: again?.from ?? low, to: end, at: now }
      return { mark: { low: end, next: end, at: now, again: unsettled }, seen, isBehind: true }
    }
    const isOld = now - mark.at >= settlingSeconds
    const settled = { low: Math.min(mark.next, last), next: last, at: now, ...later }
    return { mark: isOld ? settled : { ...mark, low }, seen, isBehind: false }
  }

  /** Orders by the time of their last save, after a mark and up to a time, at most `maxRows` of them. */
  async function savedBetween({ time, id }: TimeMark, to: string | undefined, now: number) {
    const { rows: found } = await sql<{ id: number; order: number; time: string }>`
      select o.id, case when o.type = 'shop_order_refund' then o.parent_order_id else o.id end as ${sql.ref('order')},
        cast(o.date_updated_gmt as char) as time
      from ${sql.table(f.orders)} as o where o.date_updated_gmt >= ${time}
        and (o.date_updated_gmt > ${time} or o.id > ${id})
        ${to === undefined ? sql`` : sql`and o.date_updated_gmt <= ${to}`}
      order by o.date_updated_gmt, o.id limit ${maxRows}`.execute(db)
    const fresh = timeOf(now - sameTimeSeconds)
    const seen = new Map(
      found.map(({ id, order, time }) => [Number(order), time < fresh ? `${id} ${time}` : '']),
    )
    const last = found.at(-1)
    const end = last && found.length === maxRows ? { time: last.time, id: Number(last.id) } : undefined
    return { seen, end }
  }

  /** Orders that were saved since a mark, by the time of their last save. */
  async function savedOrders(mark: TimeMark | undefined): Promise<Step> {
    const { rows } = await sql<{ last: string | null; now: number }>`
      select (select cast(max(date_updated_gmt) as char) from ${sql.table(f.orders)}) as last,
        ${dialect.now} as ${sql.ref('now')}`.execute(db)
    const now = Number(rows[0]?.now)
    const newest = earlierOf(rows[0]?.last ?? '', timeOf(now))
    if (!mark) return { mark: { time: settledTime(newest), id: 0 }, seen: new Map(), isBehind: false }
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
    /** @param since the cursor of an earlier look; undefined begins now */
    async look(since: string | undefined): Promise<Look> {
      const { trails, hasTimes } = await traceTables()
      const marks = marksIn(since)
      const found = await Promise.all(
        [
          ...trails.map((trail) => ({ name: trail.name, step: newRows(trail, idMark(marks[trail.name])) })),
          ...(hasTimes ? [{ name: 'saved', step: savedOrders(timeMark(marks.saved)) }] : []),
        ].map(async ({ name, step }) => ({ name, step: await ifPresent(step) })),
      )
      const steps = found.flatMap(({ name, step }) => (step ? [{ name, ...step }] : []))
      const isNew = (name: string, order: number, text: string) =>
        text === '' || seenBy.get(name)?.get(order) !== text
      const orders = steps.flatMap(({ name, seen }) =>
        [...seen].filter(([order, text]) => isNew(name, order, text)).map(([order]) => order),
      )
      return {
        orders: [...new Set(orders)].filter((id) => id > 0),
        cursor: JSON.stringify(Object.fromEntries(steps.map(({ name, mark }) => [name, mark]))),
        isBehind: steps.some(({ isBehind }) => isBehind),
        done: () => {
          for (const { name, seen } of steps) seenBy.set(name, seen)
        },
      }
    },
  }
}

/** The marks in a cursor, by the name of their table; none if it cannot be read. */
function marksIn(cursor: string | undefined): Record<string, unknown> {
  try {
    const value = cursor === undefined ? undefined : fromJson(cursor)
    return isObject(value) ? value : {}
  } catch {
    return {}
  }
}

function idMark(value: unknown): IdMark | undefined {
  const { low, next, at, again } = Object(value)
  const { from, to, at: readAt } = Object(again)
  const later = areIds(from, to, readAt) && { again: { from, to, at: readAt } }
  return areIds(low, next, at) ? { low, next, at, ...later } : undefined
}

function timeMark(value: unknown): TimeMark | undefined {
  const { time, id, again } = Object(value)
  if (typeof time !== 'string' || !areIds(id)) return undefined
  const { from, to, at } = Object(again)
  const start = Object(from)
  const isAgain = [start.time, to].every((text) => typeof text === 'string') && areIds(start.id, at)
  return { time, id, ...(isAgain && { again: { from: { time: start.time, id: start.id }, to, at } }) }
}

const areIds = (...values: unknown[]) => values.every(Number.isSafeInteger)

/** A time in UTC as the shop stores it. */
const timeOf = (seconds: number) => new Date(1000 * seconds).toISOString().slice(0, 19).replace('T', ' ')

/** The earlier of two times as text. A time of PHP, whose clock may be ahead of the database's, counts as now if it is later. */
const earlierOf = (first: string, other: string) => (first < other ? first : other)

/** The time before which all saves are committed; the beginning if the text is no time. */
function settledTime(time: string): string {
  const seconds = Date.parse(`${time.replace(' ', 'T')}Z`) / 1000
  return Number.isFinite(seconds) ? timeOf(Math.max(0, seconds - settlingSeconds)) : timeOf(0)
}

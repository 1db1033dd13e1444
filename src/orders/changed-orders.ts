// Which orders of a source were created or changed since an earlier look, also by PHP: statements that read by an index only what
// is new in the tables of the shop.
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../db/connect.ts'
import { fromJson } from '../json/parse.ts'
import { isObject } from '../json/values.ts'
import type { CmsOptions } from '../settings/cms.ts'
import type { OrderType } from './source.ts'
import { foreignTables, orderStorage } from './tables.ts'

export interface Look {
  /** Ids of orders that were created or changed, with or without designs; some that did not change. */
  orders: number[]
  /** Where the look ended: store it once the orders are handled, and pass it to the next look. */
  cursor: string
  /** Whether there is more than one look returns. */
  isBehind: boolean
  /** Call it once the orders are handled: the next look of this process leaves these changes out. */
  done(): void
}

/** Seconds after which a transaction is expected to have committed; until then rows are looked at again. */
const settling = 600
/** Seconds in which an order may be saved again with the same time. */
const unclear = 3
/** Rows of a table that a look reads at most. */
const maxRows = 5000

/**
 * Rows up to the id `low` were read. Those above it are looked at again, because a transaction may commit an id late; `next`
 * becomes `low` once it is older than `settling` seconds.
 */
interface IdMark {
  low: number
  next: number
  at: number
  again?: Again<number, number>
}

/** Orders are read from this time in UTC on, at this time from the next id on. */
interface TimeMark {
  time: string
  id: number
  again?: Again<{ time: string; id: number }, string>
}

/** What full looks read before it was settled, after `from` up to `to`: it is read once more, `settling` seconds after `at`. */
interface Again<From, To> {
  from: From
  to: To
  at: number
}

const isDue = <From, To>(again: Again<From, To> | undefined, now: number) =>
  again !== undefined && now - again.at >= settling

/** A table whose new rows show that an order changed. */
interface Trail {
  name: string
  table: string
  id: string
  /** The id of the order, and what follows `from <table> as x`. */
  order: RawBuilder<number>
  join: RawBuilder<unknown>
}

interface Step {
  mark: IdMark | TimeMark
  /** What the look saw, by order; a change shows as another text. */
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
  const trail = (table: string, id: string, order: RawBuilder<number>, join = sql``): Trail => ({
    name: table.slice(database.prefix.length),
    table,
    id: `x.${id}`,
    order,
    join,
  })
  const items = trail(
    f.itemMeta,
    'meta_id',
    sql<number>`i.order_id`,
    sql`inner join ${sql.table(f.items)} as i on i.order_item_id = x.order_item_id`,
  )
  const posts = [
    items,
    trail(f.posts, 'ID', orderOfPost, postOf('x.ID')),
    trail(f.postMeta, 'meta_id', orderOfPost, postOf('x.post_id')),
    trail(f.comments, 'comment_ID', orderOfPost, postOf('x.comment_post_ID')),
  ]
  const entries = [
    trail(f.entries, 'id', sql<number>`x.id`),
    trail(f.entryMeta, 'id', sql<number>`x.entry_id`),
    trail(f.entryNotes, 'id', sql<number>`x.entry_id`),
  ]

  async function trailsOf(): Promise<{ trails: Trail[]; hasTimes: boolean }> {
    if (type === 'shortcode') return { trails: [trail(t.orders, 'ID', sql<number>`x.ID`)], hasTimes: false }
    if (type === 'gf') return { trails: entries, hasTimes: false }
    const { isInTables } = await orderStorage(cms)
    return isInTables ? { trails: [items], hasTimes: true } : { trails: posts, hasTimes: false }
  }

  /** The orders of new rows, at most `maxRows` of them: up to the id `end`. */
  async function rowsBetween({ table, id, order, join }: Trail, low: number, last: number) {
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
  async function newRows(trail: Trail, mark: IdMark | undefined): Promise<Step> {
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
    const isOld = now - mark.at >= settling
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
    const fresh = timeOf(now - unclear)
    const seen = new Map(
      found.map(({ id, order, time }) => [Number(order), time < fresh ? `${id} ${time}` : '']),
    )
    const last = found.at(-1)
    const end = last && found.length === maxRows ? { time: last.time, id: Number(last.id) } : undefined
    return { seen, end }
  }

  /** Orders by the time of their last save. */
  async function saved(mark: TimeMark | undefined): Promise<Step> {
    const { rows } = await sql<{ last: string | null; now: number }>`
      select (select cast(max(date_updated_gmt) as char) from ${sql.table(f.orders)}) as last,
        ${dialect.now} as ${sql.ref('now')}`.execute(db)
    const now = Number(rows[0]?.now)
    const newest = earlier(rows[0]?.last ?? '', timeOf(now))
    if (!mark) return { mark: { time: before(newest), id: 0 }, seen: new Map(), isBehind: false }
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
    const next = before(newest)
    const settled = next > mark.time ? { time: next, id: 0 } : current
    return { mark: { ...settled, ...(again && { again }) }, seen, isBehind: false }
  }

  /** Undefined if the table does not exist. */
  const ifPresent = (step: Promise<Step>) =>
    step.catch((error: unknown) => {
      if (dialect.isMissingTable(error)) return undefined
      throw error
    })

  return {
    async look(since: string | undefined): Promise<Look> {
      const { trails, hasTimes } = await trailsOf()
      const marks = marksIn(since)
      const found = await Promise.all(
        [
          ...trails.map((trail) => ({ name: trail.name, step: newRows(trail, idMark(marks[trail.name])) })),
          ...(hasTimes ? [{ name: 'saved', step: saved(timeMark(marks.saved)) }] : []),
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

/** The clocks of PHP and of the database differ: a time in the future counts as now, none as the beginning. */
const earlier = (first: string, other: string) => (first < other ? first : other)

/** The time before which everything is settled. */
function before(time: string): string {
  const seconds = Date.parse(`${time.replace(' ', 'T')}Z`) / 1000
  return Number.isFinite(seconds) ? timeOf(Math.max(0, seconds - settling)) : timeOf(0)
}

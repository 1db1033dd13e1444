// Finds the orders that may have become printable since the last look, by bounded statements that use an index: orders of the
// shop by the time of their last change or by their notes, form entries and shortcode orders by their ids.
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Database } from '../db/connect.ts'
import { type ItemKey, joinedRows } from './auto-print-rows.ts'
import { printableStatusesOf } from './printable.ts'
import { designKeys, emptyValues, type OrderType } from './source.ts'
import { foreignTables } from './tables.ts'
import { storedStatuses } from './wc.ts'

/**
 * Where a look at one place of orders continues, and since when its orders count. WooCommerce's tables use `at` and `floor`, its posts
 * `last` and `floor`, form entries `last`, `above` and `sweep`, shortcode orders `last` and `above`.
 */
export interface Cursor {
  /** The newest time of a change that a look has seen, in the clock of PHP. */
  at?: string
  /** The newest id that a look has seen. */
  last?: number
  /** Orders that were created before this time are never printed automatically. */
  floor?: string
  /** Orders up to this id are never printed automatically. */
  above?: number
  /** Older entries of forms with ids up to this one are looked at again by the next thorough look. */
  sweep?: number
}

/** What a look searches for. */
export interface Look {
  cursor: Cursor
  /** States of shop orders. */
  statuses: readonly string[]
  /** Whether orders are printed as a whole. */
  isWhole: boolean
  /** Unix seconds of the database. */
  now: number
}

/** A thorough look also finds orders whose change left no trace; it comes once a minute. */
interface Thoroughness {
  isThorough: boolean
}

/** One place of orders: the tables of WooCommerce, its posts, form entries, or shortcode orders. */
export interface PrintablePlace {
  type: OrderType
  /**
   * The cursor of the first look, without `cursor`; otherwise the cursor after a look that began at `cursor`. Read it before the look,
   * and store it after.
   * @param now Unix seconds of the database
   */
  newest(now: number, cursor?: Cursor, thoroughness?: Thoroughness): Promise<Cursor>
  /** Up to `maxFound` of the orders without a row that were printable before the first look. */
  earlier(look: Look): Promise<ItemKey[]>
  /** Up to `maxFound` of the items to print without a row. */
  find(look: Look, thoroughness: Thoroughness): Promise<ItemKey[]>
}

/** The most items of one statement. Fewer mean that there are no others. */
export const maxFound = 500
/** Seconds that a change may be committed late, or that the clocks of two servers of the shop may differ. */
const overlap = 15 * 60
/** Seconds that the clock of PHP may be ahead. A later time does not move the cursor. */
const maxAhead = 3600
/** Days before the first look in which an order was created that may become printable later. */
const floorDays = 60
/** Days since its creation in which an order is found even if its change left no note. */
const thoroughDays = 30
/** Ids that are looked at again, because a transaction may commit late. */
const lateIds = 500
/** Ids of form entries that are looked at again, because entries are paid later. */
const lateEntries = 2000
/** Ids of older entries in one thorough look. Looks go from the newest to the oldest, and then begin again. */
const sweptEntries = 10_000

/** A time in UTC as the CMS stores it. @param seconds Unix seconds */
const timeText = (seconds: number) => new Date(seconds * 1000).toISOString().slice(0, 19).replace('T', ' ')
/** Such a time, some seconds earlier. */
const earlierBy = (time: string, seconds: number) =>
  timeText(Date.parse(`${time.replace(' ', 'T')}Z`) / 1000 - seconds)

/** The places of one database. */
export function printablePlaces(database: Database) {
  const { dialect, t } = database
  const { db, f } = foreignTables(database)
  /** Runs a statement that selects items; the item is 0 for a whole order. */
  const run = async (query: RawBuilder<{ orderId: number; itemId: number }>): Promise<ItemKey[]> => {
    const { rows } = await query.execute(db)
    return rows.map(({ orderId, itemId }) => ({ orderId: Number(orderId), itemId: Number(itemId) }))
  }

  /**
   * The items with a design of orders of the shop that have no row. The statement reads its tables in the given order, because
   * beginning with all designs would take much longer.
   * @param from the tables of orders, `where` the condition for them, `order` the column of the order's id
   */
  function designedItems(
    from: RawBuilder<unknown>,
    where: RawBuilder<SqlBool>,
    order: string,
    { isWhole }: Pick<Look, 'isWhole'>,
  ) {
    const [id, item] = [sql.ref(order), sql.ref('i.order_item_id')]
    return run(sql`select ${dialect.inOrder} ${id} as ${sql.ref('orderId')},
        ${isWhole ? sql`0` : item} as ${sql.ref('itemId')}
      from ${from} cross join ${sql.table(f.items)} as i
        ${joinedRows(database, 'wc', id, isWhole ? undefined : item)} cross join ${sql.table(f.itemMeta)} as m
      where ${where} and i.order_id = ${id} and i.order_item_type = 'line_item'
        and r.order_id is null
        and m.order_item_id = i.order_item_id and m.meta_key in (${sql.join(designKeys)})
        and m.meta_value not in (${sql.join(emptyValues)})
      group by ${isWhole ? id : sql`${id}, ${item}`} limit ${maxFound}`)
  }

  /** Orders that meet a condition and have no row, as a whole (item 0). */
  const idsOfOrders = (from: RawBuilder<unknown>, where: RawBuilder<SqlBool>, order: string) =>
    run(sql`select ${sql.ref(order)} as ${sql.ref('orderId')}, 0 as ${sql.ref('itemId')} from ${from}
      ${joinedRows(database, 'wc', sql.ref(order))} where ${where} and r.order_id is null limit ${maxFound}`)

  async function newestId(table: string, id: string): Promise<number> {
    const { rows } = await sql<{ last: number | null }>`select max(${sql.ref(id)}) as ${sql.ref('last')}
      from ${sql.table(table)}`.execute(db)
    return Number(rows[0]?.last ?? 0)
  }

  const states = (statuses: readonly string[]) => sql.join(storedStatuses(statuses))
  const floorOf = (now: number, cursor?: Cursor) => cursor?.floor ?? timeText(now - floorDays * 86_400)

  const inTables: PrintablePlace = {
    type: 'wc',
    async newest(now, cursor) {
      const { rows } = await sql<{ at: string | null }>`
        select cast(max(date_updated_gmt) as char) as ${sql.ref('at')} from ${sql.table(f.orders)}
        where date_updated_gmt <= ${timeText(now + maxAhead)}`.execute(db)
      const newestTime = rows[0]?.at ?? timeText(now - overlap)
      const earlierTime = cursor?.at ?? ''
      return { at: earlierTime > newestTime ? earlierTime : newestTime, floor: floorOf(now, cursor) }
    },
    earlier: ({ cursor, statuses }) =>
      idsOfOrders(
        sql`${sql.table(f.orders)} as o`,
        sql<SqlBool>`o.type = 'shop_order' and o.status in (${states(statuses)})
          and o.date_created_gmt >= ${cursor.floor}`,
        'o.id',
      ),
    find: ({ cursor: { at: since = '', floor }, statuses, isWhole }) =>
      designedItems(
        sql`${sql.table(f.orders)} as o`,
        sql<SqlBool>`o.date_updated_gmt >= ${earlierBy(since, overlap)} and o.type = 'shop_order'
          and o.status in (${states(statuses)}) and o.date_created_gmt >= ${floor}`,
        'o.id',
        { isWhole },
      ),
  }

  /**
   * SQL: whether a post is an order in one of the states, created at `since` or later. Its index has the time in the zone of the shop;
   * compared with UTC, it is some hours off, which does not matter to a bound of days.
   */
  const isPost = (statuses: readonly string[], since: string | undefined) =>
    sql<SqlBool>`o.post_type = 'shop_order' and o.post_status in (${states(statuses)}) and o.post_date >= ${since}`

  /** Posts have no index on the time of their change, so a look reads new notes: the shop writes one for each change of an order's state. */
  const inPosts: PrintablePlace = {
    type: 'wc',
    newest: async (now, cursor) => ({
      last: await newestId(f.comments, 'comment_ID'),
      floor: floorOf(now, cursor),
    }),
    earlier: ({ cursor, statuses }) =>
      idsOfOrders(sql`${sql.table(f.posts)} as o`, isPost(statuses, cursor.floor), 'o.ID'),
    async find({ cursor: { last = 0, floor = '' }, statuses, isWhole, now }, { isThorough }) {
      const withNote = await designedItems(
        sql`${sql.table(f.comments)} as c cross join ${sql.table(f.posts)} as o`,
        sql<SqlBool>`c.comment_ID > ${last - lateIds} and c.comment_type = 'order_note'
          and o.ID = c.comment_post_ID and ${isPost(statuses, floor)}`,
        'o.ID',
        { isWhole },
      )
      if (!isThorough || withNote.length === maxFound) return withNote
      const window = timeText(now - thoroughDays * 86_400)
      const since = floor > window ? floor : window
      const posts = sql`${sql.table(f.posts)} as o`
      return [...withNote, ...(await designedItems(posts, isPost(statuses, since), 'o.ID', { isWhole }))]
    },
  }

  /** The paid entries without a row with ids above `above` up to `until`. */
  const printableEntries = (above: number, until = Number.MAX_SAFE_INTEGER) => {
    const payment = sql`coalesce(nullif(lower(e.payment_status), ''), 'active')`
    return run(sql`select e.id as ${sql.ref('orderId')}, 0 as ${sql.ref('itemId')} from ${sql.table(f.entries)} as e
      ${joinedRows(database, 'gf', sql.ref('e.id'))} where r.order_id is null and e.id > ${above} and e.id <= ${until}
        and e.status = 'active' and ${payment} in (${sql.join([...(printableStatusesOf('gf', []) ?? [])])})
        and e.form_id in (select form_id from ${sql.table(f.formMeta)} where display_meta like '%svc-order%')
      limit ${maxFound}`)
  }
  /** The id above which all looks read entries again. */
  const lookedAgain = ({ last = 0 }: Cursor) => Math.max(0, last - lateEntries)

  /** No index finds the entries that were paid last, so thorough looks read the older ones, a part of their ids after the other. */
  const inForms: PrintablePlace = {
    type: 'gf',
    async newest(_now, cursor, { isThorough } = { isThorough: false }) {
      const last = await newestId(f.entries, 'id')
      const above = cursor?.above ?? lookedAgain(cursor ?? { last })
      const sweep = cursor?.sweep ?? last
      const swept = sweep - sweptEntries
      return { last, above, sweep: isThorough ? (swept > above ? swept : last) : sweep }
    },
    earlier: ({ cursor }) => printableEntries(lookedAgain(cursor)),
    async find({ cursor }, { isThorough }) {
      const recent = await printableEntries(lookedAgain(cursor))
      if (!isThorough || recent.length === maxFound) return recent
      const { above = 0, sweep = 0 } = cursor
      return [...recent, ...(await printableEntries(Math.max(above, sweep - sweptEntries), sweep))]
    },
  }

  const inShortcode: PrintablePlace = {
    type: 'shortcode',
    async newest(_now, cursor) {
      const last = await newestId(t.orders, 'ID')
      return { last, above: cursor?.above ?? last }
    },
    // No rows are needed: `find` leaves out orders up to `above`.
    earlier: async () => [],
    find: ({ cursor: { last = 0, above = 0 } }) =>
      run(sql`select o.ID as ${sql.ref('orderId')}, 0 as ${sql.ref('itemId')} from ${sql.table(t.orders)} as o
        ${joinedRows(database, 'shortcode', sql.ref('o.ID'))}
        where r.order_id is null and o.ID > ${Math.max(above, last - lateIds)} and o.views not in ('', 'null', '[]')
        limit ${maxFound}`),
  }

  return { tables: inTables, posts: inPosts, gf: inForms, shortcode: inShortcode }
}

/** The names of the places: WooCommerce's tables or posts, forms, and the shortcode. */
export type PlaceName = keyof ReturnType<typeof printablePlaces>

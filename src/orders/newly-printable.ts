// Finds the orders that may have become printable since the last look, by bounded statements that use an index: orders of the
// shop by the time of their last change or by their notes, shortcode orders by their ids. Form entries: `printable-entries.ts`.
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Database } from '../db/connect.ts'
import { joinedRows } from './auto-print-rows.ts'
import { type EntryCursor, formEntries } from './printable-entries.ts'
import { maxFound, type PrintablePlace, placeQueries } from './printable-place.ts'
import { designKeys, emptyValues } from './source.ts'
import { foreignTables, storedTime } from './tables.ts'
import { storedStatuses } from './wc.ts'

/** Where a look at WooCommerce's tables continues. Times are in UTC. */
interface ChangeCursor {
  /** The newest time of a change that a look has seen, in the clock of PHP. */
  at: string
  /** Orders that were created before this time are never printed automatically. */
  floor: string
}

/** Where a look at WooCommerce's posts continues. */
interface NoteCursor {
  /** The newest id of a note that a look has seen. */
  last: number
  /** As in `ChangeCursor`. */
  floor: string
}

/** Where a look at shortcode orders continues. */
interface IdCursor {
  /** The newest id that a look has seen. */
  last: number
  /** Orders up to this id are never printed automatically. */
  above: number
}

/** The cursors by the name of their place: WooCommerce's tables or posts, form entries, shortcode orders. */
export interface Cursors {
  tables: ChangeCursor
  posts: NoteCursor
  gf: EntryCursor
  shortcode: IdCursor
}

/** The name of a place. */
export type PlaceName = keyof Cursors

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

/** A time as the CMS stores it, some seconds earlier. */
const earlierBy = (time: string, seconds: number) =>
  storedTime(Date.parse(`${time.replace(' ', 'T')}Z`) / 1000 - seconds)

/** The places of one database. */
export function printablePlaces(database: Database): { [N in PlaceName]: PrintablePlace<Cursors[N]> } {
  const { dialect, t } = database
  const { db, f } = foreignTables(database)
  const { items, newestId } = placeQueries(database)

  /**
   * The items with a design of orders of the shop that have no row. The statement reads its tables in the given order, because
   * beginning with all designs would take much longer.
   * @param from the tables of orders, `where` the condition for them, `order` the column of the order's id
   */
  function designedItems(
    from: RawBuilder<unknown>,
    where: RawBuilder<SqlBool>,
    order: string,
    { isWhole }: { isWhole: boolean },
  ) {
    const [id, item] = [sql.ref(order), sql.ref('i.order_item_id')]
    const rows = joinedRows(database, 'wc', id, isWhole ? undefined : item)
    return items(sql`select ${dialect.inOrder} ${id} as ${sql.ref('orderId')},
        ${isWhole ? sql`0` : item} as ${sql.ref('itemId')}
      from ${from} cross join ${sql.table(f.items)} as i
        ${rows.join} cross join ${sql.table(f.itemMeta)} as m
      where ${where} and i.order_id = ${id} and i.order_item_type = 'line_item'
        and ${rows.hasNone}
        and m.order_item_id = i.order_item_id and m.meta_key in (${sql.join(designKeys)})
        and m.meta_value not in (${sql.join(emptyValues)})
      group by ${isWhole ? id : sql`${id}, ${item}`} limit ${maxFound}`)
  }

  /** Orders that meet a condition and have no row, as a whole (item 0). */
  function idsOfOrders(from: RawBuilder<unknown>, where: RawBuilder<SqlBool>, order: string) {
    const rows = joinedRows(database, 'wc', sql.ref(order))
    return items(sql`select ${sql.ref(order)} as ${sql.ref('orderId')}, 0 as ${sql.ref('itemId')} from ${from}
      ${rows.join} where ${where} and ${rows.hasNone} limit ${maxFound}`)
  }

  const states = (statuses: readonly string[]) => sql.join(storedStatuses(statuses))
  const firstFloor = (now: number) => storedTime(now - floorDays * 86_400)

  const tables: PrintablePlace<ChangeCursor> = {
    type: 'wc',
    async newest(now, cursor) {
      const { rows } = await sql<{ at: string | null }>`
        select cast(max(date_updated_gmt) as char) as ${sql.ref('at')} from ${sql.table(f.orders)}
        where date_updated_gmt <= ${storedTime(now + maxAhead)}`.execute(db)
      const at = rows[0]?.at ?? storedTime(now - overlap)
      if (!cursor) return { at, floor: firstFloor(now) }
      return { at: cursor.at > at ? cursor.at : at, floor: cursor.floor }
    },
    earlier: ({ cursor, statuses }) =>
      idsOfOrders(
        sql`${sql.table(f.orders)} as o`,
        sql<SqlBool>`o.type = 'shop_order' and o.status in (${states(statuses)})
          and o.date_created_gmt >= ${cursor.floor}`,
        'o.id',
      ),
    find: ({ cursor: { at, floor }, statuses, isWhole }) =>
      designedItems(
        sql`${sql.table(f.orders)} as o`,
        sql<SqlBool>`o.date_updated_gmt >= ${earlierBy(at, overlap)} and o.type = 'shop_order'
          and o.status in (${states(statuses)}) and o.date_created_gmt >= ${floor}`,
        'o.id',
        { isWhole },
      ),
  }

  /**
   * SQL: whether a post is an order in one of the states, created at `since` or later. Its index has the time in the zone of the shop;
   * compared with UTC, it is some hours off, which does not matter to a bound of days.
   */
  const isPost = (statuses: readonly string[], since: string) =>
    sql<SqlBool>`o.post_type = 'shop_order' and o.post_status in (${states(statuses)}) and o.post_date >= ${since}`

  /** Posts have no index on the time of their change, so a look reads new notes: the shop writes one for each change of an order's state. */
  const posts: PrintablePlace<NoteCursor> = {
    type: 'wc',
    newest: async (now, cursor) => ({
      last: await newestId(f.comments, 'comment_ID'),
      floor: cursor?.floor ?? firstFloor(now),
    }),
    earlier: ({ cursor, statuses }) =>
      idsOfOrders(sql`${sql.table(f.posts)} as o`, isPost(statuses, cursor.floor), 'o.ID'),
    async find({ cursor: { last, floor }, statuses, isWhole, now }, { isThorough }) {
      const withNote = await designedItems(
        sql`${sql.table(f.comments)} as c cross join ${sql.table(f.posts)} as o`,
        sql<SqlBool>`c.comment_ID > ${last - lateIds} and c.comment_type = 'order_note'
          and o.ID = c.comment_post_ID and ${isPost(statuses, floor)}`,
        'o.ID',
        { isWhole },
      )
      if (!isThorough || withNote.length === maxFound) return withNote
      const window = storedTime(now - thoroughDays * 86_400)
      const since = floor > window ? floor : window
      const orders = sql`${sql.table(f.posts)} as o`
      return [...withNote, ...(await designedItems(orders, isPost(statuses, since), 'o.ID', { isWhole }))]
    },
  }

  const shortcode: PrintablePlace<IdCursor> = {
    type: 'shortcode',
    async newest(_now, cursor) {
      const last = await newestId(t.orders, 'ID')
      return { last, above: cursor?.above ?? last }
    },
    // No rows are needed: `find` leaves out orders up to `above`.
    earlier: async () => [],
    find({ cursor: { last, above } }) {
      const rows = joinedRows(database, 'shortcode', sql.ref('o.ID'))
      return items(sql`select o.ID as ${sql.ref('orderId')}, 0 as ${sql.ref('itemId')} from ${sql.table(t.orders)} as o
        ${rows.join}
        where ${rows.hasNone} and o.ID > ${Math.max(above, last - lateIds)} and o.views not in ('', 'null', '[]')
        limit ${maxFound}`)
    },
  }

  return { tables, posts, gf: formEntries(database), shortcode }
}

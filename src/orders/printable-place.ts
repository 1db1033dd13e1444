// What a look for newly printable orders needs of each place of orders: where it continues, and its bounded statements.
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../db/connect.ts'
import type { ItemIds } from './auto-print-rows.ts'
import type { OrderType } from './source.ts'
import { foreignTables } from './tables.ts'

/** What a look searches for. `C` is the cursor of the place: where the look continues, and since when orders count. */
interface Look<C> {
  cursor: C
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
export interface PrintablePlace<C> {
  type: OrderType
  /**
   * The cursor of the first look, without `cursor`; otherwise the cursor after a look that began at `cursor`. Read it before the look,
   * and store it after.
   * @param now Unix seconds of the database
   */
  newest(now: number, cursor?: C, thoroughness?: Thoroughness): Promise<C>
  /**
   * The orders that were printable before the first look, which records them (auto-print-rows.ts) so that they are not printed; at most
   * `maxFound` from each of its statements.
   */
  earlier(look: Look<C>): Promise<ItemIds[]>
  /** The items to print that are not recorded yet; at most `maxFound` from each of its statements. */
  find(look: Look<C>, thoroughness: Thoroughness): Promise<ItemIds[]>
}

/** The most items of one statement. Fewer mean that there are no others. */
export const maxFound = 500

/** The queries that the places of one database share. */
export function placeQueries(database: Database) {
  const { db } = foreignTables(database)

  return {
    /** Runs a statement that selects items; the item is 0 for a whole order. */
    async items(query: RawBuilder<{ orderId: number; itemId: number }>): Promise<ItemIds[]> {
      const { rows } = await query.execute(db)
      return rows.map(({ orderId, itemId }) => ({ orderId: Number(orderId), itemId: Number(itemId) }))
    },

    /** The newest id of a table; 0 if it is empty. */
    async newestId(table: string, id: string): Promise<number> {
      const { rows } = await sql<{ last: number | null }>`select max(${sql.ref(id)}) as ${sql.ref('last')}
      from ${sql.table(table)}`.execute(db)
      return Number(rows[0]?.last ?? 0)
    },
  }
}

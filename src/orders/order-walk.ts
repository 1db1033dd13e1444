// Walks over the orders with a design of a source, in the order of the ids of a table, for the first fill of the index and for its
// comparison with the shop.
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../db/connect.ts'
import { designKeys, type OrderType } from './source.ts'
import { foreignTables } from './tables.ts'

/** The table of a source that is read as `x`: SQL of its primary key and of the id of the order, and a join. */
interface WalkedTable {
  table: string
  id: RawBuilder<number>
  order: RawBuilder<number>
  join: RawBuilder<unknown>
}

/** The walk over one source. */
export function orderWalk(database: Database, type: OrderType) {
  const { db, t } = database
  const { f } = foreignTables(database)
  const allRows = (table: string, column: string): WalkedTable => ({
    table,
    id: sql<number>`x.${sql.ref(column)}`,
    order: sql<number>`x.${sql.ref(column)}`,
    join: sql``,
  })
  const isDesign = sql`m.meta_key in (${sql.join(designKeys)})`
  const items = {
    table: f.items,
    id: sql<number>`x.order_item_id`,
    order: sql<number>`x.order_id`,
    join: sql`inner join ${sql.table(f.itemMeta)} as m on m.order_item_id = x.order_item_id and ${isDesign}`,
  }
  const walked = { wc: items, gf: allRows(f.entries, 'id'), shortcode: allRows(t.orders, 'ID') }[type]
  const from = sql`from ${sql.table(walked.table)} as x`

  return {
    /** Whether there are more stored designs of the shop, form entries, or shortcode orders than this number: cheap to count. */
    async isLargerThan(number: number): Promise<boolean> {
      const rows = type === 'wc' ? sql`from ${sql.table(f.itemMeta)} as m where ${isDesign}` : from
      const { rows: counts } = await sql<{ number: number }>`
        select count(*) as number from (select 1 as one ${rows} limit ${number + 1}) as w`.execute(db)
      return Number(counts[0]?.number) > number
    },

    /** The highest id of the table. */
    async end(): Promise<number> {
      const { rows } = await sql<{ last: number | null }>`select max(${walked.id}) as last ${from}`.execute(
        db,
      )
      return Number(rows[0]?.last ?? 0)
    },

    /** The orders of the next rows above the id `after`, and the last of these ids; undefined after the last row. */
    async next(after: number, limit: number): Promise<{ to: number; orders: number[] } | undefined> {
      const { rows } = await sql<{ last: number | null }>`
        select max(id) as last from (select ${walked.id} as id ${from} where ${walked.id} > ${after}
          order by ${walked.id} limit ${limit}) as w`.execute(db)
      if (rows[0]?.last == null) return undefined
      const to = Number(rows[0].last)
      const { rows: orderRows } = await sql<{ order: number }>`
        select distinct ${walked.order} as ${sql.ref('order')} ${from} ${walked.join}
        where ${walked.id} > ${after} and ${walked.id} <= ${to}`.execute(db)
      return { to, orders: orderRows.map(({ order }) => Number(order)) }
    },
  }
}

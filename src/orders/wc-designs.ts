// Statements for the list of the shop's orders that would otherwise look at all orders: counts and late pages begin with the designs,
// by the shop's index on the keys of meta; searches look for names alone first.
import { type Expression, type SqlBool, sql } from 'kysely'
import type { Database } from '../db/connect.ts'
import { emptyValues, generations, hasPrintFile, type ListConditions, type Slice } from './source.ts'
import { foreignTables } from './tables.ts'

/** Statuses of orders that no list has. */
export const hidden = ['trash', 'auto-draft', 'checkout-draft', 'wc-checkout-draft']

/** Orders that a search may read by their ids. */
const maxHits = 5000

/** States as the shop stores them: its own and those of plugins with the prefix, old ones without. */
export const storedStatuses = (statuses: readonly string[]) =>
  statuses.flatMap((status) => [`wc-${status}`, status])

/**
 * @param isInTables whether the shop keeps its orders in tables of their own, else as posts
 * @param statuses only orders in these states
 */
export function designedOrders(
  database: Database,
  isInTables: boolean,
  statuses: readonly string[] | undefined,
) {
  const { dialect } = database
  const { db, f } = foreignTables(database)
  const [table, id, type, status, created] = isInTables
    ? [f.orders, sql.ref('o.id'), sql.ref('o.type'), sql.ref('o.status'), sql.ref('o.date_created_gmt')]
    : [f.posts, sql.ref('o.ID'), sql.ref('o.post_type'), sql.ref('o.post_status'), sql.ref('o.post_date_gmt')]
  const isInState = statuses ? sql`${status} in (${sql.join(storedStatuses(statuses))})` : sql`1 = 1`
  const isOrder = sql`${type} = 'shop_order' and ${status} not in (${sql.join(hidden)}) and ${isInState}`
  const printed = hasPrintFile(database, 'wc', sql.ref('i.order_id'), sql.ref('i.order_item_id'))

  /** In this order for the optimizer, too: it would take longer by far to look for the designs of each order. */
  const fromDesigns = (isUnprinted: boolean) => sql`from ${sql.table(f.itemMeta)} as m
    cross join ${sql.table(f.items)} as i cross join ${sql.table(table)} as o
    where m.meta_key in (${sql.join(generations)}) and m.meta_value not in (${sql.join(emptyValues)})
      and i.order_item_id = m.order_item_id and i.order_item_type = 'line_item'
      and ${id} = i.order_id and ${isOrder} and ${isUnprinted ? sql`not ${printed}` : sql`1 = 1`}`

  async function countOf(isUnprinted: boolean): Promise<number> {
    const { rows } = await sql<{ number: number }>`
      select ${dialect.inOrder} count(distinct ${id}) as number ${fromDesigns(isUnprinted)}`.execute(db)
    return Number(rows[0]?.number ?? 0)
  }

  const text = (column: string) => sql`coalesce(${sql.ref(column)}, '')`
  const like = (ref: Expression<unknown>, search: string) => dialect.mayContain({ ref }, search)

  /** Meta of the order under one of these keys in which the term may be. */
  const inMeta = (metaTable: string, owner: string, keys: readonly string[], search: string) =>
    sql<SqlBool>`exists (select 1 from ${sql.table(metaTable)} as x where x.${sql.ref(owner)} = ${id}
      and x.meta_key in (${sql.join(keys)}) and ${like(sql.ref('x.meta_value'), search)})`

  /** Names are searched as one text, because a term may begin in the first and end in the last name. */
  function searched(search: string) {
    if (isInTables) {
      const name = dialect.joined([text('a.first_name'), sql`' '`, text('a.last_name')])
      const join = sql`left join ${sql.table(f.addresses)} as a on a.order_id = ${id} and a.address_type = 'billing'`
      const found = sql`${like(name, search)} or ${like(sql.ref('o.billing_email'), search)}
        or ${inMeta(f.orderMeta, 'order_id', ['_order_number'], search)}`
      return { join, found }
    }
    const join = sql`left join ${sql.table(f.postMeta)} as n on n.post_id = ${id} and n.meta_key = '_billing_first_name'
      left join ${sql.table(f.postMeta)} as l on l.post_id = ${id} and l.meta_key = '_billing_last_name'`
    const name = dialect.joined([text('n.meta_value'), sql`' '`, text('l.meta_value')])
    const keys = ['_billing_email', '_order_number']
    return { join, found: sql`${like(name, search)} or ${inMeta(f.postMeta, 'post_id', keys, search)}` }
  }

  return {
    async count({ hasPrintFile: hasFile }: Pick<ListConditions, 'hasPrintFile'>): Promise<number> {
      if (hasFile !== true) return countOf(hasFile === false)
      const [all, unprinted] = await Promise.all([countOf(false), countOf(true)])
      return Math.max(0, all - unprinted)
    },

    /** The ids of a page, of those orders of which something has no print file or of all. */
    async page({ limit, offset }: Slice, isUnprinted: boolean): Promise<number[]> {
      const { rows } = await sql<{ id: number }>`
        select ${dialect.inOrder} ${id} as id ${fromDesigns(isUnprinted)} group by ${id}, ${created}
        order by ${created} desc, ${id} desc limit ${limit} offset ${offset}`.execute(db)
      return rows.map((row) => Number(row.id))
    },

    /** The ids of all orders in which the term may be; undefined if they are too many. */
    async mayContain(search: string): Promise<number[] | undefined> {
      const { join, found } = searched(search)
      const { rows } = await sql<{ id: number }>`
        select distinct ${id} as id from ${sql.table(table)} as o ${join}
        where ${isOrder} and (${like(sql`cast(${id} as char)`, search)} or ${found})
        limit ${maxHits + 1}`.execute(db)
      return rows.length > maxHits ? undefined : rows.map((row) => Number(row.id))
    },
  }
}

// WooCommerce orders: line items with their meta, under classic posts or the high-performance order tables.
import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Database } from '../db/connect.ts'
import { countOf } from '../db/repository.ts'
import { isoOfUtc } from '../db/time.ts'
import type { CmsOptions } from '../settings/cms.ts'
import { boughtItems } from './bought-items.ts'
import {
  emptyValues,
  generations,
  hasPrintFile,
  type ListConditions,
  type ListedItem,
  type ListedOrder,
  type ListQuery,
  type OrderSource,
  pageOf,
  type Slice,
} from './source.ts'
import { foreignColumns, foreignTables, idsOf, isWithin, orderStorage } from './tables.ts'
import { designedOrders, hidden, storedStatuses } from './wc-designs.ts'
import { itemsWithMeta, shopRows, wcDetails, withoutPrefix } from './wc-details.ts'

/** From this offset on a page is found by the designs: to skip so many orders takes longer. */
const lateOffset = 1000

export function wcSource(database: Database, cms: CmsOptions): OrderSource {
  const { db, f, typed } = foreignTables(database)
  const columnsOf = foreignColumns(database)
  const itemsBought = boughtItems(database, cms)
  const { statusOf } = shopRows(database, cms)

  const withDesign = () =>
    db
      .selectFrom(`${f.items} as i`)
      .innerJoin(`${f.itemMeta} as m`, 'm.order_item_id', 'i.order_item_id')
      .where('i.order_item_type', '=', 'line_item')
      .where('m.meta_key', 'in', generations)
      .where('m.meta_value', 'not in', emptyValues)

  /** Orders with a design, or those of which something has no print file, or none. */
  const isListed = (id: Expression<unknown>, hasFile: boolean | undefined) => {
    const orders = withDesign().select('i.order_id')
    if (hasFile === undefined) return sql<SqlBool>`${id} in ${orders}`
    const printed = hasPrintFile(database, 'wc', sql.ref('i.order_id'), sql.ref('i.order_item_id'))
    // A number, because the optimizer would make a list of all for `exists`.
    const unprinted = withDesign()
      .select((eb) => eb.fn.countAll().as('items'))
      .where(sql<SqlBool>`i.order_id = ${id}`)
      .where(sql<SqlBool>`not ${printed}`)
    return hasFile
      ? sql<SqlBool>`${id} in ${orders} and ${unprinted} = 0`
      : sql<SqlBool>`${id} in ${orders} and ${unprinted} > 0`
  }

  /** A meta value as a column of the list. */
  const meta = (
    table: string,
    owner: string,
    id: Expression<unknown>,
    key: string,
  ): RawBuilder<string | null> =>
    sql<string | null>`(select min(x.meta_value) from ${sql.table(table)} as x
      where x.${sql.ref(owner)} = ${id} and x.meta_key = ${key})`

  function customTables({ include, since, until, hasPrintFile: hasFile, statuses }: ListConditions) {
    return db
      .selectFrom(`${f.orders} as o`)
      .leftJoin(`${f.addresses} as a`, (join) =>
        join.onRef('a.order_id', '=', 'o.id').on('a.address_type', '=', 'billing'),
      )
      .select(['o.id', 'o.status', 'o.billing_email as mail', 'a.first_name as first', 'a.last_name as last'])
      .select(sql<string>`cast(o.date_created_gmt as char)`.as('created'))
      .select(meta(f.orderMeta, 'order_id', sql.ref('o.id'), '_order_number').as('number'))
      .where('o.type', '=', 'shop_order')
      .where('o.status', 'not in', hidden)
      .where(isListed(sql.ref('o.id'), hasFile))
      .$if(statuses !== undefined, (query) => query.where('o.status', 'in', storedStatuses(statuses ?? [])))
      .$if(include !== undefined, (query) => query.where('o.id', 'in', idsOf(include)))
      .$if(Boolean(since || until), (query) => query.where(isWithin('o.date_created_gmt', { since, until })))
      .orderBy('o.date_created_gmt', 'desc')
      .orderBy('o.id', 'desc')
  }

  function classicPosts({ include, since, until, hasPrintFile: hasFile, statuses }: ListConditions) {
    const of = (key: string) => meta(f.postMeta, 'post_id', sql.ref('p.ID'), key)
    return db
      .selectFrom(`${f.posts} as p`)
      .select(['p.ID as id', 'p.post_status as status'])
      .select(sql<string>`cast(p.post_date_gmt as char)`.as('created'))
      .select([of('_billing_email').as('mail'), of('_order_number').as('number')])
      .select([of('_billing_first_name').as('first'), of('_billing_last_name').as('last')])
      .where('p.post_type', '=', 'shop_order')
      .where('p.post_status', 'not in', hidden)
      .where(isListed(sql.ref('p.ID'), hasFile))
      .$if(statuses !== undefined, (query) =>
        query.where('p.post_status', 'in', storedStatuses(statuses ?? [])),
      )
      .$if(include !== undefined, (query) => query.where('p.ID', 'in', idsOf(include)))
      .$if(Boolean(since || until), (query) => query.where(isWithin('p.post_date_gmt', { since, until })))
      .orderBy('p.post_date_gmt', 'desc')
      .orderBy('p.ID', 'desc')
  }

  async function rowsOf(which: ListConditions, slice: Slice | undefined): Promise<ListedOrder[]> {
    const query = (await orderStorage(cms)).isInTables ? customTables(which) : classicPosts(which)
    const end = slice ? sql`limit ${slice.limit} offset ${slice.offset}` : sql``
    const rows = await query.modifyEnd(end).execute()
    return rows.map(({ id, status, created, mail, first, last, number }) => ({
      id,
      order_number: number || String(id),
      created_date: isoOfUtc(created),
      status: withoutPrefix(status),
      customer_name: `${first ?? ''} ${last ?? ''}`.trim(),
      customer_mail: mail ?? '',
    }))
  }

  const isEach = ({ include, since, until }: ListConditions) => !include && !since && !until

  async function count(which: ListConditions): Promise<number> {
    const { isInTables } = await orderStorage(cms)
    if (isEach(which)) return designedOrders(database, isInTables, which.statuses).count(which)
    return isInTables
      ? countOf(customTables(which).clearSelect().clearOrderBy())
      : countOf(classicPosts(which).clearSelect().clearOrderBy())
  }

  async function pageOfRows(which: ListConditions, slice: Slice | undefined): Promise<ListedOrder[]> {
    const isLate = slice && slice.offset >= lateOffset && isEach(which) && which.hasPrintFile !== true
    if (!isLate) return rowsOf(which, slice)
    const { isInTables } = await orderStorage(cms)
    const include = await designedOrders(database, isInTables, which.statuses).page(
      slice,
      which.hasPrintFile === false,
    )
    return rowsOf({ include }, undefined)
  }

  /** A search without other conditions, as one of the orders in which the term may be. */
  async function narrowed(query: ListQuery): Promise<ListQuery> {
    if (query.search === undefined || !isEach(query)) return query
    const { isInTables } = await orderStorage(cms)
    const include = await designedOrders(database, isInTables, query.statuses).mayContain(query.search)
    return include ? { ...query, include } : query
  }

  /** The items with a design of these orders, by order. */
  async function itemsOf(orderIds: number[]): Promise<Map<number, ListedItem[]>> {
    if (orderIds.length === 0) return new Map()
    const [rows, bought] = await Promise.all([
      withDesign()
        .select(['i.order_id as order', 'i.order_item_id as id'])
        .distinct()
        .where('i.order_id', 'in', orderIds)
        .orderBy('i.order_item_id')
        .execute(),
      itemsBought(orderIds),
    ])
    const items = new Map<number, ListedItem[]>()
    for (const { order, id } of rows) {
      const item = bought.items.get(id)
      if (item) items.set(order, [...(items.get(order) ?? []), { id, ...item }])
    }
    return items
  }

  return {
    async read(orderId, literal, executor) {
      const keys: string[] = [...generations, ...(literal === undefined ? [] : [literal])]
      const items = itemsWithMeta({ db: executor ? typed(executor) : db, f }, [orderId], keys)
      const rows = await items.select('m.meta_id as row').orderBy('m.meta_id').execute()
      if (rows.length === 0) return undefined
      // The collation treats other spellings of a key as equal.
      const under = (requested: readonly (string | undefined)[]) =>
        rows.flatMap(({ itemId, row, key, value }) => {
          if (row === null || key === null || !requested.includes(key)) return []
          const location = { table: f.itemMeta, row, column: 'meta_value' }
          return [{ itemId, key, value: value ?? '', location }]
        })
      const itemIds = [...new Set(rows.map(({ itemId }) => itemId))]
      return { itemIds, designs: under(generations), literal: under([literal]) }
    },

    async orderOf(itemId) {
      const item = await db
        .selectFrom(f.items)
        .select('order_id')
        .where('order_item_id', '=', itemId)
        .where('order_item_type', '=', 'line_item')
        .executeTakeFirst()
      return item?.order_id
    },

    async write(trx, { itemId = 0, found, order }) {
      const columns = await columnsOf(trx, f.itemMeta)
      const json = columns.json(f.itemMeta, 'meta_value', 'order', order)
      const [key] = generations
      const table = typed(trx)
      if (found) {
        const change = table.updateTable(f.itemMeta).set({ meta_value: json })
        await change.where('meta_id', '=', found.location.row).execute()
      } else {
        const values = { order_item_id: itemId, meta_key: key, meta_value: json }
        await table.insertInto(f.itemMeta).values(values).execute()
      }
      return { table: f.itemMeta, objectId: itemId, keys: [found?.key ?? key] }
    },

    details: wcDetails(database, cms),

    async facts(orderId) {
      const [status, { items, refunds }] = await Promise.all([statusOf(orderId), itemsBought([orderId])])
      const hasAmountOnlyRefund = refunds(orderId).hasAmountOnly
      return status === undefined ? undefined : { status, items, hasAmountOnlyRefund }
    },

    async list(query) {
      const which = await narrowed(query)
      const read = (slice?: Slice) => pageOfRows(which, slice)
      const { orders, total } = await pageOf(which, read, () => count(which))
      const items = await itemsOf(orders.map(({ id }) => id))
      return { orders: orders.map((order) => ({ ...order, order_items: items.get(order.id) ?? [] })), total }
    },
  }
}

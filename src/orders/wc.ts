// The order source of WooCommerce: line items with their meta, of orders in classic posts or in the high-performance order tables.
import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Database } from '../db/connect.ts'
import { countOf } from '../db/repository.ts'
import { isoOfUtc } from '../db/time.ts'
import type { CmsOptions } from '../settings/cms.ts'
import { boughtItems } from './bought-items.ts'
import { orderNumbers } from './order-numbers.ts'
import { pageOf } from './order-search.ts'
import { refundsOf } from './refunds.ts'
import { itemsWithMeta, shopRows, withoutPrefix } from './shop-rows.ts'
import {
  designKeys,
  emptyValues,
  type ListConditions,
  type ListedItem,
  type ListedOrder,
  type OrderSource,
  type PageSlice,
  type StoredValue,
} from './source.ts'
import { digestInput, digestsOf, hasPrintFile, idsOf, isWithin, shortText } from './source-statements.ts'
import { foreignEncoder, foreignTables, orderStorage } from './tables.ts'
import { wcDetails } from './wc-details.ts'

/** Statuses of orders that lists leave out. */
const hiddenStatuses = ['trash', 'auto-draft', 'checkout-draft', 'wc-checkout-draft']

/** The stored forms of states: with the prefix `wc-`, and without it, as old versions stored them. */
export const storedStatuses = (statuses: readonly string[]) =>
  statuses.flatMap((status) => [`wc-${status}`, status])

/** Whether a key is a design key exactly: the collation of the database also finds other spellings. */
const isDesignKey = (key: string | null) => designKeys.some((name) => name === key)

/** The source of one database; which tables hold the orders is read from the CMS's options at each call. */
export function wcSource(database: Database, cms: CmsOptions): OrderSource {
  const { db, f, typed } = foreignTables(database)
  const encoderFor = foreignEncoder(database)
  const itemsBought = boughtItems(database, cms)
  const numbers = orderNumbers(database, cms)
  const refundsIn = refundsOf(database, cms)
  const { statusOf } = shopRows(database, cms)

  /** The line items `i` with the rows `m` of their designs. */
  const designRows = () =>
    db
      .selectFrom(`${f.items} as i`)
      .innerJoin(`${f.itemMeta} as m`, 'm.order_item_id', 'i.order_item_id')
      .where('i.order_item_type', '=', 'line_item')
      .where('m.meta_key', 'in', designKeys)
      .where('m.meta_value', 'not in', emptyValues)

  /**
   * SQL: whether an order has a design; with `hasPrintFile`, whether each of its items with a design has a print file (true), or one
   * of them has none (false).
   */
  const isListed = (id: Expression<unknown>, { include, hasPrintFile: hasFile }: ListConditions) => {
    const itemCount = designRows()
      .select((eb) => eb.fn.countAll().as('items'))
      .where(sql<SqlBool>`i.order_id = ${id}`)
    // With `include` there are few orders, so the designs of each are counted: for `exists` or `in`, the optimizer would first list the
    // designs of all orders. Without `include`, that list is what is needed.
    const hasDesign = include
      ? sql<SqlBool>`${itemCount} > 0`
      : sql<SqlBool>`${id} in ${designRows().select('i.order_id')}`
    if (hasFile === undefined) return hasDesign
    const itemHasFile = hasPrintFile(database, 'wc', sql.ref('i.order_id'), sql.ref('i.order_item_id'))
    const itemsWithoutFile = itemCount.where(sql<SqlBool>`not ${itemHasFile}`)
    return hasFile
      ? sql<SqlBool>`${hasDesign} and ${itemsWithoutFile} = 0`
      : sql<SqlBool>`${hasDesign} and ${itemsWithoutFile} > 0`
  }

  /** A meta value of a post as a column of the list. */
  const postMeta = (key: string): RawBuilder<string | null> =>
    sql<string | null>`(select min(${shortText('x.meta_value')}) from ${sql.table(f.postMeta)} as x
      where x.post_id = p.ID and x.meta_key = ${key})`

  /** The statement of a list, in the tables of orders. */
  function customTables(conditions: ListConditions) {
    const { include, since, until, statuses } = conditions
    return db
      .selectFrom(`${f.orders} as o`)
      .leftJoin(`${f.addresses} as a`, (join) =>
        join.onRef('a.order_id', '=', 'o.id').on('a.address_type', '=', 'billing'),
      )
      .select(['o.id', 'o.status', 'o.billing_email as mail'])
      .select([shortText('a.first_name').as('first'), shortText('a.last_name').as('last')])
      .select(sql<string>`cast(o.date_created_gmt as char)`.as('created'))
      .where('o.type', '=', 'shop_order')
      .where('o.status', 'not in', hiddenStatuses)
      .where(isListed(sql.ref('o.id'), conditions))
      .$if(statuses !== undefined, (query) => query.where('o.status', 'in', storedStatuses(statuses ?? [])))
      .$if(include !== undefined, (query) => query.where('o.id', 'in', idsOf(include)))
      .$if(since !== undefined || until !== undefined, (query) =>
        query.where(isWithin('o.date_created_gmt', { since, until })),
      )
      .orderBy('o.date_created_gmt', 'desc')
      .orderBy('o.id', 'desc')
  }

  /** The statement of a list, in posts. */
  function classicPosts(conditions: ListConditions) {
    const { include, since, until, statuses } = conditions
    return db
      .selectFrom(`${f.posts} as p`)
      .select(['p.ID as id', 'p.post_status as status'])
      .select(sql<string>`cast(p.post_date_gmt as char)`.as('created'))
      .select(postMeta('_billing_email').as('mail'))
      .select([postMeta('_billing_first_name').as('first'), postMeta('_billing_last_name').as('last')])
      .where('p.post_type', '=', 'shop_order')
      .where('p.post_status', 'not in', hiddenStatuses)
      .where(isListed(sql.ref('p.ID'), conditions))
      .$if(statuses !== undefined, (query) =>
        query.where('p.post_status', 'in', storedStatuses(statuses ?? [])),
      )
      .$if(include !== undefined, (query) => query.where('p.ID', 'in', idsOf(include)))
      .$if(since !== undefined || until !== undefined, (query) =>
        query.where(isWithin('p.post_date_gmt', { since, until })),
      )
      .orderBy('p.post_date_gmt', 'desc')
      .orderBy('p.ID', 'desc')
  }

  async function ordersIn(conditions: ListConditions, slice: PageSlice | undefined): Promise<ListedOrder[]> {
    const storage = await orderStorage(cms)
    const query = storage.isInTables ? customTables(conditions) : classicPosts(conditions)
    const end = slice ? sql`limit ${slice.limit} offset ${slice.offset}` : sql``
    const rows = await query.modifyEnd(end).execute()
    const ids = rows.map(({ id }) => id)
    const [numberOf, items] = await Promise.all([numbers(ids, storage), itemsOf(ids)])
    return rows.map(({ id, status, created, mail, first, last }) => ({
      id,
      order_number: numberOf(id),
      created_date: isoOfUtc(created),
      status: withoutPrefix(status),
      customer_name: `${first ?? ''} ${last ?? ''}`.trim(),
      customer_mail: mail ?? '',
      order_items: items.get(id) ?? [],
    }))
  }

  async function count(conditions: ListConditions): Promise<number> {
    const { isInTables } = await orderStorage(cms)
    return isInTables
      ? countOf(customTables(conditions).clearSelect().clearOrderBy())
      : countOf(classicPosts(conditions).clearSelect().clearOrderBy())
  }

  /** The items with a design of these orders, by order. */
  async function designedItems(orderIds: readonly number[]): Promise<Map<number, number[]>> {
    if (orderIds.length === 0) return new Map()
    const rows = await designRows()
      .select(['i.order_id as order', 'i.order_item_id as id'])
      .distinct()
      .where('i.order_id', 'in', orderIds)
      .orderBy('i.order_item_id')
      .execute()
    const byOrder = Map.groupBy(rows, ({ order }) => order)
    return new Map([...byOrder].map(([order, items]) => [order, items.map(({ id }) => id)]))
  }

  /** The items with a design of these orders with what was bought, by order. */
  async function itemsOf(orderIds: number[]): Promise<Map<number, ListedItem[]>> {
    const [designed, bought] = await Promise.all([designedItems(orderIds), itemsBought(orderIds)])
    const listed = (id: number): ListedItem[] => {
      const item = bought.items.get(id)
      return item ? [{ id, ...item }] : []
    }
    return new Map([...designed].map(([order, ids]) => [order, ids.flatMap(listed)]))
  }

  /** The value of a row of meta. The columns of the join are null only for an item without such a row. */
  const storedValue = (meta: {
    itemId: number
    row: number | null
    key: string | null
    value: string | null
  }): StoredValue => ({
    itemId: meta.itemId,
    key: meta.key ?? '',
    value: meta.value ?? '',
    location: { table: f.itemMeta, row: meta.row ?? 0, column: 'meta_value' },
  })

  return {
    async read(orderId, readOnlyKey, executor) {
      const keys: string[] = [...designKeys, ...(readOnlyKey === undefined ? [] : [readOnlyKey])]
      const items = itemsWithMeta({ db: executor ? typed(executor) : db, f }, [orderId], keys)
      const rows = await items.select('m.meta_id as row').orderBy('m.meta_id').execute()
      if (rows.length === 0) return undefined
      // Keys are compared here, because the collation treats other spellings as equal.
      const valuesOf = (keysOfValues: readonly (string | undefined)[]) =>
        rows.filter(({ key }) => key !== null && keysOfValues.includes(key)).map(storedValue)
      const itemIds = [...new Set(rows.map(({ itemId }) => itemId))]
      return { itemIds, designs: valuesOf(designKeys), readOnlyValues: valuesOf([readOnlyKey]) }
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

    async write(trx, { itemId = 0, storedRow, order }) {
      const encoder = await encoderFor(trx, f.itemMeta)
      const json = encoder.json(f.itemMeta, 'meta_value', 'order', order)
      const [key] = designKeys
      const table = typed(trx)
      if (storedRow) {
        const change = table.updateTable(f.itemMeta).set({ meta_value: json })
        await change.where('meta_id', '=', storedRow.location.row).execute()
      } else {
        const values = { order_item_id: itemId, meta_key: key, meta_value: json }
        await table.insertInto(f.itemMeta).values(values).execute()
      }
      return { table: f.itemMeta, objectId: itemId, keys: [storedRow?.key ?? key] }
    },

    details: wcDetails(database, cms),

    async facts(orderId) {
      const [status, { items, refunds }, numberOf] = await Promise.all([
        statusOf(orderId),
        itemsBought([orderId]),
        orderStorage(cms).then((storage) => numbers([orderId], storage)),
      ])
      const hasAmountOnlyRefund = refunds(orderId).hasAmountOnly
      return status === undefined
        ? undefined
        : { status, number: numberOf(orderId), items, hasAmountOnlyRefund }
    },

    async designs(orderIds, itemIds) {
      if (itemIds.length === 0) return new Map()
      const rows = await itemsWithMeta({ db, f }, orderIds, designKeys)
        .select(['m.meta_id as row', 'i.order_id as order'])
        .where('i.order_item_id', 'in', itemIds)
        .orderBy('m.meta_id')
        .execute()
      const designs = rows.filter(({ key }) => isDesignKey(key))
      const byOrder = Map.groupBy(designs, ({ order }) => order)
      return new Map([...byOrder].map(([order, rowsOfOrder]) => [order, rowsOfOrder.map(storedValue)]))
    },

    refunds: refundsIn,
    designedItems,

    async designDigests(orderIds) {
      if (orderIds.length === 0) return new Map()
      const rows = await db
        .selectFrom(`${f.items} as i`)
        .innerJoin(`${f.itemMeta} as m`, 'm.order_item_id', 'i.order_item_id')
        .select(['i.order_id as order', 'i.order_item_id as item', 'm.meta_key as key'])
        .select(digestInput(database, 'm.meta_value').as('value'))
        .where('i.order_id', 'in', orderIds)
        .where('i.order_item_type', '=', 'line_item')
        .where('m.meta_key', 'in', designKeys)
        .orderBy('m.meta_id')
        .execute()
      return digestsOf(
        rows
          .filter(({ key }) => isDesignKey(key))
          .map(({ order, item, value }) => ({ key: `${order}:${item}`, value })),
      )
    },

    list: (query) =>
      pageOf(
        query,
        (slice) => ordersIn(query, slice),
        () => count(query),
      ),
  }
}

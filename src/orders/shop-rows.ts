// Reads rows of the shop's tables that several files need: state, line items, addresses and meta of orders.
import { type Expression, sql } from 'kysely'
import type { Database } from '../db/connect.ts'
import type { CmsOptions } from '../settings/cms.ts'
import { shortText } from './source-statements.ts'
import { type Address, addressColumns, foreignTables, orderStorage } from './tables.ts'

/** Meta by key. */
type Meta = Map<string | null, string>

/** The line items of these orders with their meta under these keys, a row for each. */
export const itemsWithMeta = (
  { db, f }: Pick<ReturnType<typeof foreignTables>, 'db' | 'f'>,
  orders: readonly number[],
  keys: readonly string[],
) =>
  db
    .selectFrom(`${f.items} as i`)
    .leftJoin(`${f.itemMeta} as m`, (join) =>
      join.onRef('m.order_item_id', '=', 'i.order_item_id').on('m.meta_key', 'in', keys),
    )
    .select(['i.order_item_id as itemId', 'm.meta_key as key', 'm.meta_value as value'])
    .where('i.order_id', 'in', orders)
    .where('i.order_item_type', '=', 'line_item')
    .orderBy('i.order_item_id')

/**
 * Reads of the shop's tables. Of several rows of meta with one key the oldest counts, as in PHP: rows are read newest first, and the last
 * one stays in the map.
 */
export function shopRows(database: Database, cms: CmsOptions) {
  const { db, f } = foreignTables(database)

  /**
   * Reads meta of posts; returns a function from post and key to the value, null if there is none.
   * @param value SQL of the value; fields of customers are shortened
   */
  async function postMeta(
    posts: readonly number[],
    keys: readonly string[],
    value: Expression<string | null> = sql.ref('meta_value'),
  ) {
    const rows = await db
      .selectFrom(f.postMeta)
      .select(['post_id', 'meta_key', sql<string | null>`${value}`.as('meta_value')])
      .where('post_id', 'in', posts)
      .where('meta_key', 'in', keys)
      .orderBy('meta_id', 'desc')
      .execute()
    const values = new Map(rows.map((row) => [`${row.post_id} ${row.meta_key}`, row.meta_value]))
    return (post: number, key: string): string | null => values.get(`${post} ${key}`) ?? null
  }

  return {
    postMeta,

    /** As `postMeta`, of orders, from where the shop stores them. @param storage as `orderStorage` returns it */
    async orderMeta(orderIds: readonly number[], keys: readonly string[], storage: { isInTables: boolean }) {
      if (!storage.isInTables) return postMeta(orderIds, keys)
      const rows = await db
        .selectFrom(f.orderMeta)
        .select(['order_id', 'meta_key', 'meta_value'])
        .where('order_id', 'in', orderIds)
        .where('meta_key', 'in', keys)
        .orderBy('id', 'desc')
        .execute()
      const values = new Map(rows.map((row) => [`${row.order_id} ${row.meta_key}`, row.meta_value]))
      return (order: number, key: string): string | null => values.get(`${order} ${key}`) ?? null
    },

    /** The state of an order without the prefix `wc-`; undefined when there is no such order. */
    async statusOf(orderId: number): Promise<string | undefined> {
      const { isInTables } = await orderStorage(cms)
      const query = isInTables
        ? db.selectFrom(f.orders).select('status').where('id', '=', orderId)
        : db.selectFrom(f.posts).select('post_status as status').where('ID', '=', orderId)
      const order = await query.executeTakeFirst()
      return order && withoutPrefix(order.status)
    },

    /** The line items of these orders by id, each with its meta under these keys. */
    async lineItems(orders: readonly number[], keys: readonly string[]) {
      const rows = await itemsWithMeta({ db, f }, orders, keys)
        .select(['i.order_item_name as name', 'i.order_id as orderId'])
        .orderBy('m.meta_id', 'desc')
        .execute()
      const items = new Map<number, { orderId: number; name: string; meta: Meta }>()
      for (const { itemId: id, orderId, name, key, value } of rows) {
        const item = items.get(id) ?? { orderId, name, meta: new Map() }
        item.meta.set(key, value ?? '')
        items.set(id, item)
      }
      return items
    },

    /** Both addresses; properties are absent or null if the shop stores none. */
    async addresses(orderId: number): Promise<Record<'shipping' | 'billing', Address>> {
      if ((await orderStorage(cms)).isInTables) {
        const rows = await db
          .selectFrom(f.addresses)
          .select(['address_type', ...addressColumns.map((column) => shortText(column).as(column))])
          .where('order_id', '=', orderId)
          .execute()
        const ofType = (type: string) => rows.findLast(({ address_type }) => address_type === type) ?? {}
        return { shipping: ofType('shipping'), billing: ofType('billing') }
      }
      const keyOf = (kind: string, column: string) => `_${kind}_${column}`
      const kinds = ['shipping', 'billing']
      const keys = kinds.flatMap((kind) => addressColumns.map((column) => keyOf(kind, column)))
      const metaOf = await postMeta([orderId], keys, shortText('meta_value'))
      const ofKind = (kind: string): Address =>
        Object.fromEntries(addressColumns.map((column) => [column, metaOf(orderId, keyOf(kind, column))]))
      return { shipping: ofKind('shipping'), billing: ofKind('billing') }
    },
  }
}

/** A state as people and the API name it: `processing` for the stored `wc-processing`. */
export const withoutPrefix = (status: string | null): string => (status ?? '').replace(/^wc-/, '')

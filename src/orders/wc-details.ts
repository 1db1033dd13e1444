// Reads what the shop stores about an order in addition to its designs: addresses, quantities, prices, the customer's note.
import { type Expression, sql } from 'kysely'
import type { Database } from '../db/connect.ts'
import type { CmsOptions } from '../settings/cms.ts'
import { shopText } from './shop-text.ts'
import type { OrderDetails } from './source.ts'
import { type Address, addressColumns, foreignTables, orderStorage, shortText } from './tables.ts'

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

/** Reads of the shop's tables. Of several rows of meta with one key the oldest counts, as in PHP. */
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

/** Returns a function that reads the details of an order for its page on the desk. */
export function wcDetails(database: Database, cms: CmsOptions) {
  const { db, f } = foreignTables(database)
  const { addresses, lineItems, postMeta } = shopRows(database, cms)

  /** Total and note, from the shop's own tables or from posts. */
  async function totalAndNote(orderId: number) {
    if ((await orderStorage(cms)).isInTables) {
      return db
        .selectFrom(f.orders)
        .select(['currency', 'total_amount as total', shortText('customer_note').as('note')])
        .where('id', '=', orderId)
        .executeTakeFirst()
    }
    const post = await db
      .selectFrom(f.posts)
      .select(shortText('post_excerpt').as('note'))
      .where('ID', '=', orderId)
      .executeTakeFirst()
    const metaOf = await postMeta([orderId], ['_order_currency', '_order_total'])
    return { ...post, currency: metaOf(orderId, '_order_currency'), total: metaOf(orderId, '_order_total') }
  }

  return async (orderId: number): Promise<OrderDetails> => {
    const [{ shipping, billing }, items, head] = await Promise.all([
      addresses(orderId),
      lineItems([orderId], ['_qty', '_line_total']),
      totalAndNote(orderId),
    ])
    const currency = head?.currency ?? ''
    return {
      shipping: linesOf(shipping),
      billing: linesOf(billing),
      phone: (shipping.phone || billing.phone) ?? '',
      items: [...items].map(([id, { name, meta }]) => ({
        id,
        name: shopText(name),
        quantity: meta.get('_qty') ?? '',
        total: amountWithCurrency(meta.get('_line_total') ?? '', currency),
      })),
      total: amountWithCurrency(String(head?.total ?? ''), currency),
      note: head?.note ?? '',
    }
  }
}

/** A state as people and the API name it: `processing` for the stored `wc-processing`. */
export const withoutPrefix = (status: string | null): string => (status ?? '').replace(/^wc-/, '')

const linesOf = (address: Address): string[] => {
  const { first_name, last_name, company, address_1, address_2, postcode, city, state, country } = address
  const lines = [
    [first_name, last_name],
    [company],
    [address_1],
    [address_2],
    [postcode, city],
    [state, country],
  ]
  return lines.map((parts) => parts.filter(Boolean).join(' ')).filter((line) => line !== '')
}

/** An amount with two digits after the point, of which the shop stores eight, and its currency; '' if there is none. */
function amountWithCurrency(amount: string, currency: string): string {
  if (amount.trim() === '' || !Number.isFinite(Number(amount))) return ''
  return `${Number(amount).toFixed(2)} ${currency}`.trim()
}

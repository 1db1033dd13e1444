// What was refunded of an order of the shop: refunds are orders of their own, whose items name the refunded ones.
import type { Database } from '../db/connect.ts'
import type { CmsOptions } from '../settings/cms.ts'
import { hasOrderTables } from './order-storage.ts'
import { foreignTables } from './tables.ts'

export interface Refunds {
  /** Whether nothing of the order is left, with or without pieces named. */
  isWhole: boolean
  /** Refunded pieces by item. */
  pieces: ReadonlyMap<number, number>
  /** Items of which no piece is left. */
  gone: readonly number[]
}

export function refundsOf(database: Database, cms: CmsOptions) {
  const { db, f } = foreignTables(database)

  /** Ids of the refunds, and the status of the order. */
  async function read(orderId: number): Promise<{ refunds: number[]; status: string | undefined }> {
    const inTables = await hasOrderTables(cms)
    const own = inTables
      ? db.selectFrom(f.orders).select('status').where('id', '=', orderId)
      : db.selectFrom(f.posts).select('post_status as status').where('ID', '=', orderId)
    const refunds = inTables
      ? db
          .selectFrom(f.orders)
          .select('id')
          .where('parent_order_id', '=', orderId)
          .where('type', '=', 'shop_order_refund')
          .where('status', '<>', 'trash')
      : db
          .selectFrom(f.posts)
          .select('ID as id')
          .where('post_parent', '=', orderId)
          .where('post_type', '=', 'shop_order_refund')
          .where('post_status', '<>', 'trash')
    const [order] = await own.execute()
    return { refunds: (await refunds.execute()).map(({ id }) => id), status: order?.status ?? undefined }
  }

  /** Meta of all items of these orders: by item, the oldest value of each key. */
  async function itemsOf(orders: number[], keys: string[]): Promise<Map<number, Map<string, string>>> {
    const rows = await db
      .selectFrom(`${f.items} as i`)
      .innerJoin(`${f.itemMeta} as m`, 'm.order_item_id', 'i.order_item_id')
      .select(['i.order_item_id as item', 'm.meta_key as key', 'm.meta_value as value'])
      .where('i.order_id', 'in', orders)
      .where('i.order_item_type', '=', 'line_item')
      .where('m.meta_key', 'in', keys)
      .orderBy('m.meta_id', 'desc')
      .execute()
    const items = new Map<number, Map<string, string>>()
    for (const { item, key, value } of rows)
      items.set(item, (items.get(item) ?? new Map()).set(key ?? '', value ?? ''))
    return items
  }

  return async (orderId: number): Promise<Refunds> => {
    const { refunds, status } = await read(orderId)
    const pieces = new Map<number, number>()
    if (refunds.length === 0) return { isWhole: status === 'wc-refunded', pieces, gone: [] }
    for (const meta of (await itemsOf(refunds, ['_refunded_item_id', '_qty'])).values()) {
      const item = Number(meta.get('_refunded_item_id'))
      // Stored as a negative number.
      const quantity = Math.abs(Number(meta.get('_qty') ?? 0)) || 0
      if (quantity > 0) pieces.set(item, (pieces.get(item) ?? 0) + quantity)
    }
    const ordered =
      pieces.size > 0 ? await itemsOf([orderId], ['_qty']) : new Map<number, Map<string, string>>()
    const gone = [...ordered].flatMap(([item, meta]) =>
      (pieces.get(item) ?? 0) >= Number(meta.get('_qty')) ? [item] : [],
    )
    const isWhole = status === 'wc-refunded' || (ordered.size > 0 && gone.length === ordered.size)
    return { isWhole, pieces, gone }
  }
}

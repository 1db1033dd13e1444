// Reads the refunds of shop orders. WooCommerce stores a refund as a separate order, whose line items name the refunded ones.
import type { Database } from '../db/connect.ts'
import type { CmsOptions } from '../settings/cms.ts'
import { shopRows } from './shop-rows.ts'
import type { Refunds } from './source.ts'
import { foreignTables, orderStorage } from './tables.ts'

/** The refunds of an order without any. */
export const noRefunds: Refunds = { pieces: new Map(), hasAmountOnly: false }

/** Returns a function that reads the refunds of orders in two statements, and resolves to a function from order id to refunds. */
export function refundsOf(database: Database, cms: CmsOptions) {
  const { db, f } = foreignTables(database)
  const { lineItems } = shopRows(database, cms)

  /** The order id by the id of each refund. */
  async function read(orderIds: readonly number[]): Promise<Map<number, number>> {
    const { isInTables } = await orderStorage(cms)
    const rows = isInTables
      ? await db
          .selectFrom(f.orders)
          .select(['id', 'parent_order_id as order'])
          .where('parent_order_id', 'in', orderIds)
          .where('type', '=', 'shop_order_refund')
          .where('status', '<>', 'trash')
          .execute()
      : await db
          .selectFrom(f.posts)
          .select(['ID as id', 'post_parent as order'])
          .where('post_parent', 'in', orderIds)
          .where('post_type', '=', 'shop_order_refund')
          .where('post_status', '<>', 'trash')
          .execute()
    return new Map(rows.map(({ id, order }) => [id, Number(order)]))
  }

  return async (orderIds: readonly number[]): Promise<(orderId: number) => Refunds> => {
    const orderOf = orderIds.length > 0 ? await read(orderIds) : new Map<number, number>()
    if (orderOf.size === 0) return () => noRefunds
    const items = await lineItems([...orderOf.keys()], ['_refunded_item_id', '_qty'])
    const pieces = new Map<number, Map<number, number>>()
    const refundsWithPieces = new Set<number>()
    for (const { orderId: refundId, meta } of items.values()) {
      const order = orderOf.get(refundId) ?? 0
      const item = Number(meta.get('_refunded_item_id'))
      // WooCommerce stores it as a negative number.
      const quantity = Math.abs(Number(meta.get('_qty') ?? 0)) || 0
      if (quantity === 0) continue
      refundsWithPieces.add(refundId)
      const piecesOfOrder = pieces.get(order) ?? new Map<number, number>()
      pieces.set(order, piecesOfOrder.set(item, (piecesOfOrder.get(item) ?? 0) + quantity))
    }
    const amountOnly = new Set(
      [...orderOf].filter(([id]) => !refundsWithPieces.has(id)).map(([, order]) => order),
    )
    return (orderId) => ({
      pieces: pieces.get(orderId) ?? noRefunds.pieces,
      hasAmountOnly: amountOnly.has(orderId),
    })
  }
}

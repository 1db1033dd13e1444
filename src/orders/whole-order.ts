// All items of an order as one design, each as often as it was ordered.
import { unreadableValue } from '../core/errors.ts'
import { bundleOf, type DesignPart } from '../renderer/design.ts'
import type { ordersOf } from './orders.ts'

type Orders = ReturnType<ReturnType<typeof ordersOf>['of']>

/** JSON text. @throws as `partsOf` does */
export const wholeOrder = async (orders: Orders, orderId: number): Promise<string> =>
  bundleOf(await partsOf(orders, orderId))

/**
 * Its items with their designs.
 * @throws SvcError 404 if there is no order with designs, 500 if one of them cannot be read
 */
export async function partsOf(orders: Orders, orderId: number): Promise<DesignPart[]> {
  const [{ items }, details] = await Promise.all([orders.get(orderId, {}), orders.details(orderId)])
  const pieces = new Map(details.items?.map(({ id, quantity }) => [id, Number(quantity)]))
  return items.map(({ found: { itemId, location }, json }) => {
    if (json === undefined) throw unreadableValue(location)
    const title = itemId == null ? `Order ${orderId}` : `Order ${orderId}, item ${itemId}`
    return { title, copies: (itemId == null ? 1 : pieces.get(itemId)) || 1, design: String(json) }
  })
}

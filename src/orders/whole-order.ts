// The designs of orders for callers that know only ids: that of one item, or all items of an order as one design.
import { SvcError, unreadableValue } from '../core/errors.ts'
import { maxStored } from '../db/stored-json.ts'
import { isWithinLimits } from '../json/text.ts'
import type { OrderOfJob } from '../print/print-job-reads.ts'
import { bundleOf, type DesignPart } from '../renderer/design.ts'
import type { Orders, OrdersOfType } from './orders.ts'

/** JSON text, of the whole order where items are not named; undefined if it is gone or unreadable. */
export const customizationOf =
  (orders: Orders) =>
  async ({ type, orderId, itemId }: OrderOfJob): Promise<string | undefined> => {
    try {
      const source = orders.of(type)
      const id = Number(orderId)
      if (source.type === 'wc' && itemId === 0) return await wholeOrder(source, id)
      const found = await source.get(id, { itemId: itemId > 0 ? itemId : undefined })
      const json = found.items[0]?.json
      return json === undefined ? undefined : String(json)
    } catch (error) {
      // A missing order is not a server error.
      if (error instanceof SvcError && error.statusCode < 500 && error.statusCode !== 413) return undefined
      throw error
    }
  }

/** JSON text. @throws as `partsOf` does, 413 if the designs are too large together to be parsed */
export async function wholeOrder(orders: OrdersOfType, orderId: number): Promise<string> {
  const bundle = bundleOf(await partsOf(orders, orderId))
  if (bundle.length <= maxStored && isWithinLimits(bundle)) return bundle
  throw new SvcError('svc_list_too_large', {
    message: `The designs of the order ${orderId} are too large together; print its items one by one.`,
  })
}

/**
 * The items of an order with their designs, each as often as it was ordered.
 * @throws SvcError 404 if there is no order with designs, 500 if one of them cannot be read
 */
export async function partsOf(orders: OrdersOfType, orderId: number): Promise<DesignPart[]> {
  const [{ items }, details] = await Promise.all([orders.get(orderId, {}), orders.details(orderId)])
  const pieces = new Map(details.items?.map(({ id, quantity }) => [id, Number(quantity)]))
  return items.map(({ found: { itemId, location }, json }) => {
    if (json === undefined) throw unreadableValue(location)
    const title = itemId == null ? `Order ${orderId}` : `Order ${orderId}, item ${itemId}`
    return { title, copies: (itemId == null ? 1 : pieces.get(itemId)) || 1, design: String(json) }
  })
}

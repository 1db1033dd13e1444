// The errors of reads and writes of one order. `type` is the source as the client named it.
import { SvcError } from '../core/errors.ts'
import { tryAgain } from '../core/unavailable.ts'

/** 404: the source has no such order, or the order has no customization data. */
export const noOrderData = (orderId: number, type: string) =>
  new SvcError('svc_order_data_not_found', {
    message: `No customization data for the order ${orderId} of type ${type}; for an order of another source send its type (wc, shortcode or gf).`,
  })

/** 404: the order has no such item. */
export const noItemInOrder = (orderId: number, type: string, itemId: number) =>
  new SvcError('svc_order_item_not_found', {
    message: `The order ${orderId} of type ${type} has no item with the id ${itemId}.`,
  })

/** 404: no order has such an item. */
export const noOrderItem = (itemId: number) =>
  new SvcError('svc_order_item_not_found', {
    message: `No order item with the id ${itemId}; without item_id, the path takes the id of the item, not of the order.`,
  })

/** 503: the order was changed since it was read. */
export const orderChanged = () =>
  tryAgain({
    reason: 'order-changed',
    message: 'The order was changed at this moment; please try again.',
    seconds: 1,
  })

/** 400 for a request that names no item of an order of the shop. The message lists at most 20 of its items. */
export function itemRequired(items: readonly number[]): SvcError {
  const listed = items.slice(0, 20).join(', ') + (items.length > 20 ? ', …' : '')
  return new SvcError('rest_missing_callback_param', {
    message: `item_id is required for orders of the shop (items: ${listed}).`,
    data: { params: ['item_id'] },
  })
}

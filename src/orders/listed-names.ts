// Reads number, item and customer of the orders of print jobs, for the pages and file names that show jobs.
import { SvcError } from '../core/errors.ts'
import type { OrderOfJob } from '../print/job-data.ts'
import type { Orders } from './orders.ts'
import { type ListedOrder, type OrderType, orderName, sourceNames } from './source.ts'

/** How an order is shown with its job. */
export interface OrderTexts {
  /** Source and number. */
  order: string
  /** Name of the item; empty if the job prints the whole order. */
  item: string
  customer: string
}

/**
 * Returns a function from the order of a job to the order as lists show it; undefined if it is in the trash or deleted. One query for
 * each source.
 */
export async function listedOrders(
  orders: Orders,
  all: readonly (OrderOfJob | undefined)[],
): Promise<(order: OrderOfJob) => ListedOrder | undefined> {
  const byType = Map.groupBy(
    all.filter((order) => order !== undefined),
    ({ type }) => type,
  )
  const listedByKey = new Map<string, ListedOrder>()
  for (const [type, ordersOfType] of byType) {
    const include = [...new Set(ordersOfType.map(({ orderId }) => Number(orderId)))].filter(
      Number.isSafeInteger,
    )
    try {
      const { list } = orders.of(type)
      const page = await list({ search: undefined, include, limit: include.length, offset: 0 })
      for (const order of page.orders) listedByKey.set(`${type}:${order.id}`, order)
    } catch (error) {
      // The plugin of the source was removed; its jobs remain.
      if (!(error instanceof SvcError) || error.statusCode >= 500) throw error
    }
  }
  return ({ type, orderId }) => listedByKey.get(`${type}:${orderId}`)
}

/** Returns a function from the order of a job to its texts; one query for each source. */
export async function orderTexts(
  orders: Orders,
  all: readonly (OrderOfJob | undefined)[],
): Promise<(order: OrderOfJob) => OrderTexts> {
  const orderOf = await listedOrders(orders, all)
  return (order) => {
    const { type, orderId, itemId } = order
    const listed = orderOf(order)
    const { order_items, customer_name = '' } = listed ?? {}
    const item = order_items?.find(({ id }) => id === itemId)?.name
    return {
      order: Object.hasOwn(sourceNames, type)
        ? orderName({ type: type as OrderType, id: orderId, ...(listed ?? {}) })
        : `${type} ${orderId}`,
      item: item || (itemId > 0 ? `item ${itemId}` : ''),
      customer: customer_name,
    }
  }
}

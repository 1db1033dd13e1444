// What people call the orders of print jobs: number and customer, as the lists of orders have them.
import { SvcError } from '../core/errors.ts'
import type { OrderOfJob } from '../print/print-job-reads.ts'
import type { Orders } from './orders.ts'
import { type ListedOrder, type OrderType, orderName, sourceNames } from './source.ts'

export interface OrderWords {
  /** Source and number. */
  order: string
  /** Name of the item; empty if orders have no items, or it is not known. */
  item: string
  customer: string
}

/** The orders of these jobs as lists show them, with one query for each source; undefined for those in the trash. */
export async function knownOrders(
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
      const found = await list({ search: undefined, include, limit: include.length, offset: 0 })
      for (const order of found.orders) listedByKey.set(`${type}:${order.id}`, order)
    } catch (error) {
      // A source that is not there any more: its jobs are.
      if (!(error instanceof SvcError) || error.statusCode >= 500) throw error
    }
  }
  return ({ type, orderId }) => listedByKey.get(`${type}:${orderId}`)
}

/** The words for each of these orders, with one query for each source. */
export async function orderWords(
  orders: Orders,
  all: readonly (OrderOfJob | undefined)[],
): Promise<(order: OrderOfJob) => OrderWords> {
  const orderOf = await knownOrders(orders, all)
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

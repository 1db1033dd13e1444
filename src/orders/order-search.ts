// Searches orders by their text: number, customer, and the names, SKUs and attributes of their items.
import { fold } from '../db/fold.ts'
import type { ListedOrder, ListQuery, OrderPage, PageSlice } from './source.ts'

/** Characters; the rest of an order with very many items is not searched. */
const maxText = 5000

/** The text of an order, folded: upper and lower case and accents do not count. */
export function searchText(order: ListedOrder): string {
  const { id, order_number, customer_name, customer_mail, order_items = [] } = order
  const { product = '', attributes = [] } = order
  const texts = [
    `#${order_number || id}`,
    // The name stands there twice, because a search may begin with the family name.
    customer_name.includes(' ') ? `${customer_name} ${customer_name}` : customer_name,
    customer_mail,
    product,
    ...[{ name: '', sku: '', attributes }, ...order_items].flatMap((item) => [
      item.name,
      item.sku,
      ...item.attributes.map(({ value }) => value),
    ]),
  ]
  return fold(texts.filter((text) => text !== '').join('\n')).slice(0, maxText)
}

/** Whether a search finds the order. */
export const isFound = (order: ListedOrder, search: string): boolean =>
  searchText(order).includes(fold(search))

/**
 * A page of the orders of a source. A search reads all of them and compares in Node.js, so that it is the same on every engine.
 * @param read reads the orders of a slice; all without one
 */
export async function pageOf(
  { search, limit, offset }: Pick<ListQuery, 'search' | keyof PageSlice>,
  read: (slice?: PageSlice) => Promise<ListedOrder[]>,
  count: () => Promise<number>,
): Promise<OrderPage> {
  if (search === undefined) return { orders: await read({ limit, offset }), total: count }
  const matching = (await read()).filter((order) => isFound(order, search))
  return { orders: matching.slice(offset, offset + limit), total: async () => matching.length }
}

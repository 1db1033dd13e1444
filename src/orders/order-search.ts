// Searches orders by their text: everything that a list shows of an order in words.
import { fold } from '../db/fold.ts'
import type { ListedOrder, ListQuery, OrderPage, Slice } from './source.ts'

/** Characters; the rest of an order with very many items is not searched. */
const maxText = 5000

/** Folded, as the term has to be. */
export function searchText(order: ListedOrder): string {
  const { id, order_number, customer_name, customer_mail, order_items = [] } = order
  const { product = '', attributes = [] } = order
  const texts = [
    `#${order_number || id}`,
    // Twice, because the family name may come first.
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
 * A page of the orders of a source. A search reads all of them and runs here, so that it is the same on every engine.
 * @param read the orders in this slice, else all
 */
export async function pageOf(
  { search, limit, offset }: Pick<ListQuery, 'search' | keyof Slice>,
  read: (slice?: Slice) => Promise<ListedOrder[]>,
  count: () => Promise<number>,
): Promise<OrderPage> {
  if (search === undefined) return { orders: await read({ limit, offset }), total: count }
  const found = (await read()).filter((order) => isFound(order, search))
  return { orders: found.slice(offset, offset + limit), total: async () => found.length }
}

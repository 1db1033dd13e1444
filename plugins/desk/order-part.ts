// The parts in which an order with many items is shown, like the pages of a list. The URL names a part by one of its items, so that a
// link to an item leads to its part.
import { type Html, html } from '../../src/core/html.ts'
import { orderLink } from '../../src/orders/ticket-page.ts'

/** The most items on the page of an order. */
const pageSize = 50

/** The part of a long order that its page shows. */
export interface OrderPart {
  itemIds: readonly number[]
  /** Its items are the `first` to the `last` of `total`, counted from 1. */
  first: number
  last: number
  total: number
  /** The first items of the parts before and after it. */
  previous: number | undefined
  next: number | undefined
}

/** The part of an order with this item; the first part if the order has no such item. @param itemIds those of the whole order */
export function partWith(itemIds: readonly number[], item: number | undefined): OrderPart {
  const index = item === undefined ? 0 : Math.max(0, itemIds.indexOf(item))
  const start = index - (index % pageSize)
  const part = itemIds.slice(start, start + pageSize)
  return {
    itemIds: part,
    first: start + 1,
    last: start + part.length,
    total: itemIds.length,
    previous: itemIds[start - pageSize],
    next: itemIds[start + pageSize],
  }
}

/** The links to the other parts of an order; nothing if it has one part only. */
export function partLinks(
  order: { type: string; id: number },
  { first, last, total, previous, next }: OrderPart,
): Html | undefined {
  if (previous === undefined && next === undefined) return undefined
  const link = (item: number | undefined, text: string) =>
    item !== undefined && html`<a href="${orderLink({ ...order, item })}">${text}</a>`
  return html`<p class="pages">Items ${first} to ${last} of ${total} ${link(previous, 'Previous items')} ${link(next, 'Next items')}</p>`
}

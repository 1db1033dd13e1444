// Merges the orders of all sources into one list, newest first, and reads it page by page.
import { invalidParams, SvcError } from '../core/errors.ts'
import type { Orders } from './orders.ts'
import type { ListedOrder, ListQuery, OrderType } from './source.ts'

/** All types, in the order in which lists of sources name them. */
export const orderTypes: readonly OrderType[] = ['wc', 'gf', 'shortcode']

/** An order of any source. */
export interface AnyOrder extends ListedOrder {
  type: OrderType
}

/** The position of a page: how many orders of each source come before it. */
export type Offsets = Record<OrderType, number>

/** The position of the first page. */
export const firstPage: Offsets = { wc: 0, gf: 0, shortcode: 0 }

/** The query of `page`. `offsets` is `firstPage`, or the `next` of the page before. */
export interface AllOrdersQuery extends Pick<ListQuery, 'search' | 'since' | 'until' | 'limit'> {
  types: readonly OrderType[]
  offsets: Offsets
}

/** `pageByOffset` reads each source up to the end of the page: at most so many orders. */
const maxNumbered = 1000

/** The query of `pageByOffset`; the states of orders differ by source. */
export interface NumberedQuery extends Omit<ListQuery, 'statuses'> {
  statuses: Record<OrderType, readonly string[] | undefined>
}

/** The most orders that `page` looks at, so that a page of few matching orders does not read all. */
const maxRead = 2000

/** Lists of the orders of all sources; a source whose plugin is not installed has none. */
export function allOrders(orders: Orders) {
  async function listOf(
    type: OrderType,
    query: ListQuery,
  ): Promise<{ orders: AnyOrder[]; total: () => Promise<number> }> {
    try {
      const page = await orders.of(type).list(query)
      return { orders: page.orders.map((order) => ({ ...order, type })), total: page.total }
    } catch (error) {
      if (error instanceof SvcError && error.code === 'svc_order_type_unavailable')
        return { orders: [], total: async () => 0 }
      throw error
    }
  }

  return {
    /**
     * A page by its offset, and the number of all orders. Each source is read up to the end of the page.
     * @throws SvcError 400 for a page beyond `maxNumbered`
     */
    async pageByOffset({ offset, limit, statuses, ...query }: NumberedQuery): Promise<{
      orders: AnyOrder[]
      total: () => Promise<number>
    }> {
      const end = offset + limit
      if (end > maxNumbered)
        throw invalidParams({
          page: `lists at most the newest ${maxNumbered} orders of type all: name one type, or narrow the list by search or status`,
        })
      const lists = await Promise.all(
        orderTypes.map((type) => listOf(type, { ...query, statuses: statuses[type], offset: 0, limit: end })),
      )
      return {
        orders: mergedByDate(lists.map((list) => list.orders)).slice(offset, end),
        async total() {
          const counts = await Promise.all(lists.map((list) => list.total()))
          return counts.reduce((sum, count) => sum + count, 0)
        },
      }
    },

    /**
     * The page at the position `offsets`. Reads on until the page is full, or `maxRead` orders were looked at.
     * @param select returns those of the orders that belong on the page; called with each part that was read. Default: all
     * @returns at most `limit` orders, and `next`, where the next page begins; undefined after the last page
     */
    async page(
      { types, offsets: start, ...query }: AllOrdersQuery,
      select: (orders: AnyOrder[]) => Promise<ReadonlySet<AnyOrder>> = async (candidates) =>
        new Set(candidates),
    ): Promise<{ orders: AnyOrder[]; next: Offsets | undefined }> {
      const newestFirst: AnyOrder[] = []
      const offsets = { ...start }
      for (let seen = 0; seen < maxRead; ) {
        const limit = query.limit + 1
        const lists = await Promise.all(
          orderTypes
            .filter((type) => types.includes(type))
            .map((type) => listOf(type, { ...query, include: undefined, limit, offset: offsets[type] })),
        )
        const batch = mergedByDate(lists.map((list) => list.orders)).slice(0, limit)
        const selected = await select(batch.slice(0, query.limit))
        for (const order of batch.slice(0, query.limit)) {
          if (newestFirst.length === query.limit) return { orders: newestFirst, next: offsets }
          offsets[order.type]++
          seen++
          if (selected.has(order)) newestFirst.push(order)
        }
        if (batch.length < limit) return { orders: newestFirst, next: undefined }
        if (newestFirst.length === query.limit) break
      }
      return { orders: newestFirst, next: offsets }
    },
  }
}

/** Merges lists by the date of their next order, newest first; the orders of one list stay in their order. */
function mergedByDate(lists: readonly AnyOrder[][]): AnyOrder[] {
  const remaining = lists.map((list) => [...list].reverse())
  const mergedOrders: AnyOrder[] = []
  for (;;) {
    const heads = remaining.filter((list) => list.length > 0)
    const [first] = heads.sort((a, b) => createdOf(b).localeCompare(createdOf(a)))
    const next = first?.pop()
    if (!next) return mergedOrders
    mergedOrders.push(next)
  }
}

/**
 * The date by which the next order of a reversed list is merged. An order without a date, as old installations stored them, comes
 * just before the next one of its source that has a date.
 */
const createdOf = (list: readonly AnyOrder[]) =>
  list.findLast(({ created_date }) => created_date !== null)?.created_date ?? ''

// The list of orders of all sources: searched, filtered, page by page.
import type { FastifyRequest } from 'fastify'
import { timeIn } from '../../src/core/time-in.ts'
import { type AnyOrder, allOrders, newest, type Offsets, orderTypes } from '../../src/orders/all-orders.ts'
import { queryValue } from '../../src/pages/scope.ts'
import type { JobView } from '../../src/print/job-overview.ts'
import type { Desk } from './desk.ts'
import { type PrintState, stateNames, stateOf, typeIn } from './names.ts'
import { type Filters, ordersPage, type ShownOrder } from './orders-page.ts'
import { knownFailure } from './preview-routes.ts'

const pageSize = 50

export function ordersRoutes(desk: Desk): void {
  const { orders, jobs } = desk
  const all = allOrders(orders)

  desk.get('/orders', 'orders:read', async (request, reply) => {
    const filters = filtersIn(request)
    const { source, state, search, since, until } = filters
    const newestJobs = new Map<string, JobView>()
    const keep = async (found: AnyOrder[]) => {
      for (const [key, job] of await jobs.newest(found)) newestJobs.set(key, job)
      return new Set(found.filter((order) => !state || statesOf(order, newestJobs).has(state)))
    }
    const types = source ? [source] : orderTypes
    const query = {
      types,
      search: search || undefined,
      since,
      until,
      limit: pageSize,
      at: offsetsIn(request),
    }
    const page = await all.page(query, keep)
    const shown = page.orders.map((order): ShownOrder => {
      const items = itemsOf(order)
      const preview = { type: order.type, id: order.id, item: items[0]?.id ?? 0, view: 0 }
      return {
        order,
        items: items.map((item) => ({ ...item, state: stateOf(newestJobs.get(keyOf(order, item.id))) })),
        preview,
        failure: knownFailure(desk, preview),
      }
    })
    const main = ordersPage({
      filters,
      orders: shown,
      next: page.next && encodeOffsets(page.next),
      isFirst: queryValue(request, 'at') === '',
      canPreview: desk.context.renderer !== undefined,
    })
    return desk.send(request, reply, { title: 'Orders', current: 'orders', search, main })
  })
}

/** What is printed of an order: its items, or itself. */
const itemsOf = ({ order_items }: Pick<AnyOrder, 'order_items'>): { id: number; name: string }[] =>
  order_items ?? [{ id: 0, name: '' }]

const keyOf = ({ type, id }: AnyOrder, itemId: number) => `${type}:${id}:${itemId}`

const statesOf = (order: AnyOrder, known: ReadonlyMap<string, JobView>): ReadonlySet<PrintState> =>
  new Set(itemsOf(order).map(({ id }) => stateOf(known.get(keyOf(order, id)))))

function filtersIn(request: FastifyRequest): Filters {
  const value = (name: string) => queryValue(request, name).trim()
  const state = value('state')
  return {
    search: value('q').slice(0, 200),
    source: typeIn(value('source')),
    state: Object.hasOwn(stateNames, state) ? (state as PrintState) : undefined,
    since: dayIn(value('since')),
    until: dayIn(value('until')),
  }
}

/** A day of the calendar. */
const dayIn = (text: string) =>
  /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(timeIn(text)) ? text : undefined

const encodeOffsets = (at: Offsets) => orderTypes.map((type) => at[type]).join('.')

function offsetsIn(request: FastifyRequest): Offsets {
  const text = queryValue(request, 'at')
  if (!/^\d{1,7}(\.\d{1,7}){2}$/.test(text)) return newest
  const [wc = 0, gf = 0, shortcode = 0] = text.split('.').map(Number)
  return { wc, gf, shortcode }
}

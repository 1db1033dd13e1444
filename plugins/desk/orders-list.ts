// Reads a page of the list of orders: of all orders by their date, or of a list of those that need work.
import type { FastifyRequest } from 'fastify'
import { secondsOfDays } from '../../src/core/time-in.ts'
import { type AnyOrder, allOrders, orderTypes } from '../../src/orders/all-orders.ts'
import { isFound } from '../../src/orders/order-search.ts'
import { type RoomItem, type RoomOrder, refsOf } from '../../src/orders/print-room.ts'
import { itemKey } from '../../src/orders/print-states.ts'
import type { WorkList } from '../../src/orders/work-lists.ts'
import { queryValue } from '../../src/pages/scope.ts'
import type { JobView } from '../../src/print/job-overview.ts'
import type { Desk } from './desk.ts'
import { type PrintState, stateOf } from './job-state.ts'
import { encodeOffsets, type Filters, isOf, isSelected, offsetsIn, queryOf, sorted } from './order-filters.ts'

/** Orders of a page. */
export const pageSize = 50
/** Orders of a list that are read at once in search of those to show, and at most for a page. */
const [readAtOnce, maxRead] = [250, 2000]

/** The orders of a page of the list. */
export interface Listed {
  orders: RoomOrder[]
  /** Of all orders that were looked at. */
  items: ReadonlyMap<RoomOrder, RoomItem[]>
  jobs: ReadonlyMap<string, JobView>
  /** The days on which orders are due, such as `2026-04-29`. Only lists of work read them. */
  due: ReadonlyMap<RoomOrder, string>
  /** Query of the link to the next page; undefined on the last. */
  next: string | undefined
  /** How many orders there are, where that is known. */
  total: number | undefined
  work: WorkList | undefined
}

/** A page of all orders that the filters select, the newest first. */
export async function allOrdersPage(desk: Desk, request: FastifyRequest, filters: Filters): Promise<Listed> {
  const { source, state, search } = filters
  const known = new Map<string, JobView>()
  const keep = async (found: AnyOrder[]) => {
    for (const [key, job] of await desk.jobs.newest(found)) known.set(key, job)
    const isWanted = (order: AnyOrder) =>
      isOf(filters, order) && (!state || statesOf(order, known).has(state))
    return new Set(found.filter(isWanted))
  }
  const days = secondsOfDays(filters, await desk.timeZone())
  const query = { types: source ? [source] : orderTypes, search: search || undefined, ...days }
  const page = { limit: pageSize, offsets: offsetsIn(request) }
  const { orders, next: offsets } = await allOrders(desk.orders).page({ ...query, ...page }, keep)
  return {
    orders,
    items: await desk.room.itemsOf(orders),
    jobs: known,
    due: new Map(),
    next: offsets && queryOf(filters, { at: encodeOffsets(offsets) }),
    total: undefined,
    work: undefined,
  }
}

/** A page of a list of work: its orders that the filters select, sorted, and then read in full until the page is complete. */
export async function workListPage(
  desk: Desk,
  request: FastifyRequest,
  filters: Filters,
  name: NonNullable<Filters['work']>,
): Promise<Listed> {
  const { jobs, room, work } = desk
  const list = await work.list(name, filters.source ? [filters.source] : orderTypes)
  const days = secondsOfDays(filters, await desk.timeZone())
  const selected = list.orders.filter((order) => isSelected(filters, order, days))
  const isByDue = filters.sort === 'due'
  const heads = sorted(selected, filters.sort, isByDue ? await desk.dueOf(selected) : undefined)
  const known = new Map<string, JobView>()
  const items = new Map<RoomOrder, RoomItem[]>()
  const start = Number(/^\d{1,6}$/.exec(queryValue(request, 'at'))?.[0] ?? 0)
  const { search, product, state } = filters
  const isNarrowed = Boolean(search || product || state)
  const read = isNarrowed ? readAtOnce : pageSize
  let at = start
  while (items.size < pageSize && at < heads.length && at < start + maxRead) {
    const some = heads.slice(at, at + read)
    for (const [key, job] of await jobs.newest(some)) known.set(key, job)
    const found = await room.itemsOf(await room.listed(some))
    const byKey = new Map([...found.keys()].map((order) => [`${order.type}:${order.id}`, order]))
    for (const { type, id } of some) {
      if (items.size === pageSize) break
      at++
      const order = byKey.get(`${type}:${id}`)
      const itemsOfOrder = (order && found.get(order)) ?? []
      if (!order || !list.includes(order, itemsOfOrder) || !isOf(filters, order)) continue
      if (search && !isFound(order, search)) continue
      if (!state || statesOf(order, known).has(state)) items.set(order, itemsOfOrder)
    }
  }
  const orders = [...items.keys()]
  const due = await desk.dueOf(orders)
  const next = at < heads.length ? queryOf(filters, { at: String(at) }) : undefined
  return { orders, items, jobs: known, due, next, total: isNarrowed ? undefined : heads.length, work: list }
}

const statesOf = (order: RoomOrder, known: ReadonlyMap<string, JobView>): ReadonlySet<PrintState> =>
  new Set(refsOf(order).map((ref) => stateOf(known.get(itemKey(ref)))))

// Reads a page of the list of orders: of all orders, newest first, or of a work list, sorted.
import type { FastifyRequest } from 'fastify'
import { secondsOfDays } from '../../src/core/time-in.ts'
import { type AnyOrder, allOrders, orderTypes } from '../../src/orders/all-orders.ts'
import { isFound } from '../../src/orders/order-search.ts'
import { type RoomItem, type RoomOrder, refsOf } from '../../src/orders/print-room.ts'
import { itemKey } from '../../src/orders/print-states.ts'
import type { WorkList } from '../../src/orders/work-lists.ts'
import { queryValue } from '../../src/pages/form.ts'
import type { JobView } from '../../src/print/job-overview.ts'
import type { Desk } from './desk.ts'
import { type FileState, fileStateOf } from './job-state.ts'
import {
  encodeOffsets,
  type Filters,
  matchesHead,
  matchesOrder,
  offsetsIn,
  queryOf,
  sorted,
} from './order-filters.ts'

/** The most orders of a page. */
export const pageSize = 50
/** How many orders of a work list are read at once in search of those to show, and how many at most for one page. */
const [readAtOnce, maxRead] = [250, 2000]

/** A page of the list. */
export interface Listed {
  orders: RoomOrder[]
  /** The items of each order. */
  items: ReadonlyMap<RoomOrder, RoomItem[]>
  /** The newest jobs of the items by `itemKey`, also of orders that were read and are not on the page. */
  jobs: ReadonlyMap<string, JobView>
  /** Due days of orders, such as `2026-04-29`; read for work lists only. */
  due: ReadonlyMap<RoomOrder, string>
  /** Query of the link to the next page; undefined on the last. */
  next: string | undefined
  /** The number of orders on all pages; undefined if it is not known. */
  total: number | undefined
  /** The work list; undefined for the list of all orders. */
  work: WorkList | undefined
}

/** A page of all orders, newest first, with those of each source that the filters select. */
export async function allOrdersPage(
  { orders, jobs, room, timeZone }: Desk,
  request: FastifyRequest,
  filters: Filters,
): Promise<Listed> {
  const { source, state, search } = filters
  const newestJobs = new Map<string, JobView>()
  const select = async (candidates: AnyOrder[]) => {
    addAll(newestJobs, await jobs.newest(candidates))
    return new Set(
      candidates.filter((order) => matchesOrder(filters, order) && hasFileState(order, state, newestJobs)),
    )
  }
  const days = secondsOfDays(filters, await timeZone())
  const query = { types: source ? [source] : orderTypes, search: search || undefined, ...days }
  const offsets = offsetsIn(request)
  const page = await allOrders(orders).page({ ...query, limit: pageSize, offsets }, select)
  return {
    orders: page.orders,
    items: await room.itemsOf(page.orders),
    jobs: newestJobs,
    due: new Map(),
    next: page.next && queryOf(filters, { at: encodeOffsets(page.next) }),
    total: undefined,
    work: undefined,
  }
}

/**
 * A page of a work list. Its orders are selected and sorted by their heads, then read in full from the position of the page on,
 * until the page is complete.
 */
export async function workListPage(
  desk: Desk,
  request: FastifyRequest,
  filters: Filters & { work: NonNullable<Filters['work']> },
): Promise<Listed> {
  const { jobs, room } = desk
  const list = await desk.work.list(filters.work, filters.source ? [filters.source] : orderTypes)
  const days = secondsOfDays(filters, await desk.timeZone())
  const selected = list.orders.filter((order) => matchesHead(filters, order, days))
  const heads = sorted(
    selected,
    filters.sort,
    filters.sort === 'due' ? await desk.dueOf(selected) : undefined,
  )
  const newestJobs = new Map<string, JobView>()
  const items = new Map<RoomOrder, RoomItem[]>()
  const { search, product, state } = filters
  const isNarrowed = Boolean(search || product || state)
  const start = Number(/^\d{1,6}$/.exec(queryValue(request, 'at'))?.[0] ?? 0)
  let position = start
  while (items.size < pageSize && position < heads.length && position < start + maxRead) {
    const batch = heads.slice(position, position + (isNarrowed ? readAtOnce : pageSize))
    addAll(newestJobs, await jobs.newest(batch))
    const itemsByOrder = await room.itemsOf(await room.listed(batch))
    const byKey = new Map([...itemsByOrder.keys()].map((order) => [`${order.type}:${order.id}`, order]))
    for (const { type, id } of batch) {
      if (items.size === pageSize) break
      position++
      const order = byKey.get(`${type}:${id}`)
      const itemsOfOrder = (order && itemsByOrder.get(order)) ?? []
      if (!order || !list.includes(order, itemsOfOrder) || !matchesOrder(filters, order)) continue
      if (search && !isFound(order, search)) continue
      if (hasFileState(order, state, newestJobs)) items.set(order, itemsOfOrder)
    }
  }
  const orders = [...items.keys()]
  return {
    orders,
    items,
    jobs: newestJobs,
    due: await desk.dueOf(orders),
    next: position < heads.length ? queryOf(filters, { at: String(position) }) : undefined,
    total: isNarrowed ? undefined : heads.length,
    work: list,
  }
}

/** Whether an item of the order has a print file in this state; true without a state. */
const hasFileState = (
  order: RoomOrder,
  state: FileState | undefined,
  newestJobs: ReadonlyMap<string, JobView>,
): boolean => !state || refsOf(order).some((ref) => fileStateOf(newestJobs.get(itemKey(ref))) === state)

function addAll<K, V>(map: Map<K, V>, entries: ReadonlyMap<K, V>): void {
  for (const [key, value] of entries) map.set(key, value)
}

// The lists of a print room: orders of which something is to be printed, was changed after it was printed, or has a problem; and their
// numbers. What is to be printed is found by ids and states of all orders of a time; the other lists look at a bounded part.
import { SvcError } from '../core/errors.ts'
import { orderTypes } from './all-orders.ts'
import type { Orders } from './orders.ts'
import { isToPrint, type PrintRoom, type RoomItem, type RoomOrder } from './print-room.ts'
import { isPrintable } from './printable.ts'
import type { OrderHead, OrderType } from './source.ts'

/** The names of the lists. */
export const workNames = ['to_print', 'changed', 'reprint', 'problem', 'printed'] as const
export type WorkName = (typeof workNames)[number]

/** One of the lists. */
export interface WorkList {
  orders: (OrderHead & { type: OrderType })[]
  /** Orders that are not to be printed, by the state that says why. */
  leftOut: Map<string, number>
  /** Whether there may be more than was looked at. */
  isCut: boolean
  /** Whether an order belongs to the list, as it is when it is read in full. */
  includes(order: RoomOrder, items: readonly RoomItem[]): boolean
}

/** Days in which an order was created that is to be printed, and orders of one source that are looked at. */
export const toPrintDays = 90
const maxLooked = 50_000
/** Orders whose states are read at once. */
const batch = 1000
/** Orders of other lists, and those that are looked at for changes. */
const maxListed = 500

export function workLists(orders: Orders, room: PrintRoom, printable: () => Promise<readonly string[]>) {
  async function recentOrders(type: OrderType, today: number) {
    const since = 86_400 * (today - toPrintDays)
    const { orders: heads, isCut } = await orders.of(type).recent(since, maxLooked).catch(noneIfAbsent)
    return { heads: heads.map((head) => ({ ...head, type })), isCut }
  }

  async function toPrint(types: readonly OrderType[]): Promise<WorkList> {
    const today = Math.floor((await room.now()) / 86_400)
    const found = await Promise.all(types.map((type) => recentOrders(type, today)))
    const all = found.flatMap(({ heads }) => heads)
    const states = await printable()
    const leftOut = new Map<string, number>()
    const leaveOut = (reason: string) => leftOut.set(reason, (leftOut.get(reason) ?? 0) + 1)
    const listed: WorkList['orders'] = []
    for (let at = 0; at < all.length; at += batch) {
      const unfinished = await room.unfinished(all.slice(at, at + batch))
      const paid = unfinished.filter(({ type, status }) => isPrintable(type, status, states))
      const refunded = await room.fullyRefunded(paid)
      for (const { type, status } of unfinished) if (!isPrintable(type, status, states)) leaveOut(status)
      for (const order of paid)
        if (refunded.has(order)) leaveOut('refunded pieces')
        else listed.push(order)
    }
    return {
      orders: listed,
      leftOut,
      isCut: found.some(({ isCut }) => isCut),
      includes: ({ type, status }, items) => isPrintable(type, status, states) && items.some(isToPrint),
    }
  }

  async function inState(
    name: Exclude<WorkName, 'to_print'>,
    types: readonly OrderType[],
  ): Promise<WorkList> {
    const state = name === 'changed' ? 'printed' : name
    const refs = await room.states.inState(state, maxListed)
    const listed = await room.listed(refs.filter(({ type }) => types.includes(type)))
    const items = await room.itemsOf(listed)
    const belongsToList = (item: RoomItem) =>
      name === 'changed' ? item.isChanged : item.state.state === state
    const found = listed.filter((order) => items.get(order)?.some(belongsToList))
    return {
      orders: found,
      leftOut: new Map(),
      isCut: refs.length === maxListed,
      includes: (_, itemsOfOrder) => itemsOfOrder.some(belongsToList),
    }
  }

  return {
    /** A list with the orders of these types. */
    list: (name: WorkName, types: readonly OrderType[] = orderTypes) =>
      name === 'to_print' ? toPrint(types) : inState(name, types),

    /** How many orders need work: to print, changed, with a problem. */
    async numbers() {
      const [open, changed, problems] = await Promise.all([
        toPrint(orderTypes),
        inState('changed', orderTypes),
        room.states.count('problem'),
      ])
      return { to_print: open.orders.length, changed: changed.orders.length, problem: problems }
    },
  }
}

/** The plugin of the source is not installed. */
function noneIfAbsent(error: unknown): { orders: OrderHead[]; isCut: boolean } {
  if (error instanceof SvcError && error.code === 'svc_order_type_unavailable')
    return { orders: [], isCut: false }
  throw error
}

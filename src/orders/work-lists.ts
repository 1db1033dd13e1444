// The lists of a print room: orders of which something is to be printed, was changed after it was printed, or has a problem; and their
// numbers. The list of orders to print looks at the states of all orders of the last days; the other lists look at a bounded part.
import { SvcError } from '../core/errors.ts'
import { orderTypes } from './all-orders.ts'
import type { Orders } from './orders.ts'
import { isToPrint, type PrintRoom, type RoomItem, type RoomOrder } from './print-room.ts'
import { isPrintable } from './printable.ts'
import type { OrderHead, OrderType } from './source.ts'

/** The names of the lists. */
export const workNames = ['to_print', 'changed', 'reprint', 'problem', 'printed'] as const
/** The name of one of the lists. */
export type WorkName = (typeof workNames)[number]

type HeadWithType = OrderHead & { type: OrderType }

/** One of the lists. */
export interface WorkList {
  orders: HeadWithType[]
  /** Numbers of orders with something to print that are not on the list, by their state or `refunded pieces`; empty for other lists. */
  leftOut: Map<string, number>
  /** Whether there may be more than was looked at. */
  isCut: boolean
  /** Whether an order belongs to the list, for a page that reads the order in full after the list was made. */
  includes(order: RoomOrder, items: readonly RoomItem[]): boolean
}

/** Orders to print were created in the last so many days. */
export const toPrintDays = 90
/** The most orders of one source that are looked at for the list of orders to print. */
const maxLooked = 50_000
/** Orders whose states are read at once. */
const batchSize = 1000
/** The most orders of each other list. */
const maxListed = 500

/** The lists of one context. @param printable reads the printable states of shop orders */
export function workLists(orders: Orders, room: PrintRoom, printable: () => Promise<readonly string[]>) {
  /** The orders of a source since `toPrintDays` before today; none if its plugin is not installed. @param today days since 1970 */
  async function recentOrders(type: OrderType, today: number) {
    const since = 86_400 * (today - toPrintDays)
    const { orders: heads, isCut } = await orders.of(type).recent(since, maxLooked).catch(noneIfAbsent)
    return { heads: heads.map((head) => ({ ...head, type })), isCut }
  }

  /** Printable orders with an item that is neither printed nor a problem, except those whose pieces were all refunded. */
  async function toPrint(types: readonly OrderType[]): Promise<WorkList> {
    const today = Math.floor((await room.now()) / 86_400)
    const recentOfTypes = await Promise.all(types.map((type) => recentOrders(type, today)))
    const candidates = recentOfTypes.flatMap(({ heads }) => heads)
    const states = await printable()
    const hasPrintableState = ({ type, status }: HeadWithType) => isPrintable(type, status, states)
    const leftOut = new Map<string, number>()
    const leaveOut = (reason: string) => leftOut.set(reason, (leftOut.get(reason) ?? 0) + 1)
    const listed: HeadWithType[] = []
    for (let start = 0; start < candidates.length; start += batchSize) {
      const unfinished = await room.unfinished(candidates.slice(start, start + batchSize))
      const refunded = await room.fullyRefunded(unfinished.filter(hasPrintableState))
      for (const order of unfinished) {
        if (!hasPrintableState(order)) leaveOut(order.status)
        else if (refunded.has(order)) leaveOut('refunded pieces')
        else listed.push(order)
      }
    }
    return {
      orders: listed,
      leftOut,
      isCut: recentOfTypes.some(({ isCut }) => isCut),
      includes: (order, items) => hasPrintableState(order) && items.some(isToPrint),
    }
  }

  /** Orders with an item in the state of the list; those whose state was set last come first. */
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
    return {
      orders: listed.filter((order) => items.get(order)?.some(belongsToList)),
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

/** No orders if the plugin of the source is not installed. @throws other errors */
function noneIfAbsent(error: unknown): { orders: OrderHead[]; isCut: boolean } {
  if (error instanceof SvcError && error.code === 'svc_order_type_unavailable')
    return { orders: [], isCut: false }
  throw error
}

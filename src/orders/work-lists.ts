// The lists of a print room: orders of which something is to be printed, was changed after it was printed, or has a problem; and their
// numbers. Each looks at a bounded part of the orders.
import { SvcError } from '../core/errors.ts'
import { orderTypes } from './all-orders.ts'
import type { Orders } from './orders.ts'
import { isToPrint, type PrintRoom, type RoomItem, type RoomOrder } from './print-room.ts'
import { isPrintable } from './printable.ts'
import type { OrderType } from './source.ts'

export const workNames = ['to_print', 'changed', 'reprint', 'problem', 'printed'] as const
export type WorkName = (typeof workNames)[number]

export interface WorkList {
  orders: RoomOrder[]
  items: Map<RoomOrder, RoomItem[]>
  /** Orders that are not to be printed, by the state that says why. */
  leftOut: Map<string, number>
  /** Whether there may be more than was looked at. */
  isCut: boolean
}

/** Days in which an order was created that is to be printed, and orders of one source that are looked at. */
export const toPrintDays = 90
const maxLooked = 1000
/** Orders of other lists, and those that are looked at for changes. */
const maxListed = 500

export function workLists(orders: Orders, room: PrintRoom, printable: () => Promise<readonly string[]>) {
  async function openOrders(type: OrderType, today: number): Promise<RoomOrder[]> {
    const since = 86_400 * (today - toPrintDays)
    try {
      const query = { search: undefined, include: undefined, limit: maxLooked, offset: 0 }
      const found = await orders.of(type).list({ ...query, since, isToPrint: await room.states.exist() })
      return found.orders.map((order) => ({ ...order, type }))
    } catch (error) {
      if (error instanceof SvcError && error.code === 'svc_order_type_unavailable') return []
      throw error
    }
  }

  async function toPrint(types: readonly OrderType[]): Promise<WorkList> {
    const today = Math.floor((await room.now()) / 86_400)
    const lists = await Promise.all(types.map((type) => openOrders(type, today)))
    const items = await room.itemsOf(lists.flat())
    const states = await printable()
    const leftOut = new Map<string, number>()
    const listed: RoomOrder[] = []
    for (const [order, itemsOfOrder] of items) {
      const isPaid = isPrintable(order.type, order.status, states)
      if (isPaid && itemsOfOrder.some(isToPrint)) listed.push(order)
      else if (!isPaid) leftOut.set(order.status, (leftOut.get(order.status) ?? 0) + 1)
      else if (itemsOfOrder.some(({ pieces }) => pieces === 0))
        leftOut.set('refunded pieces', (leftOut.get('refunded pieces') ?? 0) + 1)
    }
    return { orders: listed, items, leftOut, isCut: lists.some((list) => list.length === maxLooked) }
  }

  async function inState(
    name: Exclude<WorkName, 'to_print'>,
    types: readonly OrderType[],
  ): Promise<WorkList> {
    const state = name === 'changed' ? 'printed' : name
    const refs = await room.states.inState(state, maxListed)
    const listed = await room.listed(refs.filter(({ type }) => types.includes(type)))
    const items = await room.itemsOf(listed)
    const isWanted = (item: RoomItem) => (name === 'changed' ? item.isChanged : item.state.state === state)
    const found = listed.filter((order) => items.get(order)?.some(isWanted))
    return { orders: found, items, leftOut: new Map(), isCut: refs.length === maxListed }
  }

  return {
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

// The items of orders as a print room works on them: how many pieces are to be printed, their print state, and whether they were
// changed after they were printed.
import { SvcError } from '../core/errors.ts'
import type { Database } from '../db/connect.ts'
import { databaseTime } from '../db/time.ts'
import type { Orders } from './orders.ts'
import {
  contentOf,
  type ItemRef,
  itemKey,
  type PrintState,
  type PrintStateName,
  printStatesOf,
  type StateToSet,
} from './print-states.ts'
import { piecesOf } from './printable.ts'
import type { ListedItem, ListedOrder, OrderType } from './source.ts'

/** An item with its print state. */
export interface RoomItem extends ItemRef {
  /** Undefined if orders have no items. */
  bought: ListedItem | undefined
  /** What was entered in a form, the quantity last; empty for other orders. */
  entered: { name: string; value: string }[]
  /** Pieces to print; 1 if orders have no items, undefined if the shop stores no whole number of pieces. */
  pieces: number | undefined
  state: PrintState
  /** Whether design or pieces were changed after the item was printed. */
  isChanged: boolean
}

/** A listed order with its type. */
export type RoomOrder = ListedOrder & { type: OrderType }
type OrderRef = Pick<RoomOrder, 'type' | 'id'>

/** The state of an item without a row. */
const initialState: PrintState = {
  state: 'to_print',
  note: '',
  changed_by: null,
  changed_at: null,
  content: '',
}

/** Whether pieces of the item have still to be printed. */
export const isToPrint = ({ state, pieces }: RoomItem) =>
  (state.state === 'to_print' || state.state === 'reprint') && pieces !== 0

/** The print room of one context. */
export function printRoom(database: Database, orders: Orders) {
  const states = printStatesOf(database)

  /** Digests of the designs of these orders, by `itemKey`. */
  async function digestsOf(refs: readonly OrderRef[]): Promise<Map<string, string>> {
    const digests = new Map<string, string>()
    for (const [type, ordersOfType] of Map.groupBy(refs, (order) => order.type)) {
      const ids = [...new Set(ordersOfType.map(({ id }) => id))]
      for (const [key, digest] of await orders.of(type).designDigests(ids))
        digests.set(`${type}:${key}`, digest)
    }
    return digests
  }

  /** The items of listed orders with their print states; the keys are the objects that were passed. */
  async function itemsOf(listedOrders: readonly RoomOrder[]): Promise<Map<RoomOrder, RoomItem[]>> {
    const storedStates = await states.of(listedOrders)
    const printed = listedOrders.filter((order) =>
      refsOf(order).some((ref) => storedStates.get(itemKey(ref))?.state === 'printed'),
    )
    const digests = await digestsOf(printed)
    const itemOf = (order: RoomOrder, item: number, bought?: ListedItem): RoomItem => {
      const ref = { type: order.type, id: order.id, item }
      const pieces = bought ? piecesOf(bought) : 1
      const state = storedStates.get(itemKey(ref)) ?? initialState
      const isChanged =
        state.state === 'printed' && state.content !== contentOf(pieces, digests.get(itemKey(ref)))
      return { ...ref, bought, entered: enteredIn(order), pieces, state, isChanged }
    }
    return new Map(
      listedOrders.map((order) => [
        order,
        order.order_items?.map((bought) => itemOf(order, bought.id, bought)) ?? [itemOf(order, 0)],
      ]),
    )
  }

  /** Reads orders as lists show them, one type after the other; orders that do not exist or have no design are left out. */
  async function listed(refs: readonly OrderRef[]): Promise<RoomOrder[]> {
    const listedOrders: RoomOrder[] = []
    for (const [type, refsOfType] of Map.groupBy(refs, (ref) => ref.type)) {
      const include = [...new Set(refsOfType.map(({ id }) => id))]
      const page = await orders
        .of(type)
        .list({ search: undefined, include, limit: include.length, offset: 0 })
      listedOrders.push(...page.orders.map((order) => ({ ...order, type })))
    }
    return listedOrders
  }

  return {
    /** The stored print states. */
    states,

    /** Unix seconds by the clock of the database. */
    now: () => databaseTime(database),
    itemsOf,
    listed,

    /** The orders with an item that is neither printed nor a problem. */
    async unfinished<O extends OrderRef>(candidates: readonly O[]): Promise<O[]> {
      const finishedItems = await states.finished(candidates)
      // The items of an order are only read if one of them is finished.
      const begun = candidates.filter(({ type, id }) => finishedItems.has(`${type}:${id}`))
      const finishedOrders = new Set<O>()
      for (const [type, ordersOfType] of Map.groupBy(begun, (order) => order.type)) {
        const itemsByOrder = await orders.of(type).designedItems(ordersOfType.map(({ id }) => id))
        for (const order of ordersOfType) {
          const finished = finishedItems.get(`${type}:${order.id}`)
          const items = itemsByOrder.get(order.id) ?? [0]
          if (items.every((item) => finished?.has(item))) finishedOrders.add(order)
        }
      }
      return candidates.filter((order) => !finishedOrders.has(order))
    },

    /** The orders of which pieces were refunded, and nothing is left to print. */
    async fullyRefunded<O extends OrderRef>(candidates: readonly O[]): Promise<ReadonlySet<O>> {
      const refunded = new Map<string, O>()
      for (const [type, ordersOfType] of Map.groupBy(candidates, (order) => order.type)) {
        const refunds = await orders.of(type).refunds(ordersOfType.map(({ id }) => id))
        for (const order of ordersOfType)
          if (refunds(order.id).pieces.size > 0) refunded.set(`${type}:${order.id}`, order)
      }
      const items = await itemsOf(await listed([...refunded.values()]))
      for (const [{ type, id }, itemsOfOrder] of items)
        if (itemsOfOrder.some(isToPrint)) refunded.delete(`${type}:${id}`)
      return new Set(refunded.values())
    },

    /**
     * Sets the state of items, with a digest of what they contain at this moment.
     * @param by name of the user who sets it
     * @throws SvcError 400, 404 if one of them does not exist or has no design
     */
    async mark(
      refs: readonly ItemRef[],
      { state, note = '', by }: { state: PrintStateName; note?: string | undefined; by: string },
    ): Promise<void> {
      const items = new Map(
        [...(await itemsOf(await listed(refs))).values()].flat().map((item) => [itemKey(item), item]),
      )
      const digests = state === 'printed' ? await digestsOf(refs) : new Map<string, string>()
      const changes = refs.map((ref): StateToSet => {
        const item = items.get(itemKey(ref))
        if (!item) throw noItem(ref)
        return { ...ref, state, note, content: contentOf(item.pieces, digests.get(itemKey(ref))) }
      })
      await states.set(changes, by)
    },
  }
}

export type PrintRoom = ReturnType<typeof printRoom>

/** What was entered in a form, with the quantity last. */
const enteredIn = ({ attributes = [], quantity }: RoomOrder) =>
  quantity === undefined ? attributes : [...attributes, { name: 'Quantity', value: quantity }]

const noItem = ({ type, id, item }: ItemRef) =>
  new SvcError(item > 0 ? 'svc_order_item_not_found' : 'svc_order_data_not_found', {
    message:
      item > 0
        ? `The order ${id} of type ${type} has no item ${item} with a design.`
        : `There is no order ${id} of type ${type} with a design.`,
  })

/** What is printed of an order: its items, or the order itself if orders have no items. */
export const refsOf = ({ type, id, order_items }: RoomOrder): ItemRef[] =>
  order_items ? order_items.map((item) => ({ type, id, item: item.id })) : [{ type, id, item: 0 }]

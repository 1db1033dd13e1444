// Reads and writes the values of one order of a source, and deletes the order; orders.ts offers these functions for each source. The
// words (item, key, value, design, read-only) are explained at `designKeys` in source.ts.
import { noteChange } from '../core/change.ts'
import { invalidParams, type SvcError, unlessMissing, unreadableValue } from '../core/errors.ts'
import type { Check } from '../core/resource.ts'
import { turns } from '../core/turns.ts'
import type { Database } from '../db/connect.ts'
import { guard } from '../db/guard.ts'
import type { WriteTransaction } from '../db/transaction.ts'
import { flagOrders } from '../print/stale-orders.ts'
import { ifTypePresent } from './installed-types.ts'
import {
  designsOf,
  type ItemValue,
  readOnlyKey,
  readOnlyValuesOf,
  rowToReuse,
  stateOf,
} from './item-values.ts'
import { itemRequired, noItemInOrder, noOrderData, noOrderItem, orderChanged } from './order-errors.ts'
import { designToStore, sentKey } from './sent-order.ts'
import type { MetaChange, OrderSource, OrderType } from './source.ts'

/** The values of an order that a client requests. */
export interface RequestedValues {
  /** Default: those of all items. */
  itemId?: number | undefined
  /** The `item_key` of the request. Default: the designs. */
  itemKey?: string | undefined
}

/** The result of a read. */
export interface FoundOrder {
  /** The requested values, sorted by item; items without one are left out. */
  values: ItemValue[]
  /** State tag over all designs of the order, also when only one item or a read-only value was requested. */
  state: string
}

/** The result of a write. */
export interface WrittenOrder {
  orderId: number
  /** The CMS meta row that was written; undefined if none was. */
  change: MetaChange | undefined
  /** The key of the read-only value that was sent back unchanged, if the item has no design that could be returned in its place. */
  readOnlyKey: string | undefined
}

/** A source of orders. */
interface NamedSource {
  type: OrderType
  source: OrderSource
  /** The type as the client named it, for messages: `sc` is an old name of `shortcode`. */
  name: string
}

/** The values of the orders of one source. */
export function orderValues(database: Database, { type, source, name }: NamedSource) {
  /**
   * Reads the requested values of an order, and what a write needs: the designs and read-only values of the requested items, and the row
   * that takes the design of an item without one.
   * @throws SvcError 404 when there is no such order or item
   */
  async function find(orderId: number, { itemId, itemKey }: RequestedValues, executor?: typeof database.db) {
    const key = readOnlyKey(itemKey)
    const stored = await source.read(orderId, key, executor)
    if (!stored) throw noOrderData(orderId, name)
    if (itemId !== undefined && !stored.itemIds.includes(itemId)) throw noItemInOrder(orderId, name, itemId)
    const isRequested = (value: ItemValue) => itemId === undefined || value.stored.itemId === itemId
    const designs = (await designsOf(stored.designs)).filter(isRequested)
    const readOnlyValues = (await readOnlyValuesOf(stored.readOnlyValues)).filter(isRequested)
    const values = key === undefined ? designs : readOnlyValues
    const state = await stateOf(orderId, stored)
    return { values, designs, readOnlyValues, rowForNew: rowToReuse(stored, itemId), state }
  }

  /** Reads the order in a write, after the lock that lets writes of orders follow each other. @throws SvcError 404; whatever `check` throws */
  async function findForWrite(
    trx: typeof database.db,
    orderId: number,
    requested: RequestedValues,
    check?: Check,
  ) {
    await guard(database, trx, 'orders')
    const order = await find(orderId, requested, trx)
    await check?.({ resource: order, state: order.state })
    return order
  }

  /** Reports a change to the index of large shops, the audit trail and webhooks. @param before the state tag before the change */
  async function reportChange(
    trx: WriteTransaction,
    action: 'updated' | 'deleted',
    id: number,
    before: string,
  ): Promise<void> {
    await flagOrders(database, trx, [`${type}:${id}`])
    noteChange(trx, { resource: `${type}_order`, action, id, before })
  }

  /** The order and the item that a write names: without `itemId`, `id` is the id of the item if orders have items. */
  async function targetOf(id: number, itemId: number | undefined): Promise<[number, number | undefined]> {
    if (itemId !== undefined || !source.orderOf) return [id, itemId]
    const orderId = await source.orderOf(id)
    if (orderId === undefined) throw noOrderItem(id)
    return [orderId, id]
  }

  /** The error for a request that names no item of a shop order: 400, or 404 if the order has no design. */
  async function missingItem(orderId: number): Promise<SvcError> {
    const byOrder = await ifTypePresent(database, type, async () => source.designedItems?.([orderId]))
    const items = byOrder?.get(orderId) ?? []
    return items.length === 0 ? noOrderData(orderId, name) : itemRequired(items)
  }

  /** The requested values of an order. @throws SvcError 404 when there is no order, item or value */
  async function get(orderId: number, requested: RequestedValues): Promise<FoundOrder> {
    const { values, state } = await ifTypePresent(database, type, () => find(orderId, requested))
    if (values.length === 0) throw noOrderData(orderId, name)
    return { values, state }
  }

  return {
    get,

    /**
     * The design of one item, and its JSON text. Orders of type wc need an item; others have none.
     * @throws SvcError 400, 404, 500 if the design cannot be read
     */
    async design(
      orderId: number,
      itemId: number | undefined,
    ): Promise<{ item: ItemValue; customization: string; state: string }> {
      if (type === 'wc' && itemId === undefined) throw await missingItem(orderId)
      if (type !== 'wc' && itemId !== undefined) throw invalidParams({ item_id: 'belongs to type wc only' })
      const { values, state } = await get(orderId, { itemId })
      const [item] = values
      if (item?.json === undefined)
        throw item ? unreadableValue(item.stored.location) : noOrderData(orderId, name)
      return { item, customization: item.json, state }
    },

    /**
     * A check for a transaction that uses an order that was read before: it throws SvcError 503 if the order was erased, deleted or
     * changed meanwhile. Undefined if orders belong to the CMS, which changes them without our lock.
     * @param state the state tag of the order when it was read
     */
    unchanged: (orderId: number, state: string) =>
      source.remove &&
      (async (trx: typeof database.db) => {
        const current = await find(orderId, {}, trx).catch(unlessMissing)
        if (current?.state !== state) throw orderChanged()
      }),

    /**
     * Writes a design to the row where it was found, otherwise under the current key. An item that is sent back as GET returned it
     * is not written; a changed value under a read-only key is refused.
     * @param id of the order; without `itemId`, if orders have items, of the item
     * @param sent the item in any form that GET returns, or the design alone
     * @throws SvcError 400, 404; whatever `check` throws
     */
    async update(
      id: number,
      itemId: number | undefined,
      sent: unknown,
      check?: Check,
    ): Promise<WrittenOrder> {
      const itemKey = sentKey(sent)
      return ifTypePresent(database, type, async () => {
        const [orderId, item] = await targetOf(id, itemId)
        return database.transaction(async (trx) => {
          const order = await findForWrite(trx, orderId, { itemId: item, itemKey }, check)
          const turn = turns()
          const [design] = order.designs
          const [readOnlyValue] = order.readOnlyValues
          const toStore = designToStore(sent, { itemId: item ?? null, design, readOnlyValue })
          if (toStore === undefined)
            return { orderId, change: undefined, readOnlyKey: design ? undefined : itemKey }
          await turn()
          const storedRow = design?.stored ?? order.rowForNew
          const change = await source.write(trx, { orderId, itemId: item, storedRow, order: toStore })
          await reportChange(trx, 'updated', orderId, order.state)
          return { orderId, change, readOnlyKey: undefined }
        })
      })
    },

    /** Deletes the order. @throws SvcError 400 if orders belong to the CMS, 404; whatever `check` throws */
    async remove(orderId: number, check?: Check): Promise<void> {
      if (!source.remove) throw invalidParams({ type: 'must be shortcode: other orders belong to the CMS' })
      await database.transaction(
        async (trx) => {
          const { state } = await findForWrite(trx, orderId, {}, check)
          await source.remove?.(trx, orderId)
          await reportChange(trx, 'deleted', orderId, state)
        },
        async () => (await source.read(orderId, undefined)) === undefined,
      )
    },
  }
}

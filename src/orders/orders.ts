// One interface to the orders of all sources: read, list, and change them where their data was found.
import { noteChange, type WithNotedChanges } from '../core/change.ts'
import { invalidParams, SvcError, unlessMissing, unreadableValue } from '../core/errors.ts'
import type { Check } from '../core/resource.ts'
import { turns } from '../core/turns.ts'
import type { Database } from '../db/connect.ts'
import { guard } from '../db/guard.ts'
import { jobLinks } from '../print/job-links.ts'
import { flagOrders } from '../print/stale-orders.ts'
import type { CmsOptions } from '../settings/cms.ts'
import {
  type Customization,
  designsOf,
  otherKey,
  otherValuesOf,
  rowToReuse,
  stateOf,
} from './customization.ts'
import { gfSource } from './gf.ts'
import { itemRequired, noItemInOrder, noOrderData, noOrderItem, orderChanged } from './order-errors.ts'
import { type IndexSettings, orderIndex } from './order-index.ts'
import { noRefunds } from './refunds.ts'
import { designToStore, sentKey } from './sent-order.ts'
import { shortcodeSource } from './shortcode-source.ts'
import type {
  ListQuery,
  MetaChange,
  OrderDetails,
  OrderFacts,
  OrderHead,
  OrderSource,
  OrderType,
  Refunds,
} from './source.ts'
import { ifPresent, nameTypes } from './tables.ts'
import { wcSource } from './wc.ts'

/** Items whose designs are read with one statement, because designs are large. */
const itemsAtOnce = 50

type OrderItem = { id: number; item: number }

/** What was read of an order. */
export interface FoundOrder {
  /** The customizations of the requested items. */
  items: Customization[]
  /** State tag over all designs of the order. */
  state: string
}

/** The result of a write. */
export interface WrittenOrder {
  orderId: number
  /** The CMS meta row that was written; undefined if none was. */
  change: MetaChange | undefined
  /** The key whose value the client sent back unchanged, if the order has no design to return. */
  itemKey: string | undefined
}

/** The requested part of an order: one item, or all; under a key that is no design key, or the designs. */
export interface OrderPart {
  itemId?: number | undefined
  itemKey?: string | undefined
}

/** The orders of all sources of one database. @param settings of the index of large shops */
export function ordersOf(database: Database, cms: CmsOptions, settings: IndexSettings = {}) {
  const indexed = (type: OrderType, source: OrderSource) => ({
    type,
    source,
    index: orderIndex(database, cms, { type, source, ...settings }),
  })
  const sources = [
    indexed('wc', wcSource(database, cms)),
    indexed('gf', gfSource(database)),
    indexed('shortcode', shortcodeSource(database)),
  ]

  const links = jobLinks(database)

  /** The orders of one source, by its type; `sc` is an old name of `shortcode`. @throws SvcError 400 for an unknown type */
  function of(name: string) {
    const indexedSource = sources.find(({ type }) => type === (name === 'sc' ? 'shortcode' : name))
    if (!indexedSource) {
      const message = 'type must be one of wc, shortcode, sc, gf.'
      throw new SvcError('svc_order_type_unavailable', { message })
    }
    const { type, source, index } = indexedSource

    /**
     * Reads an order: the requested part of it (`items`), its designs, its values under the requested key, the row that a design is
     * written to if there is none yet, and its state tag.
     * @throws SvcError 404 when there is no such order or item
     */
    async function find(orderId: number, part: OrderPart, executor?: typeof database.db) {
      const requestedKey = otherKey(part.itemKey)
      const stored = await source.read(orderId, requestedKey, executor)
      if (!stored) throw noOrderData(orderId, name)
      if (part.itemId !== undefined && !stored.itemIds.includes(part.itemId))
        throw noItemInOrder(orderId, name, part.itemId)
      const isOfPart = (item: Customization) =>
        part.itemId === undefined || item.stored.itemId === part.itemId
      const designs = (await designsOf(stored.designs)).filter(isOfPart)
      const otherValues = (await otherValuesOf(stored.otherValues)).filter(isOfPart)
      const items = requestedKey === undefined ? designs : otherValues
      const state = await stateOf(orderId, stored)
      return { items, designs, otherValues, rowForNew: rowToReuse(stored, part.itemId), state }
    }

    /** Reads the order in a write, after the lock that lets writes of orders follow each other. @throws SvcError 404; whatever `check` throws */
    async function findForWrite(trx: typeof database.db, orderId: number, part: OrderPart, check?: Check) {
      await guard(database, trx, 'orders')
      const order = await find(orderId, part, trx)
      await check?.({ resource: order, state: order.state })
      return order
    }

    /** Reports a change for the audit trail and webhooks. @param before the state tag before the change */
    const note = (trx: WithNotedChanges, action: 'updated' | 'deleted', id: number, before: string) =>
      noteChange(trx, { resource: `${type}_order`, action, id, before })

    /** Runs a query about one order. @throws SvcError 400 that names the types of this installation, if the tables do not exist */
    const present = <T>(query: () => Promise<T>) =>
      ifPresent(database, query).catch((error: unknown) => nameTypes(database, type, error))

    /** The order and item to write to: without `itemId`, `id` is the item's if orders have items. */
    async function targetOf(id: number, itemId: number | undefined): Promise<[number, number | undefined]> {
      if (itemId !== undefined || !source.orderOf) return [id, itemId]
      const orderId = await source.orderOf(id)
      if (orderId === undefined) throw noOrderItem(id)
      return [orderId, id]
    }

    /** The requested part of an order. @throws SvcError 404 when there is no order, item or data */
    async function get(orderId: number, part: OrderPart): Promise<FoundOrder> {
      const order = await present(() => find(orderId, part))
      if (order.items.length === 0) throw noOrderData(orderId, name)
      return order
    }

    /** The error for a request that names no item of an order: 400, or 404 if the order does not exist. */
    async function missingItem(orderId: number): Promise<SvcError> {
      const byOrder = await present(async () => source.designedItems?.([orderId]))
      const items = byOrder?.get(orderId) ?? []
      return items.length === 0 ? noOrderData(orderId, name) : itemRequired(items)
    }

    return {
      type,
      get,

      /**
       * One design, with the state that it was read in. Orders of type wc need an item; others have none.
       * @throws SvcError 400, 404, 500 if the design cannot be read
       */
      async design(
        orderId: number,
        itemId: number | undefined,
      ): Promise<FoundOrder & { customization: string }> {
        if (type === 'wc' && itemId === undefined) throw await missingItem(orderId)
        if (type !== 'wc' && itemId !== undefined) throw invalidParams({ item_id: 'belongs to type wc only' })
        const order = await get(orderId, { itemId })
        const [item] = order.items
        if (item?.json === undefined)
          throw item ? unreadableValue(item.stored.location) : noOrderData(orderId, name)
        return { ...order, customization: String(item.json) }
      },

      /**
       * A check for a transaction that uses an order that was read before: it throws SvcError 503 if the order was erased, deleted or
       * changed meanwhile. Undefined if orders belong to the CMS.
       */
      unchanged: (orderId: number, { state }: FoundOrder) =>
        source.remove &&
        (async (trx: typeof database.db) => {
          const current = await find(orderId, {}, trx).catch(unlessMissing)
          if (current?.state !== state) throw orderChanged()
        }),

      /** A page of the list; by the index in a large shop. */
      async list(query: ListQuery) {
        if (query.hasPrintFile !== undefined) await links.follow()
        return ifPresent(database, async () => {
          const isIndexed = query.include === undefined && (await index.prepare(query))
          return isIndexed ? index.list(query) : source.list(query)
        })
      },

      /**
       * Orders with a design, newest first.
       * @param since Unix seconds: created at this time or later
       * @returns at most `limit` orders; `isCut`: there may be more
       */
      recent: (since: number, limit: number): Promise<{ orders: OrderHead[]; isCut: boolean }> =>
        ifPresent(database, () => index.recent(since, limit)),

      /** The ids of the items with a design of these orders, by order; empty if orders have no items. */
      designedItems: async (orderIds: readonly number[]): Promise<ReadonlyMap<number, number[]>> =>
        (await ifPresent(database, async () => source.designedItems?.(orderIds))) ?? new Map(),

      /**
       * The customizations of these items, by order, with one statement for every `itemsAtOnce`: a long order comes in parts. Items
       * without one are left out. @param items ids of orders and items; the item is 0 where orders have none
       */
      async *designs(items: readonly OrderItem[]): AsyncGenerator<[order: number, items: Customization[]]> {
        for (let start = 0; start < items.length; start += itemsAtOnce) {
          const part = items.slice(start, start + itemsAtOnce)
          const orderIds = [...new Set(part.map(({ id }) => id))]
          const itemIds = part.map(({ item }) => item)
          const stored = await ifPresent(database, () => source.designs(orderIds, itemIds))
          for (const [order, rows] of stored) yield [order, await designsOf(rows)]
        }
      },

      /** Resolves to a function from order id to the refunds of that order; without refunds, `noRefunds`. */
      refunds: async (orderIds: readonly number[]): Promise<(orderId: number) => Refunds> =>
        (await ifPresent(database, async () => source.refunds?.(orderIds))) ?? (() => noRefunds),

      /** Digests of the stored designs of these orders, by `order:item`. */
      designDigests: (orderIds: readonly number[]) =>
        ifPresent(database, () => source.designDigests(orderIds)),

      /** The state of an order, and what was bought. @throws SvcError 404 when there is no order */
      facts: async (orderId: number): Promise<OrderFacts> => {
        const facts = await present(() => source.facts(orderId))
        if (!facts) throw noOrderData(orderId, name)
        return facts
      },

      /** Addresses, prices and other properties of the order; empty if its source knows none. */
      details: async (orderId: number): Promise<OrderDetails> =>
        source.details ? ifPresent(database, async () => source.details?.(orderId) ?? {}) : {},

      /**
       * Writes a design to the row where it was found, otherwise under the current key. An item that is sent back as GET returned it
       * is not written. A value under another key is read-only.
       * @param id of the order; without `itemId`, if orders have items, of the item
       * @throws SvcError 400, 404; whatever `check` throws
       */
      async update(
        id: number,
        itemId: number | undefined,
        sent: unknown,
        check?: Check,
      ): Promise<WrittenOrder> {
        const itemKey = sentKey(sent)
        const write = async () => {
          const [orderId, item] = await targetOf(id, itemId)
          return database.transaction(async (trx) => {
            const order = await findForWrite(trx, orderId, { itemId: item, itemKey }, check)
            const turn = turns()
            const [[design], [otherValue]] = [order.designs, order.otherValues]
            const toStore = designToStore(sent, { itemId: item ?? null, design, otherValue })
            if (toStore === undefined)
              return { orderId, change: undefined, itemKey: design ? undefined : itemKey }
            await turn()
            const storedRow = design?.stored ?? order.rowForNew
            const change = await source.write(trx, { orderId, itemId: item, storedRow, order: toStore })
            await flagOrders(database, trx, [`${type}:${orderId}`])
            note(trx, 'updated', orderId, order.state)
            return { orderId, change, itemKey: undefined }
          })
        }
        return present(write)
      },

      /** Deletes the order. @throws SvcError 400 if orders belong to the CMS, 404; whatever `check` throws */
      async remove(orderId: number, check?: Check): Promise<void> {
        if (!source.remove) throw invalidParams({ type: 'must be shortcode: other orders belong to the CMS' })
        await database.transaction(
          async (trx) => {
            const { state } = await findForWrite(trx, orderId, {}, check)
            await source.remove?.(trx, orderId)
            await flagOrders(database, trx, [`${type}:${orderId}`])
            note(trx, 'deleted', orderId, state)
          },
          async () => (await source.read(orderId, undefined)) === undefined,
        )
      },
    }
  }

  return {
    of,

    /** Fills the indexes of large shops, for `migrate`. */
    async fillIndexes(): Promise<void> {
      for (const { index } of sources) {
        try {
          await index.fillAll()
        } catch (error) {
          // The plugin of the source is not installed.
          if (!database.dialect.isMissingTable(error)) throw error
        }
      }
    },
  }
}

/** The orders of all sources. */
export type Orders = Pick<ReturnType<typeof ordersOf>, 'of'>
/** The orders of one source. */
export type OrdersOfType = ReturnType<Orders['of']>

// One interface to the orders of all sources: read, list, and change them where their data was found.
import { noteChange } from '../core/change.ts'
import { invalidParams, missingParams, SvcError, unreadableValue } from '../core/errors.ts'
import type { Check } from '../core/resource.ts'
import { turns } from '../core/turns.ts'
import { tryAgain } from '../core/unavailable.ts'
import type { Database } from '../db/connect.ts'
import { guard } from '../db/guard.ts'
import { jobLinks } from '../print/job-links.ts'
import { flagOrders } from '../print/stale-orders.ts'
import type { CmsOptions } from '../settings/cms.ts'
import {
  type Customization,
  designsOf,
  emptyRowIn,
  otherKey,
  otherValuesOf,
  stateOf,
} from './customization.ts'
import { gfSource } from './gf.ts'
import { type IndexSettings, orderIndex } from './order-index.ts'
import { noRefunds } from './refunds.ts'
import { designToStore, sentKey } from './sent-order.ts'
import { shortcodeSource } from './shortcode-orders.ts'
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
import { ifPresent } from './tables.ts'
import { wcSource } from './wc.ts'

/** Orders whose designs are read with one statement, because designs are large. */
const ordersAtOnce = 20

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

/** 404 for an order without customization data in this source. */
const noOrderDataOf = (type: string) => (orderId: number) =>
  new SvcError('svc_order_data_not_found', {
    message: `No customization data for the order ${orderId} of type ${type}; for an order of another source send its type (wc, shortcode or gf).`,
  })

const orderChanged = () =>
  tryAgain({
    reason: 'order-changed',
    message: 'The order was changed at this moment; please try again.',
    seconds: 1,
  })

/** Undefined for a 404. @throws other errors */
function unlessMissing(error: unknown): undefined {
  if (!(error instanceof SvcError && error.statusCode === 404)) throw error
}

/** The orders of all sources of one database. @param settings of the index of large shops */
export function ordersOf(database: Database, cms: CmsOptions, settings: IndexSettings = {}) {
  const orderSources: readonly (readonly [OrderType, OrderSource])[] = [
    ['wc', wcSource(database, cms)],
    ['gf', gfSource(database)],
    ['shortcode', shortcodeSource(database)],
  ]
  const sources = orderSources.map(([type, source]) => ({
    type,
    source,
    index: orderIndex(database, cms, { type, source, ...settings }),
  }))

  const links = jobLinks(database)

  /** The orders of one source, by its type; `sc` is an old name of `shortcode`. @throws SvcError 400 for an unknown type */
  function of(name: string) {
    const named = sources.find(({ type }) => type === (name === 'sc' ? 'shortcode' : name))
    if (!named) {
      throw new SvcError('svc_order_type_unavailable', {
        message: 'type must be one of wc, shortcode, sc, gf.',
      })
    }
    const { type, source, index } = named
    const noOrderData = noOrderDataOf(name)

    /** Reads the requested part of an order (`items`), its designs and values under another key, and an empty row for a design. */
    async function find(orderId: number, part: OrderPart, executor?: typeof database.db) {
      const requestedKey = otherKey(part.itemKey)
      const stored = await source.read(orderId, requestedKey, executor)
      if (!stored) throw noOrderData(orderId)
      if (part.itemId !== undefined && !stored.itemIds.includes(part.itemId)) {
        throw new SvcError('svc_order_item_not_found', {
          message: `The order ${orderId} of type ${name} has no item with the id ${part.itemId}.`,
        })
      }
      const ofPart = ({ stored: found }: Customization) =>
        part.itemId === undefined || found.itemId === part.itemId
      const designs = (await designsOf(stored.designs)).filter(ofPart)
      const otherValues = (await otherValuesOf(stored.otherValues)).filter(ofPart)
      const items = requestedKey === undefined ? designs : otherValues
      const state = await stateOf(orderId, stored)
      return { items, designs, otherValues, emptyRow: emptyRowIn(stored, part.itemId), state }
    }

    /** The order in a write, which keeps others from it. @throws SvcError 404; whatever `check` throws */
    async function findForWrite(trx: typeof database.db, orderId: number, part: OrderPart, check?: Check) {
      await guard(database, trx, 'orders')
      const found = await find(orderId, part, trx)
      await check?.({ resource: found, state: found.state })
      return found
    }

    const note = (action: 'updated' | 'deleted', id: number, before: string) =>
      noteChange({ resource: `${type}_order`, action, id, before })

    /** The order and item to write to: without `itemId`, `id` is the item's if orders have items. */
    async function targetOf(id: number, itemId: number | undefined): Promise<[number, number | undefined]> {
      if (itemId !== undefined || !source.orderOf) return [id, itemId]
      const orderId = await source.orderOf(id)
      if (orderId === undefined) {
        throw new SvcError('svc_order_item_not_found', {
          message: `No order item with the id ${id}; without item_id, the path takes the id of the item, not of the order.`,
        })
      }
      return [orderId, id]
    }

    /** @throws SvcError 404 when there is no order, item or data */
    async function get(orderId: number, part: OrderPart): Promise<FoundOrder> {
      const found = await ifPresent(database, () => find(orderId, part))
      if (found.items.length === 0) throw noOrderData(orderId)
      return found
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
        if (type === 'wc' && itemId === undefined) throw missingParams(['item_id'])
        if (type !== 'wc' && itemId !== undefined) throw invalidParams({ item_id: 'belongs to type wc only' })
        const order = await get(orderId, { itemId })
        const [item] = order.items
        if (item?.json === undefined)
          throw item ? unreadableValue(item.stored.location) : noOrderData(orderId)
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
          const isIndexed = query.include === undefined && (await index.isReady(query))
          return isIndexed ? index.list(query) : source.list(query)
        })
      },

      /** Orders with a design that were created at `since` or later, in Unix seconds, newest first. */
      recent: (since: number, limit: number): Promise<{ orders: OrderHead[]; isCut: boolean }> =>
        ifPresent(database, () => index.recent(since, limit)),

      /** The items with a design of these orders, by order; none where orders have no items. */
      designedItems: async (orderIds: readonly number[]): Promise<ReadonlyMap<number, number[]>> =>
        (await ifPresent(database, async () => source.designedItems?.(orderIds))) ?? new Map(),

      /**
       * The customizations of these orders, by order, with one statement for every twenty of them, because designs are large.
       * Orders without one are left out.
       */
      async *designs(orderIds: readonly number[]): AsyncGenerator<[order: number, items: Customization[]]> {
        for (let start = 0; start < orderIds.length; start += ordersAtOnce) {
          const ids = orderIds.slice(start, start + ordersAtOnce)
          const stored = await ifPresent(database, () => source.designs(ids))
          for (const [order, rows] of stored) yield [order, await designsOf(rows)]
        }
      },

      /** What was refunded of these orders. */
      refunds: async (orderIds: readonly number[]): Promise<(orderId: number) => Refunds> =>
        (await ifPresent(database, async () => source.refunds?.(orderIds))) ?? (() => noRefunds),

      /** Digests of the stored designs of these orders, by `order:item`. */
      designDigests: (orderIds: readonly number[]) =>
        ifPresent(database, () => source.designDigests(orderIds)),

      /** The state of an order, and what was bought. @throws SvcError 404 when there is no order */
      facts: async (orderId: number): Promise<OrderFacts> => {
        const facts = await ifPresent(database, () => source.facts(orderId))
        if (!facts) throw noOrderData(orderId)
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
            const found = await findForWrite(trx, orderId, { itemId: item, itemKey }, check)
            const turn = turns()
            const [[design], [otherValue]] = [found.designs, found.otherValues]
            const toStore = designToStore(sent, { itemId: item ?? null, design, otherValue })
            if (toStore === undefined)
              return { orderId, change: undefined, itemKey: design ? undefined : itemKey }
            await turn()
            const row = design?.stored ?? found.emptyRow
            const change = await source.write(trx, { orderId, itemId: item, found: row, order: toStore })
            await flagOrders(database, trx, [`${type}:${orderId}`])
            note('updated', orderId, found.state)
            return { orderId, change, itemKey: undefined }
          })
        }
        return ifPresent(database, write)
      },

      /** Deletes the order. @throws SvcError 400 if orders belong to the CMS, 404; whatever `check` throws */
      async remove(orderId: number, check?: Check): Promise<void> {
        if (!source.remove) throw invalidParams({ type: 'must be shortcode: other orders belong to the CMS' })
        await database.transaction(
          async (trx) => {
            const { state } = await findForWrite(trx, orderId, {}, check)
            await source.remove?.(trx, orderId)
            await flagOrders(database, trx, [`${type}:${orderId}`])
            note('deleted', orderId, state)
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

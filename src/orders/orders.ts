// One interface to the orders of all sources: lists, the designs of several orders, and of one order its values (order-values.ts), its
// state and what was bought.
import { SvcError } from '../core/errors.ts'
import type { Database } from '../db/connect.ts'
import { jobLinks } from '../print/job-links.ts'
import type { CmsOptions } from '../settings/cms.ts'
import { gfSource } from './gf.ts'
import { ifPresent, ifTypePresent } from './installed-types.ts'
import { designsOf, type ItemValue } from './item-values.ts'
import { noOrderData } from './order-errors.ts'
import { type IndexSettings, orderIndex } from './order-index.ts'
import { orderValues } from './order-values.ts'
import { noRefunds } from './refunds.ts'
import { shortcodeSource } from './shortcode-source.ts'
import type {
  ListQuery,
  OrderDetails,
  OrderFacts,
  OrderHead,
  OrderSource,
  OrderType,
  Refunds,
} from './source.ts'
import { wcSource } from './wc.ts'

/** Items whose designs are read with one statement, because designs are large. */
const itemsAtOnce = 50

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

  /**
   * The orders of one source, by its type; `sc` is an old name of `shortcode`. Its functions throw SvcError 400
   * `svc_order_type_unavailable` if the plugin of the source is not installed.
   * @throws SvcError 400 for an unknown type
   */
  function of(name: string) {
    const indexedSource = sources.find(({ type }) => type === (name === 'sc' ? 'shortcode' : name))
    if (!indexedSource) {
      const message = 'type must be one of wc, shortcode, sc, gf.'
      throw new SvcError('svc_order_type_unavailable', { message })
    }
    const { type, source, index } = indexedSource

    return {
      type,
      ...orderValues(database, { type, source, name }),

      /** A page of the list; by the index in a large shop. */
      async list(query: ListQuery) {
        // The condition finds only jobs that are linked to their orders.
        if (query.hasPrintFile !== undefined) await links.follow()
        return ifPresent(database, async () => {
          const isIndexed = query.include === undefined && (await index.prepare(query))
          return isIndexed ? index.list(query) : source.list(query)
        })
      },

      /**
       * Orders with a design, newest first.
       * @param since Unix seconds: created at this time or later
       * @returns at most `limit` orders, fewer while the index of a large shop is not filled; `isCut`: there may be more
       */
      recent: (since: number, limit: number): Promise<{ orders: OrderHead[]; isCut: boolean }> =>
        ifPresent(database, () => index.recent(since, limit)),

      /** The ids of the items with a design of these orders, by order; empty if orders have no items. */
      designedItems: async (orderIds: readonly number[]): Promise<ReadonlyMap<number, number[]>> =>
        (await ifPresent(database, async () => source.designedItems?.(orderIds))) ?? new Map(),

      /**
       * The designs of these items, by order, with one statement for every `itemsAtOnce`: a long order is yielded in parts. Items without
       * a design are left out.
       * @param items ids of orders and items; the item is 0 where orders have none
       */
      async *designs(
        items: readonly { id: number; item: number }[],
      ): AsyncGenerator<[order: number, designs: ItemValue[]]> {
        for (let start = 0; start < items.length; start += itemsAtOnce) {
          const part = items.slice(start, start + itemsAtOnce)
          const orderIds = [...new Set(part.map(({ id }) => id))]
          const itemIds = part.map(({ item }) => item)
          const stored = await ifPresent(database, () => source.designs(orderIds, itemIds))
          for (const [order, rows] of stored) yield [order, await designsOf(rows)]
        }
      },

      /** Resolves to a function from order id to the refunds of that order; `noRefunds` for an order without any. */
      refunds: async (orderIds: readonly number[]): Promise<(orderId: number) => Refunds> =>
        (await ifPresent(database, async () => source.refunds?.(orderIds))) ?? (() => noRefunds),

      /** Digests of the stored designs of these orders, by `order:item`. */
      designDigests: (orderIds: readonly number[]) =>
        ifPresent(database, () => source.designDigests(orderIds)),

      /** The state of an order, and what was bought. @throws SvcError 404 when there is no order */
      facts: async (orderId: number): Promise<OrderFacts> => {
        const facts = await ifTypePresent(database, type, () => source.facts(orderId))
        if (!facts) throw noOrderData(orderId, name)
        return facts
      },

      /** Addresses, prices and other properties of the order; empty if its source knows none. */
      details: async (orderId: number): Promise<OrderDetails> =>
        source.details ? ifPresent(database, async () => source.details?.(orderId) ?? {}) : {},
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

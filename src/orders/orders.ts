// Orders of all sources behind one door: read, listed, changed where their data were found.
import type { Database } from '../db/connect.ts'
import { guard } from '../db/guard.ts'
import { stateTag } from '../db/state-tag.ts'
import { invalidParams, SvcError } from '../errors.ts'
import type { CmsOptions } from '../options/cms.ts'
import { type Customization, designsOf, literalKey, literalsOf } from './customization.ts'
import { gfSource } from './gf.ts'
import { designToStore, sentKey } from './sent-order.ts'
import { shortcodeSource } from './shortcode.ts'
import type { ListQuery, MetaPlace, OrderSource, StoredOrder } from './source.ts'
import { ifPresent } from './tables.ts'
import { wcSource } from './wc.ts'

export type OrderType = 'wc' | 'shortcode' | 'gf'

export interface FoundOrder {
  /** The chosen data of the items that were asked for. */
  items: Customization[]
  state: string
}

export interface WrittenOrder {
  orderId: number
  /** The CMS meta row that was written, where one was. */
  place: MetaPlace | undefined
  /** The literal key whose value came back unchanged, where the order has nothing else to show. */
  itemKey: string | undefined
}

export interface OrderPart {
  itemId?: number | undefined
  itemKey?: string | undefined
}

export function ordersOf(database: Database, cms: CmsOptions) {
  const shortcode = shortcodeSource(database)
  const sources = new Map<string, [OrderType, OrderSource]>([
    ['wc', ['wc', wcSource(database, cms)]],
    ['gf', ['gf', gfSource(database)]],
    ['shortcode', ['shortcode', shortcode]],
    ['sc', ['shortcode', shortcode]],
  ])

  /** @throws SvcError 400 for a type that does not exist */
  function of(name: string) {
    const [type, source] = sources.get(name) ?? []
    if (!type || !source) {
      throw new SvcError('svc_order_type_unavailable', {
        message: 'type must be one of wc, shortcode, sc, gf.',
      })
    }

    async function find(orderId: number, part: OrderPart, executor?: typeof database.db) {
      const literal = literalKey(part.itemKey)
      const stored = await source?.read(orderId, literal, executor)
      if (!stored) throw new SvcError('svc_order_data_not_found')
      if (part.itemId !== undefined && !stored.itemIds.includes(part.itemId)) {
        throw new SvcError('svc_order_item_not_found', {
          message: `The order ${orderId} has no item ${part.itemId}.`,
        })
      }
      const ofPart = ({ found }: Customization) => part.itemId === undefined || found.itemId === part.itemId
      const designs = (await designsOf(stored.designs)).filter(ofPart)
      const literals = (await literalsOf(stored.literal)).filter(ofPart)
      const items = literal === undefined ? designs : literals
      return { items, designs, literals, state: stateOf(orderId, stored) }
    }

    /** The order and item that a write means: without `itemId`, `id` is the item's where orders have items. */
    async function targetOf(id: number, itemId: number | undefined): Promise<[number, number | undefined]> {
      if (itemId !== undefined || !source?.orderOf) return [id, itemId]
      const orderId = await source.orderOf(id)
      if (orderId === undefined) {
        throw new SvcError('svc_order_item_not_found', {
          message: `There is no order item ${id}; without item_id the path names the item, not the order.`,
        })
      }
      return [orderId, id]
    }

    return {
      type,

      /** @throws SvcError 404 when there is no order, item or data */
      async get(orderId: number, part: OrderPart): Promise<FoundOrder> {
        const found = await ifPresent(database, () => find(orderId, part))
        if (found.items.length === 0) throw new SvcError('svc_order_data_not_found')
        return found
      },

      list: (query: ListQuery) => ifPresent(database, () => source.list(query)),

      /**
       * Writes where the data were found, else under the newest key. What GET gives may come back: then nothing is
       * written. A value under a literal key is only read.
       * @param id of the order; without `itemId`, where orders have items, of the item
       * @throws SvcError 400, 404; what `check` throws
       */
      async update(
        id: number,
        itemId: number | undefined,
        sent: unknown,
        check?: (current: FoundOrder) => void,
      ): Promise<WrittenOrder> {
        const itemKey = await sentKey(sent)
        const write = async () => {
          const [orderId, item] = await targetOf(id, itemId)
          return database.transaction(async (trx) => {
            await guard(database, trx, 'orders')
            const current = await find(orderId, { itemId: item, itemKey }, trx)
            check?.(current)
            const [[design], [literal]] = [current.designs, current.literals]
            const toStore = await designToStore(sent, { itemId: item ?? null, design, literal })
            if (toStore === undefined)
              return { orderId, place: undefined, itemKey: design ? undefined : itemKey }
            const target = { orderId, itemId: item, found: design?.found, order: toStore }
            return { orderId, place: await source.write(trx, target), itemKey: undefined }
          })
        }
        return ifPresent(database, write)
      },

      /** @throws SvcError 400 where orders belong to the CMS, 404; what `check` throws */
      async remove(orderId: number, check?: (current: FoundOrder) => void): Promise<void> {
        if (!source.remove) throw invalidParams({ type: 'must be shortcode: other orders belong to the CMS' })
        await database.transaction(async (trx) => {
          await guard(database, trx, 'orders')
          const current = await find(orderId, {}, trx)
          check?.(current)
          await source.remove?.(trx, orderId)
        })
      },
    }
  }

  return { of }
}

/** Over all designs of the order, whichever of them an answer shows. */
function stateOf(orderId: number, { itemIds, designs }: StoredOrder): string {
  return stateTag(
    orderId,
    itemIds.join(),
    ...designs.flatMap(({ itemId, key, value }) => [itemId, key, value]),
  )
}

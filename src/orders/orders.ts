// Orders of all sources behind one door: read, listed, changed where their data were found.
import type { Database } from '../db/connect.ts'
import { guard } from '../db/guard.ts'
import { stateTag } from '../db/state-tag.ts'
import { invalidParams, SvcError } from '../errors.ts'
import type { CmsOptions } from '../options/cms.ts'
import { type Customization, designsOf, literalKey, literalsOf } from './customization.ts'
import { gfSource } from './gf.ts'
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
        throw new SvcError('svc_order_item_not_found')
      }
      const all = await (literal === undefined ? designsOf(stored.designs) : literalsOf(stored.literal))
      const items = all.filter(({ found }) => part.itemId === undefined || found.itemId === part.itemId)
      return { items, state: stateOf(orderId, stored) }
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

      /** Writes where the data were found, else under the newest key. @throws SvcError 404; what `check` throws */
      async update(
        orderId: number,
        itemId: number | undefined,
        order: Record<string, unknown>,
        check?: (current: FoundOrder) => void,
      ): Promise<MetaPlace | undefined> {
        const write = () =>
          database.transaction(async (trx) => {
            await guard(database, trx, 'orders')
            const current = await find(orderId, { itemId }, trx)
            check?.(current)
            return source.write(trx, { orderId, itemId, found: current.items[0]?.found, order })
          })
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

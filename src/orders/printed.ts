// WooCommerce orders for a print provider: reads the item to print, and records the provider's order.
import type { Database } from '../db/connect.ts'
import type { PrintedLine, PrintedOrders } from '../print/providers/printful.ts'
import { ProviderRefused } from '../print/providers/provider.ts'
import type { CmsOptions } from '../settings/cms.ts'
import { orderAddresses } from './addresses.ts'
import { orderMetaWriter } from './order-meta.ts'
import { orderMeta } from './printed-meta.ts'
import { recipientOf } from './recipient.ts'
import { refundsOf } from './refunds.ts'
import { foreignTables } from './tables.ts'
import { placementsOf } from './templates.ts'

interface Services {
  database: Database
  cms: CmsOptions
  /** Called after commit. */
  metaChanged: (change: { table: string; objectId: number; keys: string[] }) => Promise<void>
}

/** Maximum quantity of one item that the provider accepts. */
const maxPieces = 1000
const variantKey = 'svc_printful_variant_id'
const templatesKey = 'svc_printful_templates'
const lineKeys = ['_qty', '_line_total', '_variation_id', '_product_id'] as const

export function printedOrders({ database, cms, metaChanged }: Services): PrintedOrders {
  const { db, f } = foreignTables(database)
  const writeMeta = orderMetaWriter(database, cms)
  const refunds = refundsOf(database, cms)
  const addressesOf = orderAddresses(database, cms)

  async function lineItem(orderId: number, itemId: number) {
    const rows = await db
      .selectFrom(`${f.items} as i`)
      .leftJoin(`${f.itemMeta} as m`, (join) =>
        join.onRef('m.order_item_id', '=', 'i.order_item_id').on('m.meta_key', 'in', lineKeys),
      )
      .select(['i.order_item_name as name', 'm.meta_key as key', 'm.meta_value as value'])
      .where('i.order_id', '=', orderId)
      .where('i.order_item_id', '=', itemId)
      .where('i.order_item_type', '=', 'line_item')
      .orderBy('m.meta_id', 'desc')
      .execute()
    const [first] = rows
    // Of several rows with one key the oldest counts, as in PHP.
    return first && { name: first.name, meta: new Map(rows.map(({ key, value }) => [key, value ?? ''])) }
  }

  /** The meta of these posts (variations or products) about the provider's product. */
  async function printedPosts(ids: number[]) {
    const rows = await db
      .selectFrom(f.postMeta)
      .select(['post_id', 'meta_key', 'meta_value'])
      .where('post_id', 'in', [...ids, 0])
      .where('meta_key', 'in', [variantKey, templatesKey])
      .orderBy('meta_id', 'desc')
      .execute()
    return ids.flatMap((id) => {
      const own = new Map(
        rows.filter((row) => row.post_id === id).map((row) => [row.meta_key, row.meta_value]),
      )
      const variantId = idOf(own.get(variantKey))
      return variantId === undefined ? [] : [{ id, variantId, templates: own.get(templatesKey) ?? null }]
    })
  }

  /**
   * The job names a variation of the shop, or the provider's own variant. The sold variation is checked first, so that
   * the two kinds of ids are not confused.
   */
  async function variationOf(variation: string, meta: Map<string | null, string>) {
    const wanted = idOf(variation)
    if (wanted === undefined) throw new ProviderRefused('The variation of the job is not an id.')
    const sold = [idOf(meta.get('_variation_id')), idOf(meta.get('_product_id'))].filter(
      (id) => id !== undefined,
    )
    const posts = await printedPosts([...new Set([...sold, wanted])])
    const isWanted = ({ id, variantId }: (typeof posts)[number]) => id === wanted || variantId === wanted
    const found =
      posts.find((post) => sold.includes(post.id) && isWanted(post)) ?? posts.find(({ id }) => id === wanted)
    if (!found) throw new ProviderRefused(`The variation ${wanted} names no variant of the print provider.`)
    return found
  }

  async function line({ orderId, orderType, itemId, variation }: Parameters<PrintedOrders['line']>[0]) {
    const id = idOf(orderId)
    if (orderType !== 'wc' || id === undefined) {
      throw new ProviderRefused(
        'Only orders of the shop have an address that the print provider can send to.',
      )
    }
    const item = itemId > 0 ? await lineItem(id, itemId) : undefined
    if (!item) throw new ProviderRefused(`The order ${id} has no item ${itemId}.`)
    const ordered = Number(item.meta.get('_qty') ?? '')
    const { isWhole, pieces, gone } = await refunds(id)
    if (isWhole) throw new ProviderRefused(`The order ${id} was refunded; nothing of it is left to print.`)
    if (gone.includes(itemId))
      throw new ProviderRefused(`The item ${itemId} was refunded; nothing of it is left to print.`)
    const refunded = pieces.get(itemId) ?? 0
    const quantity = ordered - refunded
    if (!Number.isSafeInteger(quantity) || quantity < 1 || quantity > maxPieces) {
      throw new ProviderRefused(`The quantity of the item is not a whole number from 1 to ${maxPieces}.`)
    }
    const { variantId, templates } = await variationOf(variation, item.meta)
    const { shipping, billing } = await addressesOf(id)
    return {
      name: item.name,
      quantity,
      retailPrice: priceOf(item.meta.get('_line_total'), ordered),
      variantId,
      placements: placementsOf(templates),
      recipient: recipientOf(shipping, billing),
      refundedItems: gone,
      notes:
        refunded > 0
          ? [`${refunded} of ${ordered} pieces of the item ${itemId} were refunded and are not ordered.`]
          : [],
    } satisfies PrintedLine
  }

  return {
    async line(item) {
      try {
        return await line(item)
      } catch (error) {
        if (!database.dialect.isMissingTable(error)) throw error
        throw new ProviderRefused('This installation has no orders of a shop.')
      }
    },

    async ordered(orderId, order) {
      const changes = await writeMeta(Number(orderId), (limits) => orderMeta(order, limits))
      for (const change of changes) await metaChanged(change)
    },
  }
}

/** A positive id as the CMS stores it; undefined for anything else, including 0. */
function idOf(text: string | null | undefined): number | undefined {
  const id = /^[1-9]\d{0,15}$/.test(text?.trim() ?? '') ? Number(text) : 0
  return Number.isSafeInteger(id) && id > 0 ? id : undefined
}

/** Price of one piece after discounts, without tax. */
function priceOf(total: string | undefined, quantity: number): string | undefined {
  const price = total?.trim() ? Number(total) / quantity : Number.NaN
  return price >= 0 && price < 1e9 ? price.toFixed(2) : undefined
}

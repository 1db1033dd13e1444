// WooCommerce orders for a print provider: reads the item to order and its recipient, and records the provider's order in the meta of
// the shop's order.
import { membersOf } from '../core/foreign.ts'
import type { Database } from '../db/connect.ts'
import { readStoredJson } from '../db/stored-json.ts'
import { fromJson } from '../json/parse.ts'
import {
  type ItemOption,
  mergedOptions,
  type ProviderLine,
  type ProviderOrders,
} from '../print/providers/printful.ts'
import { ProviderRefused } from '../print/providers/provider.ts'
import type { CmsOptions } from '../settings/cms.ts'
import { orderMetaWriter } from './provider-meta-rows.ts'
import { recipientOf } from './provider-recipient.ts'
import { refundsOf } from './refunds.ts'
import { shopRows } from './shop-rows.ts'
import { shopText } from './shop-text.ts'
import type { MetaChange } from './source.ts'
import { storedId } from './tables.ts'

interface Services {
  database: Database
  cms: CmsOptions
  /** Called after commit. */
  metaChanged: (change: MetaChange) => Promise<void>
}

/** Maximum quantity of one item that the provider accepts. */
const maxPieces = 1000
/** States of orders that are never sent to the provider, even by hand. */
const neverSent = ['cancelled', 'failed', 'trash']
const variantKey = 'svc_printful_variant_id'
const templatesKey = 'svc_printful_templates'
const optionsKey = 'svc_printful_options'
const lineKeys = ['_qty', '_line_total', '_variation_id', '_product_id'] as const

/** The orders of one context for print/providers. */
export function providerOrders({ database, cms, metaChanged }: Services): ProviderOrders {
  const { db, t } = database
  const writeMeta = orderMetaWriter(database, cms)
  const refundsIn = refundsOf(database, cms)
  const { addresses, lineItems, postMeta, statusOf } = shopRows(database, cms)

  /** Which of these posts (variations or products) are a product of the provider. */
  async function providerProducts(ids: number[]) {
    const metaOf = await postMeta(ids, [variantKey, templatesKey, optionsKey])
    const posts = ids.flatMap((id) => {
      const variantId = storedId(metaOf(id, variantKey))
      const [templates, options] = [metaOf(id, templatesKey), metaOf(id, optionsKey)]
      return variantId === undefined ? [] : [{ id, variantId, templates, options }]
    })
    return { posts, optionsOf: (id: number) => metaOf(id, optionsKey) }
  }

  /**
   * The product of the provider that a job names by a variation of the shop, or by the provider's variant id. The sold variation is
   * checked first, so that the two kinds of ids are not confused.
   */
  async function variationOf(variation: string, meta: Map<string | null, string>) {
    const namedId = storedId(variation)
    if (namedId === undefined) throw new ProviderRefused('The variation of the job is not an id.')
    const product = storedId(meta.get('_product_id'))
    const sold = [storedId(meta.get('_variation_id')), product].filter((id) => id !== undefined)
    const { posts, optionsOf } = await providerProducts([...new Set([...sold, namedId])])
    const isNamed = ({ id, variantId }: (typeof posts)[number]) => id === namedId || variantId === namedId
    const post =
      posts.find((soldPost) => sold.includes(soldPost.id) && isNamed(soldPost)) ??
      posts.find(({ id }) => id === namedId)
    if (!post) throw new ProviderRefused(`The variation ${namedId} names no variant of the print provider.`)
    // Options of the product apply to its variations, unless a variation overrides them.
    const productOptions = product === undefined ? null : optionsOf(product)
    return { ...post, options: mergedOptions(optionsIn(productOptions), optionsIn(post.options)) }
  }

  /** The item with its recipient, as `ProviderOrders.line` returns it. */
  async function line({ orderId, orderType, itemId, variation }: Parameters<ProviderOrders['line']>[0]) {
    const id = storedId(orderId)
    if (orderType !== 'wc' || id === undefined) {
      throw new ProviderRefused(
        'Only orders of the shop have an address that the print provider can send to.',
      )
    }
    const items = await lineItems([id], lineKeys)
    const item = items.get(itemId)
    if (!item) throw new ProviderRefused(`The order ${id} has no item ${itemId}.`)
    const status = await statusOf(id)
    if (neverSent.includes(status ?? ''))
      throw new ProviderRefused(`The order ${id} is ${status}; it is not sent to the print provider.`)
    const ordered = Number(item.meta.get('_qty') ?? '')
    const { pieces } = (await refundsIn([id]))(id)
    const refundedItems = [...items].flatMap(([lineId, { meta }]) => {
      const refundedPieces = pieces.get(lineId) ?? 0
      return refundedPieces > 0 && refundedPieces >= Number(meta.get('_qty')) ? [lineId] : []
    })
    if (status === 'refunded' || refundedItems.length === items.size)
      throw new ProviderRefused(`The order ${id} was refunded; nothing of it is left to print.`)
    if (refundedItems.includes(itemId))
      throw new ProviderRefused(`The item ${itemId} was refunded; nothing of it is left to print.`)
    const refunded = pieces.get(itemId) ?? 0
    const quantity = ordered - refunded
    if (!Number.isSafeInteger(quantity) || quantity < 1 || quantity > maxPieces) {
      throw new ProviderRefused(`The quantity of the item is not a whole number from 1 to ${maxPieces}.`)
    }
    const { variantId, templates, options } = await variationOf(variation, item.meta)
    const { shipping, billing } = await addresses(id)
    return {
      name: shopText(item.name),
      quantity,
      retailPrice: priceOf(item.meta.get('_line_total'), ordered),
      variantId,
      placements: placementsOf(templates),
      options,
      recipient: recipientOf(shipping, billing),
      goneItems: [...refundedItems, ...(await itemsWithJobs(id)).filter((printed) => !items.has(printed))],
      notes:
        refunded > 0
          ? [`${refunded} of ${ordered} pieces of the item ${itemId} were refunded and are not ordered.`]
          : [],
    } satisfies ProviderLine
  }

  /** Items that were printed for the order, also those that it no longer has. */
  async function itemsWithJobs(orderId: number): Promise<number[]> {
    const rows = await db
      .selectFrom(t.print_job_steps)
      .select('item_id')
      .distinct()
      .where('order_ref', '=', `wc:${orderId}`)
      .execute()
    return rows.map(({ item_id }) => Number(item_id)).filter((id) => id > 0)
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
      const changes = await writeMeta(Number(orderId), order)
      for (const change of changes) await metaChanged(change)
    },
  }
}

/** Price of one piece after discounts, without tax. */
function priceOf(total: string | undefined, quantity: number): string | undefined {
  const price = total?.trim() ? Number(total) / quantity : Number.NaN
  return price >= 0 && price < 1e9 ? price.toFixed(2) : undefined
}

const optionName = /^[A-Za-z0-9_-]{1,64}$/
/** The most values of an option, such as thread colors, and characters of a value. */
const [maxValues, maxValue] = [50, 200]

/**
 * Options that the product needs at the provider, such as `stitch_color`, `thread_colors` and `lifelike`: an object with a value for each, or a
 * list of objects with `id` and `value`, as the provider names them.
 * @throws ProviderRefused when the value cannot be read
 */
function optionsIn(stored: string | null): ItemOption[] {
  const json = readStoredJson(stored, '[]')
  const value: unknown = json === undefined ? undefined : fromJson(json)
  if (typeof value !== 'object' || value === null) throw unreadableOptions()
  const entries: [unknown, unknown][] = Array.isArray(value)
    ? value.map((option) => [membersOf(option).id, membersOf(option).value])
    : Object.entries(value)
  return entries.map(([id, stored]) => {
    const values = [stored].flat()
    const isKnown = values.every(
      (value) =>
        (typeof value === 'string' && value.length <= maxValue) ||
        typeof value === 'boolean' ||
        Number.isFinite(value),
    )
    if (
      typeof id !== 'string' ||
      !optionName.test(id) ||
      !isKnown ||
      values.length > maxValues ||
      values.length === 0
    )
      throw unreadableOptions()
    return { id, value: stored as ItemOption['value'] }
  })
}

const unreadableOptions = () =>
  new ProviderRefused('The options of the variation (svc_printful_options) cannot be read.')

/** Placements are short names such as `front` and `embroidery_chest_left`. */
const placement = /^[A-Za-z0-9_-]{1,64}$/

/**
 * Where on the product each picture is printed, in the order of the variation's templates: a list of objects with a placement,
 * a list of names, or an object with one key per placement.
 * @throws ProviderRefused when the value cannot be read
 */
function placementsOf(stored: string | null): string[] {
  const json = readStoredJson(stored, '[]')
  const value: unknown = json === undefined ? undefined : fromJson(json)
  if (typeof value !== 'object' || value === null) return unreadable()
  return Object.entries(value).map(([key, template]) => {
    const name = nameOf(template) ?? (/^\d+$/.test(key) ? undefined : key)
    return name !== undefined && placement.test(name) ? name : unreadable()
  })
}

function nameOf(template: unknown): string | undefined {
  if (typeof template === 'string' && !/^\d*$/.test(template)) return template
  const { placement, type } = membersOf(template)
  return [placement, type].find((name): name is string => typeof name === 'string' && name !== '')
}

function unreadable(): never {
  throw new ProviderRefused('The templates of the variation cannot be read.')
}

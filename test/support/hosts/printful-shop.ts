// A shop with orders whose items are printed by the provider: rows as WooCommerce and the CMS store them.
import { sql } from 'kysely'
import { phpFromJson } from '../../../src/db/php-json.ts'
import { writePhp } from '../../../src/db/php-value.ts'
import { createShop, row, type Shop, shopOrder, useShop } from '../fixtures/shop.ts'
import { token } from '../peers/printful.ts'
import type { TestHost } from './build.ts'

export interface PrintedOrder {
  id: number
  items: number[]
}

export interface ShopOptions {
  shop?: Shop
  /** As `svc_printful_templates` holds them. */
  templates?: unknown
  /** The text itself in place of what would be serialized. */
  storedTemplates?: string | null
  variant?: string
}

type Values = Record<string, string>

export const shipping: Values = {
  first_name: 'Grace',
  last_name: 'Hopper',
  company: '',
  address_1: '1 Navy Road',
  address_2: 'Floor 2',
  city: 'Arlington',
  state: 'VA',
  postcode: '22201',
  country: 'us',
  phone: '',
}
export const billing: Values = {
  ...shipping,
  first_name: 'Ada',
  last_name: 'Lovelace',
  address_1: '9 Byron Street',
  address_2: '',
  city: 'London',
  state: '',
  postcode: 'E1',
  country: 'GB',
  email: 'ada@shop.example',
  phone: '+44 1',
}

/** Id of the variation that `printfulShop` makes first, as a job names it. */
export async function printfulShop(host: TestHost, options: ShopOptions = {}) {
  const {
    shop = 'posts',
    templates = [{ placement: 'front' }, { placement: 'back' }],
    variant = '4012',
  } = options
  await createShop(host)
  await useShop(host, shop)
  // So that ids of the shop are no ids of the provider, and neither are its orders.
  const variation = await row(host, 'posts', {
    ID: 300,
    post_type: 'product_variation',
    post_date_gmt: '2026-01-01',
  })
  const meta = (post_id: number, meta_key: string, meta_value: string) =>
    row(host, 'postmeta', { post_id, meta_key, meta_value })
  await meta(variation, 'svc_printful_variant_id', variant)
  const stored =
    options.storedTemplates === undefined ? writePhp(phpFromJson(templates)) : options.storedTemplates
  if (stored !== null) await meta(variation, 'svc_printful_templates', stored)

  return {
    variation,

    async setToken(value: string = token): Promise<void> {
      await host.db.deleteFrom(host.t.options).where('option_name', '=', 'svc_printful_api_key').execute()
      const values = { option_name: 'svc_printful_api_key', option_value: value, autoload: 'yes' }
      await host.db.insertInto(host.t.options).values(values).execute()
    },

    /** An order of so many items, each with what its meta rows should say in place of the usual. */
    async order(
      items: Values[] = [{}],
      addresses: { shipping?: Values; billing?: Values } = { shipping, billing },
    ): Promise<PrintedOrder> {
      const order = await shopOrder(host, shop, {
        items: items.map((given, i) => ({
          name: `Shirt ${i + 1}`,
          meta: Object.entries({
            _product_id: '12',
            _variation_id: String(variation),
            _qty: '2',
            _line_total: '39.8',
            ...given,
          }),
        })),
      })
      for (const kind of ['shipping', 'billing'] as const) {
        const address = addresses[kind] ?? {}
        if (shop === 'tables') {
          await host.connection.db
            .withTables<{ wp_wc_order_addresses: Record<string, string | number> }>()
            .deleteFrom('wp_wc_order_addresses')
            .where('order_id', '=', order.id)
            .where('address_type', '=', kind)
            .execute()
          await row(host, 'wc_order_addresses', { order_id: order.id, address_type: kind, ...address })
        } else {
          await host.connection.db
            .withTables<{ wp_postmeta: Record<string, string | number> }>()
            .deleteFrom('wp_postmeta')
            .where('post_id', '=', order.id)
            .where('meta_key', 'like', `_${kind}_%`)
            .execute()
          for (const [key, value] of Object.entries(address)) await meta(order.id, `_${kind}_${key}`, value)
        }
      }
      return order
    },

    /** A refund as WooCommerce stores it; returns its id. @param pieces of each item */
    async refund(order: PrintedOrder, pieces: number[], status = 'wc-completed'): Promise<number> {
      const { id } = await shopOrder(host, shop, {
        type: 'shop_order_refund',
        status,
        items: pieces.map((count, at) => ({
          name: `Shirt ${at + 1}`,
          meta: Object.entries({
            _product_id: '12',
            _variation_id: String(variation),
            _qty: String(-count),
            _line_total: String(-19.9 * count),
            _refunded_item_id: String(order.items[at]),
          }),
        })),
      })
      const parent =
        shop === 'tables'
          ? sql`update wp_wc_orders set parent_order_id = ${order.id} where id = ${id}`
          : sql`update wp_posts set post_parent = ${order.id} where ID = ${id}`
      await parent.execute(host.db)
      return id
    },

    /** Values under a key in the meta of an order, oldest first. */
    async meta(orderId: number, key: string): Promise<string[]> {
      const [table, owner, id] =
        shop === 'tables'
          ? (['wp_wc_orders_meta', 'order_id', 'id'] as const)
          : (['wp_postmeta', 'post_id', 'meta_id'] as const)
      const rows = await host.connection.db
        .withTables<Record<'wp_wc_orders_meta' | 'wp_postmeta', Record<string, string | number>>>()
        .selectFrom(table)
        .select('meta_value')
        .where(owner, '=', orderId)
        .where('meta_key', '=', key)
        .orderBy(id)
        .execute()
      return rows.map(({ meta_value }) => String(meta_value))
    },
  }
}

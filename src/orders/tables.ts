// The tables of the shop and form plugins from which orders are read, and how their values are stored. They belong to those plugins, so
// this API never creates them.
import type { Generated, Kysely } from 'kysely'
import type { Database } from '../db/connect.ts'
import { type Encoder, encoderOf } from '../db/encoder.ts'
import { inspect } from '../db/inspect.ts'
import type { Tables } from '../db/tables.ts'
import type { CmsOptions } from '../settings/cms.ts'

type Stored = string | null

/** The parts of an address; the meta keys of a post prefix them, as in `_shipping_city`. */
export const addressColumns = [
  'first_name',
  'last_name',
  'company',
  'address_1',
  'address_2',
  'city',
  'state',
  'postcode',
  'country',
  'email',
  'phone',
] as const
/** An address as the shop stores it. */
export type Address = Partial<Record<(typeof addressColumns)[number], Stored>>

type Meta = { meta_key: Stored; meta_value: Stored }

/** The columns that this API reads or writes, by the name of the table without its prefix. */
export type ForeignTables = {
  woocommerce_order_items: {
    order_item_id: number
    order_item_name: string
    order_item_type: string
    order_id: number
  }
  woocommerce_order_itemmeta: Meta & { meta_id: Generated<number>; order_item_id: number }
  wc_orders: {
    id: number
    status: Stored
    type: Stored
    billing_email: Stored
    date_created_gmt: Stored
    date_updated_gmt: Stored
    parent_order_id: number | null
    currency: Stored
    total_amount: Stored
    customer_note: Stored
  }
  wc_order_addresses: { order_id: number; address_type: Stored } & Required<Address>
  wc_orders_meta: Meta & { id: Generated<number>; order_id: number }
  posts: {
    ID: number
    post_type: string
    post_status: string
    post_date_gmt: Stored
    post_parent: number
    post_excerpt: Stored
  }
  postmeta: Meta & { meta_id: Generated<number>; post_id: number }
  woocommerce_attribute_taxonomies: { attribute_name: string; attribute_label: Stored }
  terms: { term_id: number; name: string; slug: string }
  term_taxonomy: { term_id: number; taxonomy: string }
  gf_entry: { id: number; form_id: number; date_created: Stored; status: Stored; payment_status: Stored }
  gf_entry_meta: Meta & {
    id: Generated<number>
    form_id: number
    entry_id: number
    item_index: Generated<Stored>
  }
  gf_entry_notes: { id: Generated<number>; entry_id: number }
  comments: { comment_ID: Generated<number>; comment_post_ID: number }
  gf_form_meta: { form_id: number; display_meta: Stored }
}

/** Kysely typed for these tables too, with their physical names. */
export function foreignTables({ db, prefix }: Pick<Database, 'db' | 'prefix'>) {
  const names = <N extends keyof ForeignTables>(name: N) => `${prefix}${name}` as N
  return {
    db: typed(db),
    /** Types a transaction the same way. */
    typed,
    f: {
      items: names('woocommerce_order_items'),
      itemMeta: names('woocommerce_order_itemmeta'),
      orders: names('wc_orders'),
      addresses: names('wc_order_addresses'),
      orderMeta: names('wc_orders_meta'),
      posts: names('posts'),
      postMeta: names('postmeta'),
      attributes: names('woocommerce_attribute_taxonomies'),
      terms: names('terms'),
      termTaxonomy: names('term_taxonomy'),
      entries: names('gf_entry'),
      entryMeta: names('gf_entry_meta'),
      entryNotes: names('gf_entry_notes'),
      comments: names('comments'),
      formMeta: names('gf_form_meta'),
    },
  }
}

const typed = (db: Kysely<Tables>) => db.withTables<ForeignTables>()

/** Whether a shop stores its orders in the tables for orders, otherwise in posts; and whether it stores a copy in the other place. */
export async function orderStorage(cms: CmsOptions) {
  const inTables = 'woocommerce_custom_orders_table_enabled'
  const synchronized = 'woocommerce_custom_orders_table_data_sync_enabled'
  const stored = await cms.getMany([inTables, synchronized])
  return {
    isInTables: stored.get(inTables) === 'yes',
    isSynchronized: stored.get(synchronized) === 'yes',
  }
}

/**
 * Returns a function that resolves to the encoder of a table of a plugin, by its physical name. The table is inspected at its first
 * write, because a plugin may be installed while the server runs.
 */
export function foreignEncoder({ dialect, maxPacket }: Pick<Database, 'dialect' | 'maxPacket'>) {
  const cache = new Map<string, Encoder<string>>()
  return async (executor: Kysely<Tables>, table: string): Promise<Encoder<string>> => {
    const cached = cache.get(table)
    if (cached) return cached
    const inspection = await inspect<string>(executor, dialect, { [table]: table })
    const encoder = encoderOf(inspection, maxPacket)
    if (inspection.tables.has(table)) cache.set(table, encoder)
    return encoder
  }
}

/** A date and time in UTC as the CMS stores it, such as `2026-04-29 10:11:12`. @param seconds Unix seconds */
export const storedTime = (seconds: number) =>
  new Date(seconds * 1000).toISOString().slice(0, 19).replace('T', ' ')

/** A positive id as the CMS stores it; undefined for anything else, including 0. */
export function storedId(text: string | null | undefined): number | undefined {
  const id = /^[1-9]\d{0,15}$/.test(text?.trim() ?? '') ? Number(text) : 0
  return Number.isSafeInteger(id) && id > 0 ? id : undefined
}

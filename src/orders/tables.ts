// The tables of the shop and form plugins from which orders are read. They belong to those plugins, so this API never creates them.
import { type Generated, type Kysely, type SqlBool, sql } from 'kysely'
import { SvcError } from '../core/errors.ts'
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

/** Characters of a field that are read: the CMS stores names and addresses in any length. */
const maxField = 1000

/** SQL of a column with a text of a customer, cut after `maxField` characters. */
export const shortText = (column: string) =>
  sql<string | null>`substr(${sql.ref(column)}, 1, ${sql.lit(maxField)})`

/** Runs a query on tables that may not exist. @throws SvcError 400 when they do not */
export async function ifPresent<T>({ dialect }: Database, query: () => Promise<T>): Promise<T> {
  try {
    return await query()
  } catch (error) {
    if (dialect.isMissingTable(error)) throw new SvcError('svc_order_type_unavailable')
    throw error
  }
}

/** The types of orders whose tables exist. Shortcode orders are in a table of this API. */
async function typesPresent(database: Database): Promise<string[]> {
  const { db, f } = foreignTables(database)
  const queries = {
    wc: db.selectFrom(f.items).select('order_item_id').limit(1),
    gf: db.selectFrom(f.entries).select('id').limit(1),
  }
  const types = ['shortcode']
  for (const [type, query] of Object.entries(queries))
    try {
      await query.execute()
      types.unshift(type)
    } catch (error) {
      if (!database.dialect.isMissingTable(error)) throw error
    }
  return types
}

/** Runs a query on the tables of a type of orders. @throws SvcError 400 that names the types of this installation, if they do not exist */
export const ifTypePresent = <T>(database: Database, type: string, query: () => Promise<T>): Promise<T> =>
  ifPresent(database, query).catch((error: unknown) => nameTypes(database, type, error))

/** Throws an error of `ifPresent` with a message that names the types of this installation; other errors as they are. */
export async function nameTypes(database: Database, type: string, error: unknown): Promise<never> {
  if (!(error instanceof SvcError) || error.code !== 'svc_order_type_unavailable') throw error
  const present = (await typesPresent(database)).join(' or ')
  const plugin = type === 'gf' ? 'Gravity Forms' : 'WooCommerce'
  const message = `This installation has no orders of type ${type}, because the tables of ${plugin} do not exist; send the type ${present}.`
  throw new SvcError('svc_order_type_unavailable', { message })
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

/** SQL: whether a column with a date and time in UTC is at `since` or later, and before `until`, both in Unix seconds. */
export const isWithin = (
  column: string,
  { since, until }: { since?: number | undefined; until?: number | undefined },
) =>
  sql<SqlBool>`${sql.ref(column)} >= ${storedTime(since ?? earliest)} and ${sql.ref(column)} < ${storedTime(until ?? latest)}`

/** The range of a DATETIME column, in Unix seconds. */
const [earliest, latest] = [Date.UTC(1000, 0, 1) / 1000, Date.UTC(9999, 11, 31, 23, 59, 59) / 1000]

function storedTime(seconds: number): string {
  const time = new Date(Math.min(Math.max(seconds, earliest), latest) * 1000)
  return time.toISOString().slice(0, 19).replace('T', ' ')
}

/** Ids for SQL's `in`, with 0, which no row has: an empty list is an error on some engines. */
export const idsOf = (include: number[] | undefined) => [...(include ?? []), 0]

/** A positive id as the CMS stores it; undefined for anything else, including 0. */
export function storedId(text: string | null | undefined): number | undefined {
  const id = /^[1-9]\d{0,15}$/.test(text?.trim() ?? '') ? Number(text) : 0
  return Number.isSafeInteger(id) && id > 0 ? id : undefined
}

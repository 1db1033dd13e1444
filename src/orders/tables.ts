// The tables of the shop and form plugins, as far as orders are read from them. They are theirs: nothing is created here.
import type { Generated, Kysely } from 'kysely'
import { escaped } from '../db/column-limits.ts'
import type { Database } from '../db/connect.ts'
import type { Tables } from '../db/tables.ts'
import { SvcError } from '../errors.ts'

type Text = string | null

type ForeignTables = {
  woocommerce_order_items: {
    order_item_id: number
    order_item_name: string
    order_item_type: string
    order_id: number
  }
  woocommerce_order_itemmeta: {
    meta_id: Generated<number>
    order_item_id: number
    meta_key: Text
    meta_value: Text
  }
  wc_orders: { id: number; status: Text; type: Text; billing_email: Text; date_created_gmt: Text }
  wc_order_addresses: { order_id: number; address_type: Text; first_name: Text; last_name: Text }
  wc_orders_meta: { id: number; order_id: number; meta_key: Text; meta_value: Text }
  posts: { ID: number; post_type: string; post_status: string; post_date_gmt: Text }
  postmeta: { meta_id: number; post_id: number; meta_key: Text; meta_value: Text }
  gf_entry: { id: number; form_id: number; date_created: Text; status: Text }
  gf_entry_meta: {
    id: Generated<number>
    form_id: number
    entry_id: number
    meta_key: Text
    meta_value: Text
  }
  gf_form_meta: { form_id: number; display_meta: Text }
}

/** Kysely typed for these tables too, and their physical names. */
export function foreignTables({ db, prefix }: Pick<Database, 'db' | 'prefix'>) {
  const names = <N extends keyof ForeignTables>(name: N) => `${prefix}${name}` as N
  return {
    db: typed(db),
    /** The same inside a transaction. */
    typed,
    f: {
      items: names('woocommerce_order_items'),
      itemMeta: names('woocommerce_order_itemmeta'),
      orders: names('wc_orders'),
      addresses: names('wc_order_addresses'),
      orderMeta: names('wc_orders_meta'),
      posts: names('posts'),
      postMeta: names('postmeta'),
      entries: names('gf_entry'),
      entryMeta: names('gf_entry_meta'),
      formMeta: names('gf_form_meta'),
    },
  }
}

const typed = (db: Kysely<Tables>) => db.withTables<ForeignTables>()

/** Runs a query on tables that this installation may not have. @throws SvcError 400 when it has not */
export async function ifPresent<T>({ dialect }: Database, query: () => Promise<T>): Promise<T> {
  try {
    return await query()
  } catch (error) {
    if (dialect.isMissingTable(error)) throw new SvcError('svc_order_type_unavailable')
    throw error
  }
}

/** JSON text for a table whose charset is not ours to know: letters beyond three bytes are escaped. */
export function foreignJson({ columns }: Database, value: unknown): string {
  return escaped(columns.json('orders', 'views', 'order', value), /[\ud800-\udfff]/g)
}

/** For `in`: an empty list is an error on some engines, and nothing has the id 0. */
export const idsOf = (include: number[] | undefined) => [...(include ?? []), 0]

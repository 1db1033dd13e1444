// The order tables as WooCommerce 9 and Gravity Forms 2.9 create them, on either engine, and rows in them.
import { CompiledQuery, sql } from 'kysely'
import type { TestHost } from './build.ts'

/** Column lists in MySQL syntax; SQLite gets the same without MySQL-only parts. */
const tables = {
  posts: `ID bigint(20) unsigned NOT NULL AUTO_INCREMENT, post_author bigint(20) unsigned NOT NULL DEFAULT 0,
    post_date datetime NOT NULL DEFAULT '0000-00-00 00:00:00', post_date_gmt datetime NOT NULL DEFAULT '0000-00-00 00:00:00',
    post_title text NOT NULL DEFAULT (''), post_excerpt text NOT NULL DEFAULT (''), post_status varchar(20) NOT NULL DEFAULT 'publish',
    post_parent bigint(20) unsigned NOT NULL DEFAULT 0, post_type varchar(20) NOT NULL DEFAULT 'post', PRIMARY KEY (ID)`,
  postmeta: `meta_id bigint(20) unsigned NOT NULL AUTO_INCREMENT, post_id bigint(20) unsigned NOT NULL DEFAULT 0,
    meta_key varchar(255) DEFAULT NULL, meta_value longtext, PRIMARY KEY (meta_id)`,
  woocommerce_order_items: `order_item_id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT, order_item_name TEXT NOT NULL,
    order_item_type varchar(200) NOT NULL DEFAULT '', order_id BIGINT UNSIGNED NOT NULL, PRIMARY KEY (order_item_id)`,
  woocommerce_order_itemmeta: `meta_id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT, order_item_id BIGINT UNSIGNED NOT NULL,
    meta_key varchar(255) default NULL, meta_value longtext NULL, PRIMARY KEY (meta_id)`,
  wc_orders: `id bigint(20) unsigned, status varchar(20) null, currency varchar(10) null, type varchar(20) null,
    tax_amount decimal(26,8) null, total_amount decimal(26,8) null, customer_id bigint(20) unsigned null,
    billing_email varchar(320) null, date_created_gmt datetime null, date_updated_gmt datetime null,
    parent_order_id bigint(20) unsigned null, payment_method varchar(100) null, payment_method_title text null,
    transaction_id varchar(100) null, ip_address varchar(100) null, user_agent text null, customer_note text null,
    PRIMARY KEY (id)`,
  wc_order_addresses: `id bigint(20) unsigned not null AUTO_INCREMENT, order_id bigint(20) unsigned NOT NULL,
    address_type varchar(20) null, first_name text null, last_name text null, company text null, address_1 text null,
    address_2 text null, city text null, state text null, postcode text null, country text null, email varchar(320) null,
    phone varchar(100) null, PRIMARY KEY (id), UNIQUE (address_type, order_id)`,
  wc_orders_meta: `id bigint(20) unsigned not null AUTO_INCREMENT, order_id bigint(20) unsigned null,
    meta_key varchar(255), meta_value text null, PRIMARY KEY (id)`,
  gf_form: `id mediumint(10) unsigned not null auto_increment, title varchar(150) not null, date_created datetime not null,
    date_updated datetime, is_active tinyint(10) not null default 1, is_trash tinyint(10) not null default 0, PRIMARY KEY (id)`,
  gf_form_meta: `form_id mediumint(10) unsigned not null, display_meta longtext, entries_grid_meta longtext,
    confirmations longtext, notifications longtext, PRIMARY KEY (form_id)`,
  gf_entry: `id int(10) unsigned not null auto_increment, form_id mediumint(10) unsigned not null, post_id bigint(10) unsigned,
    date_created datetime not null, date_updated datetime, is_starred tinyint(10) not null default 0,
    is_read tinyint(10) not null default 0, ip varchar(39) not null default '', source_url varchar(200) not null default '',
    user_agent varchar(250) not null default '', currency varchar(5), payment_status varchar(15), payment_date datetime,
    payment_amount decimal(19,2), payment_method varchar(30), transaction_id varchar(50), is_fulfilled tinyint(10),
    created_by bigint(10) unsigned, transaction_type tinyint(10), status varchar(20) not null default 'active',
    source_id bigint(10) unsigned, PRIMARY KEY (id)`,
  gf_entry_meta: `id bigint(20) unsigned not null auto_increment, form_id mediumint(10) unsigned not null default 0,
    entry_id bigint(20) unsigned not null, meta_key varchar(255) default null, meta_value longtext,
    item_index varchar(60) default null, PRIMARY KEY (id)`,
}

type ShopTable = keyof typeof tables

/** Creates the tables, by default those of the shop and the form plugin. */
export async function createShop(
  { connection, engine }: TestHost,
  names: readonly ShopTable[] = Object.keys(tables) as ShopTable[],
): Promise<void> {
  await connection.db.connection().execute(async (db) => {
    const run = (text: string) => db.executeQuery(CompiledQuery.raw(text))
    // As the CMS does in its sessions: a strict one may not create tables with zero dates.
    if (engine !== 'SQLite') await run("set @svc_mode = @@sql_mode, sql_mode = ''")
    for (const name of names)
      await run(
        engine === 'SQLite'
          ? `create table wp_${name} (${inSqlite(tables[name])})`
          : `create table wp_${name} (${tables[name]}) default charset=utf8mb4`,
      )
    if (engine !== 'SQLite') await run('set sql_mode = @svc_mode')
  })
}

const inSqlite = (columns: string) =>
  columns
    .replace(/^(\w+) [^,]*auto_increment/i, '$1 integer primary key autoincrement')
    .replace(
      /integer primary key autoincrement(.*), PRIMARY KEY \(\w+\)/s,
      'integer primary key autoincrement$1',
    )
    .replaceAll(' unsigned', '')

/** Writes a row and returns its id. */
export async function row(
  { connection: { db } }: TestHost,
  table: ShopTable,
  values: Record<string, unknown>,
) {
  const columns = sql.join(Object.keys(values).map((name) => sql.ref(name)))
  const list = sql.join(Object.values(values))
  const { insertId } =
    await sql`insert into ${sql.table(`wp_${table}`)} (${columns}) values (${list})`.execute(db)
  return Number(insertId)
}

/** Where orders live in the shop: classic posts, or tables of their own. */
export type Shop = 'posts' | 'tables'

interface ShopOrder {
  status?: string
  type?: string
  created?: string
  first?: string
  last?: string
  mail?: string
  number?: string
  /** Line items with their meta rows in order. */
  items?: { name?: string; type?: string; meta?: [key: string, value: string][] }[]
}

/** An order with its items; returns its id and theirs. */
export async function shopOrder(
  host: TestHost,
  shop: Shop,
  order: ShopOrder,
): Promise<{ id: number; items: number[] }> {
  const { status = 'wc-processing', type = 'shop_order', created = '2026-04-29 10:11:12', ...rest } = order
  const { first = 'Ada', last = 'Lovelace', mail = 'ada@shop.example', number, items: lines = [] } = rest
  const post = shop === 'posts' ? [type, status] : ['shop_order_placehold', 'draft']
  const id = await row(host, 'posts', { post_type: post[0], post_status: post[1], post_date_gmt: created })
  if (shop === 'posts') {
    const meta = {
      _billing_first_name: first,
      _billing_last_name: last,
      _billing_email: mail,
      ...(number && { _order_number: number }),
    }
    for (const [meta_key, meta_value] of Object.entries(meta))
      await row(host, 'postmeta', { post_id: id, meta_key, meta_value })
  } else {
    await row(host, 'wc_orders', { id, status, type, billing_email: mail, date_created_gmt: created })
    for (const address_type of ['billing', 'shipping']) {
      const name =
        address_type === 'billing'
          ? { first_name: first, last_name: last }
          : { first_name: 'Other', last_name: 'Person' }
      await row(host, 'wc_order_addresses', { order_id: id, address_type, ...name })
    }
    if (number)
      await row(host, 'wc_orders_meta', { order_id: id, meta_key: '_order_number', meta_value: number })
  }
  const items: number[] = []
  for (const { name = 'Shirt', type: order_item_type = 'line_item', meta = [] } of lines) {
    const item = await row(host, 'woocommerce_order_items', {
      order_item_name: name,
      order_item_type,
      order_id: id,
    })
    items.push(item)
    for (const [meta_key, meta_value] of meta)
      await row(host, 'woocommerce_order_itemmeta', { order_item_id: item, meta_key, meta_value })
  }
  return { id, items }
}

/** Makes the shop store its orders in separate tables, or in posts. */
export async function useShop(host: TestHost, shop: Shop): Promise<void> {
  const values = {
    option_name: 'woocommerce_custom_orders_table_enabled',
    option_value: shop === 'tables' ? 'yes' : 'no',
    autoload: 'yes',
  }
  await host.db.insertInto(host.t.options).values(values).execute()
}

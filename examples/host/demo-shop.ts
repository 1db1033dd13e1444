// The tables of a shop and of forms with a few orders, in the host's own SQLite file: there no such plugin writes them.
import { randomUUID } from 'node:crypto'
import { DatabaseSync } from 'node:sqlite'
import { type DemoOrder, formOrders, orderedViews, productOf, shopOrders } from './demo-orders.ts'

interface Shop {
  /** Path of the SQLite file. */
  file: string
  tablePrefix: string
  /** Address of the folder with the pictures. */
  address: string
}

/** The columns that are read of them. */
const tables = {
  posts:
    'ID integer primary key autoincrement, post_type text, post_status text, post_date_gmt text, post_parent integer default 0',
  postmeta: 'meta_id integer primary key autoincrement, post_id integer, meta_key text, meta_value text',
  woocommerce_order_items:
    'order_item_id integer primary key autoincrement, order_item_name text, order_item_type text, order_id integer',
  woocommerce_order_itemmeta:
    'meta_id integer primary key autoincrement, order_item_id integer, meta_key text, meta_value text',
  gf_form_meta: 'form_id integer primary key, display_meta text',
  gf_entry: 'id integer primary key autoincrement, form_id integer, date_created text, status text',
  gf_entry_meta:
    'id integer primary key autoincrement, form_id integer, entry_id integer, meta_key text, meta_value text, item_index text',
}

/** Fields of the form: a name in two parts, a mail address, the design. */
const form = {
  fields: [
    { id: 1, type: 'name', inputs: [{ id: '1.3' }, { id: '1.6' }] },
    { id: 2, type: 'email' },
    { id: 3, type: 'textarea', cssClass: 'svc-order' },
  ],
}

/** @returns the id and the item of the newest order, or undefined if the file has such tables already */
export function addShop({ file, tablePrefix, address }: Shop): { order: number; item: number } | undefined {
  const db = new DatabaseSync(file, { timeout: 5000 })
  const table = (name: string) => `"${tablePrefix}${name}"`
  const insert = (name: string, values: Record<string, string | number>): number => {
    const names = Object.keys(values)
    const text = `insert into ${table(name)} (${names.join()}) values (${names.map(() => '?').join()})`
    return Number(db.prepare(text).run(...Object.values(values)).lastInsertRowid)
  }
  const design = (order: DemoOrder) => JSON.stringify({ product: orderedViews(order, address) })

  function addOrder(order: DemoOrder, created: string): { order: number; item: number } {
    const { name, mail, state = 'processing', quantity = 1, product } = order
    const id = insert('posts', {
      post_type: 'shop_order',
      post_status: `wc-${state}`,
      post_date_gmt: created,
    })
    const [first = '', last = ''] = name.split(' ')
    const address = { first_name: first, last_name: last, address_1: '1 Example Street', city: 'Exampleton' }
    const meta = Object.entries({ ...address, postcode: '12345', country: 'DE', email: mail })
    for (const kind of ['billing', 'shipping'])
      for (const [key, value] of meta)
        insert('postmeta', { post_id: id, meta_key: `_${kind}_${key}`, meta_value: value })
    const item = insert('woocommerce_order_items', {
      ...{ order_item_name: product, order_item_type: 'line_item', order_id: id },
    })
    const total = (productOf(order).price * quantity).toFixed(2)
    const lines = { _qty: String(quantity), _line_total: total, _svc_data: design(order) }
    for (const [key, value] of Object.entries(lines))
      insert('woocommerce_order_itemmeta', { order_item_id: item, meta_key: key, meta_value: value })
    return { order: id, item }
  }

  function addEntry(order: DemoOrder, created: string): void {
    const entry = insert('gf_entry', { form_id: 1, date_created: created, status: 'active' })
    const [first = '', last = ''] = order.name.split(' ')
    const fields = { '1.3': first, '1.6': last, '2': order.mail, '3': design(order) }
    for (const [key, value] of Object.entries(fields))
      insert('gf_entry_meta', {
        ...{ form_id: 1, entry_id: entry, meta_key: key, meta_value: value, item_index: '' },
      })
  }

  try {
    const known = db.prepare("select 1 from sqlite_schema where type = 'table' and name = ?")
    if (Object.keys(tables).some((name) => known.get(`${tablePrefix}${name}`))) return undefined
    db.exec('begin immediate')
    for (const [name, columns] of Object.entries(tables)) db.exec(`create table ${table(name)} (${columns})`)
    // Numbers that look like those of a shop with some history.
    db.prepare('insert into sqlite_sequence (name, seq) values (?, 1040)').run(`${tablePrefix}posts`)
    insert('gf_form_meta', { form_id: 1, display_meta: JSON.stringify(form) })
    const ids = shopOrders.map((order, index) => addOrder(order, hoursAgo((shopOrders.length - index) * 7)))
    for (const [index, order] of formOrders.entries())
      addEntry(order, hoursAgo((formOrders.length - index) * 9))
    const [oldest, newest] = [ids.at(0), ids.at(-1)]
    // A job that waits for a file from elsewhere.
    const details = { order_id: oldest?.order, order_type: 'wc', item_id: oldest?.item }
    insert('svc_print_jobs', { guid: randomUUID(), details: JSON.stringify(details), status: 'pending' })
    db.exec('commit')
    return newest
  } finally {
    db.close()
  }
}

/** As `2027-01-31 10:11:12`, in UTC. */
const hoursAgo = (hours: number) =>
  new Date(Date.now() - hours * 3_600_000).toISOString().slice(0, 19).replace('T', ' ')

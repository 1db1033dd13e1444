// The tables of a shop and of forms with a few orders, in the host's own database: there no such plugin writes them.
import type { CmsTableName } from './create-tables.ts'
import { type DemoOrder, formOrders, orderedViews, productOf, shopOrders } from './demo-orders.ts'
import { openShop, type ShopDatabase } from './shop-database.ts'

interface Shop {
  /** URL of the database. */
  database: string
  tablePrefix: string
  /** Address of the folder with the pictures. */
  address: string
}

const tables: CmsTableName[] = [
  ...(['posts', 'postmeta', 'woocommerce_order_items', 'woocommerce_order_itemmeta'] as const),
  ...(['gf_form_meta', 'gf_entry', 'gf_entry_meta'] as const),
]

/** Fields of the form: a name in two parts, a mail address, the design. */
const form = {
  fields: [
    { id: 1, type: 'name', inputs: [{ id: '1.3' }, { id: '1.6' }] },
    { id: 2, type: 'email' },
    { id: 3, type: 'textarea', cssClass: 'svc-order' },
  ],
}

/** A number that looks like one of a shop with some history. */
const firstOrder = 1041

/** @returns the id and the item of the newest order, or undefined if the database has such tables already */
export async function addShop({
  database,
  tablePrefix,
  address,
}: Shop): Promise<{ order: number; item: number } | undefined> {
  const shop = await openShop(database, tablePrefix)
  try {
    if (await shop.hasAny(tables)) return undefined
    await shop.create(tables)
    await shop.insert('gf_form_meta', { form_id: 1, display_meta: JSON.stringify(form) })
    let newest: { order: number; item: number } | undefined
    for (const [index, order] of shopOrders.entries()) {
      const created = hoursAgo((shopOrders.length - index) * 7)
      newest = await addOrder(shop, order, {
        id: firstOrder + index,
        created,
        design: designOf(order, address),
      })
    }
    for (const [index, order] of formOrders.entries())
      await addEntry(shop, order, hoursAgo((formOrders.length - index) * 9), designOf(order, address))
    await shop.commit()
    return newest
  } finally {
    await shop.close()
  }
}

async function addOrder(
  shop: ShopDatabase,
  order: DemoOrder,
  { id, created, design }: { id: number; created: string; design: string },
): Promise<{ order: number; item: number }> {
  const { name, mail, state = 'processing', quantity = 1, product, note = '' } = order
  await shop.insert('posts', {
    ID: id,
    post_type: 'shop_order',
    post_status: `wc-${state}`,
    post_date: created,
    post_date_gmt: created,
    post_excerpt: note,
  })
  const total = (productOf(order).price * quantity).toFixed(2)
  const [first = '', last = ''] = name.split(' ')
  const address = { first_name: first, last_name: last, address_1: '1 Example Street', city: 'Exampleton' }
  const lines = { ...address, postcode: '12345', country: 'DE', email: mail }
  const meta = {
    _order_currency: 'EUR',
    _order_total: total,
    ...keyed('billing', lines),
    ...keyed('shipping', lines),
  }
  await shop.insert(
    'postmeta',
    ...Object.entries(meta).map(([meta_key, meta_value]) => ({ post_id: id, meta_key, meta_value })),
  )
  const item = await shop.insert('woocommerce_order_items', {
    order_item_name: product,
    order_item_type: 'line_item',
    order_id: id,
  })
  await shop.insert(
    'woocommerce_order_itemmeta',
    ...Object.entries({ _qty: String(quantity), _line_total: total, _svc_data: design }).map(
      ([meta_key, meta_value]) => ({ order_item_id: item, meta_key, meta_value }),
    ),
  )
  return { order: id, item }
}

/** An address as meta of a post. */
const keyed = (kind: string, address: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(address).map(([key, value]) => [`_${kind}_${key}`, value]))

async function addEntry(
  shop: ShopDatabase,
  order: DemoOrder,
  created: string,
  design: string,
): Promise<void> {
  const entry = await shop.insert('gf_entry', { form_id: 1, date_created: created, status: 'active' })
  const [first = '', last = ''] = order.name.split(' ')
  await shop.insert(
    'gf_entry_meta',
    ...Object.entries({ '1.3': first, '1.6': last, '2': order.mail, '3': design }).map(
      ([meta_key, meta_value]) => ({ form_id: 1, entry_id: entry, meta_key, meta_value, item_index: '' }),
    ),
  )
}

const designOf = (order: DemoOrder, address: string) =>
  JSON.stringify({ product: orderedViews(order, address) })

/** As `2027-01-31 10:11:12`, in UTC. */
const hoursAgo = (hours: number) =>
  new Date(Date.now() - hours * 3_600_000).toISOString().slice(0, 19).replace('T', ' ')

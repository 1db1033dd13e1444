// Designs and meta in tables of the shop and of forms whose charsets are not that of our own tables.
import { sql } from 'kysely'
import { createPool } from 'mysql2'
import t, { type Test } from 'tap'
import { createShop, row, shopOrder } from '../../support/fixtures/shop.ts'
import { build, freshAddress, onEachEngine, type TestHost } from '../../support/hosts/build.ts'
import { printHost } from '../../support/hosts/print.ts'
import { printfulShop } from '../../support/hosts/printful-shop.ts'
import { printful } from '../../support/peers/printful.ts'
import { php } from '../../support/wordpress/php.ts'

const text = '日本 Ж € 🖌 é “x” \u0081 ÿ'
const order = { product: [{ title: text, [text]: 1 }] }
const charsets = ['latin1', 'utf8mb3', 'utf8mb4', 'ascii', 'cp1251'] as const
type Charset = (typeof charsets)[number]

const convert = (host: TestHost, table: string, charset: Charset) =>
  sql`alter table ${sql.table(table)} convert to character set ${sql.raw(charset)}`.execute(host.db)

/** Form 3 with a field for designs; the id of an entry without one. */
async function entry(host: TestHost): Promise<number> {
  const fields = [{ id: 7, type: 'textarea', cssClass: 'svc-order' }]
  await row(host, 'gf_form_meta', { form_id: 3, display_meta: JSON.stringify({ fields }) })
  return row(host, 'gf_entry', { form_id: 3, date_created: '2026-01-02 03:04:05' })
}

/** Without the strict mode, the server replaces what a column cannot store, and does not say so. */
async function lenientPool(t: Test, address: string) {
  const pool = createPool({ uri: address, charset: 'utf8mb4' })
  t.teardown(() => pool.promise().end())
  pool.on('connection', (connection) => connection.query("set session sql_mode = ''"))
  return pool
}

async function lenientHost(t: Test): Promise<TestHost> {
  const address = await freshAddress(t, 'MariaDB')
  const made = await build(t, { engine: 'MariaDB', address, database: await lenientPool(t, address) })
  await createShop(made)
  return made
}

for (const charset of charsets) {
  t.test(`a design in columns of ${charset} is read as it was sent, by PHP as well`, async (t) => {
    const made = await lenientHost(t)
    await convert(made, 'wp_woocommerce_order_itemmeta', charset)
    await convert(made, 'wp_gf_entry_meta', charset)
    const shop = await shopOrder(made, 'posts', { items: [{ meta: [['_svc_data', '{"old":1}']] }, {}] })
    for (const item_id of shop.items) {
      const { status, body } = await made.call('PATCH', `/orders/${shop.id}`, { item_id, order })
      t.strictSame([status, body.data?.items?.at(-1)?.product], [200, order.product])
    }
    const id = await entry(made)
    for (let time = 0; time < 2; time++) {
      const { status, body } = await made.call('PATCH', `/orders/${id}`, { type: 'gf', order })
      t.strictSame([status, body.data?.items?.[0]?.product], [200, order.product])
    }
    const { rows } = await sql<{ v: string }>`select meta_value as v from wp_woocommerce_order_itemmeta
      union all select meta_value from wp_gf_entry_meta`.execute(made.db)
    t.equal(rows.length, 3)
    for (const { v } of rows) {
      t.strictSame(JSON.parse(v), order)
      const same = await php(
        'echo json_encode(json_decode(stream_get_contents(STDIN)), JSON_UNESCAPED_UNICODE);',
        v,
      )
      t.strictSame(JSON.parse(same), order)
      t.equal(v.includes('\\u'), charset !== 'utf8mb4')
    }
  })
}

t.test('a design in columns of utf8mb4 is not escaped where our own table has latin1', async (t) => {
  const made = await lenientHost(t)
  await sql`alter table wp_svc_orders convert to character set latin1`.execute(made.db)
  const database = await lenientPool(t, made.address)
  const again = await build(t, { engine: 'MariaDB', address: made.address, database })
  const shop = await shopOrder(made, 'posts', { items: [{}] })
  const { status } = await again.call('PATCH', `/orders/${shop.id}`, { item_id: shop.items[0], order })
  const { rows } = await sql<{
    v: string
  }>`select meta_value as v from wp_woocommerce_order_itemmeta`.execute(made.db)
  t.strictSame([status, rows[0]?.v], [200, JSON.stringify(order)])
})

t.test(
  'a new design of an entry is one for the form plugin, too, whose rows have an item_index',
  async (t) => {
    await onEachEngine(t, async (t, engine) => {
      const made = await build(t, { engine })
      await createShop(made)
      const id = await entry(made)
      t.equal((await made.call('PATCH', `/orders/${id}`, { type: 'gf', order })).status, 200)
      const { rows } = await sql`select item_index as i from wp_gf_entry_meta`.execute(made.db)
      t.strictSame(
        rows.map((one) => ({ ...Object(one) })),
        [{ i: '' }],
      )
    })
  },
)

t.test('its early releases have no such column', async (t) => {
  await onEachEngine(t, async (t, engine) => {
    const made = await build(t, { engine })
    await createShop(made)
    await sql`alter table wp_gf_entry_meta drop column item_index`.execute(made.db)
    const id = await entry(made)
    t.equal((await made.call('PATCH', `/orders/${id}`, { type: 'gf', order })).status, 200)
    t.strictSame((await made.call('GET', `/orders/${id}?type=gf`)).body.data.items[0].product, order.product)
  })
})

for (const charset of charsets) {
  t.test(`what the provider said can be read by PHP from columns of ${charset}`, async (t) => {
    for (const shopKind of ['posts', 'tables'] as const) {
      const remote = await printful(t)
      const address = await freshAddress(t, 'MariaDB')
      const database = await lenientPool(t, address)
      const made = await printHost(t, { engine: 'MariaDB', address, database, printful: { url: remote.url } })
      const shop = await printfulShop(made, { shop: shopKind })
      await shop.setToken()
      for (const table of ['wp_postmeta', 'wp_wc_orders_meta']) await convert(made, table, charset)
      const { id, items } = await shop.order([{}], {
        shipping: { first_name: 'Zoe', address_1: 'Main Street 1', city: 'Wien', country: 'AT' },
      })
      const before = remote.orders
      remote.watch = (_request, done) => {
        for (const one of before.values()) if (!done) one.gift = { subject: text }
      }
      const details = {
        order_id: id,
        item_id: items[0],
        order_type: 'wc',
        variation_printful: shop.variation,
      }
      for (let time = 0; time < 2; time++) {
        const { guid } = await made.newJob(details)
        t.match(await made.notify(guid), { body: { data: { status: 'completed' } } })
      }
      const [stored = ''] = await shop.meta(id, '_svc_printful_order_data')
      const script =
        '$o = unserialize(stream_get_contents(STDIN)); echo json_encode([$o["id"], $o["gift"]["subject"]]);'
      const [order, subject] = JSON.parse(await php(script, stored))
      t.equal(order, remote.orders.get(String(id))?.id)
      t.match(
        subject,
        charset.startsWith('utf8') ? /^日本 Ж € . é/u : charset === 'latin1' ? /^\?\? \? € \? é/ : / /,
      )
    }
  })
}

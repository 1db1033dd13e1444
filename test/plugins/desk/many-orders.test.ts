// The lists and numbers of the desk in a shop with more open orders than one statement reads.
import { sql } from 'kysely'
import t, { type Test } from 'tap'
import { svcDesk } from '../../../plugins/index.ts'
import { databaseOn } from '../../../src/db/connect.ts'
import { ordersOf } from '../../../src/orders/orders.ts'
import { cmsOptions } from '../../../src/settings/cms.ts'
import { createShop, row, useShop } from '../../support/fixtures/shop.ts'
import { build, type Engine, onEachEngine, type TestHost } from '../../support/hosts/build.ts'
import { deskShop } from '../../support/hosts/desk.ts'
import { screenClient } from '../../support/hosts/screen.ts'
import { textElement, viewWith } from '../../support/render/render-shop.ts'

const design = { product: [viewWith(textElement('Ada'))] }
const count = 2300
const newest = count

/** Runs a statement for the numbers from 1 to `count` as `n`. */
const forEach = ({ db }: TestHost, into: string, values: string) =>
  sql`insert into ${sql.raw(into)}
    with recursive digits (d) as (select 0 union all select d + 1 from digits where d < 9),
      numbers (n) as (select 1 + a.d + 10 * b.d + 100 * c.d + 1000 * e.d
        from digits a, digits b, digits c, digits e)
    select ${sql.raw(values)} from numbers where n <= ${count}`.execute(db)

/** Orders with the ids from 1 on, one a minute, each with an item of the same id, the last one the newest. */
async function manyOrders(t: Test, engine: Engine) {
  const shop = await deskShop(t, engine, design, { desk: { authorize: () => 'anna' } })
  const { host } = shop
  await createShop(host).catch(() => {})
  await useShop(host, 'tables')
  for (const table of ['wc_orders', 'woocommerce_order_items', 'woocommerce_order_itemmeta'])
    await sql`delete from ${sql.table(`wp_${table}`)}`.execute(host.db)
  const start = Date.now() - 86_400_000 * 3
  const at = (n: string) =>
    engine === 'SQLite'
      ? `strftime('%Y-%m-%d %H:%M:%S', ${Math.floor(start / 1000)} + 60 * ${n}, 'unixepoch')`
      : `timestampadd(minute, ${n}, '${new Date(start).toISOString().slice(0, 19).replace('T', ' ')}')`
  const status = "case when n % 100 = 50 then 'wc-on-hold' else 'wc-processing' end"
  await forEach(
    host,
    'wp_wc_orders (id, status, type, billing_email, date_created_gmt, date_updated_gmt, currency)',
    `n, ${status}, 'shop_order', 'ada@shop.example', ${at('n')}, ${at('n')}, 'EUR'`,
  )
  await forEach(
    host,
    'wp_woocommerce_order_items (order_item_id, order_item_name, order_item_type, order_id)',
    "n, case when n = 7 then 'Rare mug' else 'Shirt' end, 'line_item', n",
  )
  for (const [key, value] of [
    ['_svc_data', `'${JSON.stringify(design)}'`],
    ['_qty', "'1'"],
  ])
    await forEach(
      host,
      'wp_woocommerce_order_itemmeta (order_item_id, meta_key, meta_value)',
      `n, '${key}', ${value}`,
    )
  // Without statistics the engines join many rows in the wrong order.
  if (engine !== 'SQLite')
    await sql`analyze table wp_wc_orders, wp_woocommerce_order_items, wp_woocommerce_order_itemmeta`.execute(
      host.db,
    )
  const database = await databaseOn(host.connection)
  await ordersOf(database, cmsOptions(database)).fillIndexes()
  return shop
}

t.test('GET /desk/orders?work=to_print: counts, sorts and pages all open orders of a large shop', (t) =>
  onEachEngine(t, async (t, engine) => {
    const { host, client } = await manyOrders(t, engine)
    const paid = count - Math.ceil(count / 100)
    const names = async (query: string) =>
      (await client.get(`orders?work=to_print&${query}`)).texts('.orders .name')
    const page = await client.get('orders?work=to_print&sort=oldest')
    t.match(page.texts('.numbers li')[0], `${paid} to print`)
    t.match(page.texts('main > .remark').join(), `Left out: ${count - paid} on-hold.`)
    t.notMatch(page.texts('main > .remark').join(), 'There are more orders')
    t.match(page.texts('.orders .name').slice(0, 2), ['Shop 1', 'Shop 2'])
    t.same((await names('sort=newest')).slice(0, 1), [`Shop ${newest}`])
    t.same(await names(`sort=newest&at=${paid - 2}`), ['Shop 2', 'Shop 1'])

    await row(host, 'wc_orders_meta', { order_id: 1200, meta_key: '_due_date', meta_value: '2026-01-02' })
    t.same((await names('sort=due')).slice(0, 2), ['Shop 1200', 'Shop 1'])
    t.same(await names('sort=oldest&product=rare'), ['Shop 7'])
    t.same(await names('sort=newest&q=rare%20mug&at=2000'), ['Shop 7'])
  }),
)

t.test(
  'GET /desk/orders?work=to_print: finished orders make room for older ones, refunded ones are left out',
  (t) =>
    onEachEngine(t, async (t, engine) => {
      const { host, client } = await manyOrders(t, engine)
      await forEach(
        host,
        'wp_svc_print_states (order_ref, item_id, state, note, changed_by, changed_at, content)',
        `${engine === 'SQLite' ? "'wc:' || n" : "concat('wc:', n)"}, n, case when n > 10 then 'problem' else 'reprint' end, '', 'anna', 1777777777, ''`,
      )
      await row(host, 'wc_orders', {
        id: 9001,
        type: 'shop_order_refund',
        status: 'wc-completed',
        parent_order_id: 3,
      })
      const item = await row(host, 'woocommerce_order_items', {
        order_item_name: 'Shirt',
        order_item_type: 'line_item',
        order_id: 9001,
      })
      for (const [meta_key, meta_value] of Object.entries({ _refunded_item_id: '3', _qty: '-1' }))
        await row(host, 'woocommerce_order_itemmeta', { order_item_id: item, meta_key, meta_value })
      const page = await client.get('orders?work=to_print&sort=oldest')
      t.same(
        page.texts('.orders .name'),
        [1, 2, 4, 5, 6, 7, 8, 9, 10].map((id) => `Shop ${id}`),
      )
      t.match(page.texts('.numbers li')[0], '9 to print')
      t.match(page.texts('main > .remark').join(), 'Left out: 1 refunded pieces.')
    }),
)

t.test(
  'GET /desk/orders: orders of the website in an installation without tables of a shop and of forms',
  (t) =>
    onEachEngine(t, async (t, engine) => {
      const host = await build(t, {
        engine,
        after: (app) => void app.register(svcDesk, { prefix: '/desk', authorize: () => true }),
      })
      const order = { customer_name: 'Ada', customer_mail: '', views: design.product }
      const { body } = await host.call('POST', '/shortcode-orders', order)
      const client = screenClient(host.app, { prefix: '/desk' })
      for (const address of ['orders', 'orders?work=to_print&sort=due', 'orders?work=changed'])
        t.equal((await client.get(address)).status, 200, address)
      t.same((await client.get('orders?work=to_print')).texts('.orders .name'), [
        `Website order ${body.data.id}`,
      ])
    }),
)

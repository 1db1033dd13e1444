// Orders that were created or changed since an earlier look, as PHP and other writers leave them.
import { sql } from 'kysely'
import t, { type Test } from 'tap'
import { databaseOn } from '../../../src/db/connect.ts'
import { changedOrders } from '../../../src/orders/changed-orders.ts'
import type { OrderType } from '../../../src/orders/source.ts'
import { cmsOptions } from '../../../src/settings/cms.ts'
import { createShop, row, shopOrder, useShop } from '../../support/fixtures/shop.ts'
import { build, onEachEngine, type TestHost } from '../../support/hosts/build.ts'

const meta: [string, string][] = [['_svc_data', '{"product":[]}']]

/** A look that goes on where the last one ended. */
async function looking(host: TestHost, type: OrderType) {
  const database = await databaseOn(host.connection)
  const changes = changedOrders(database, cmsOptions(database), type)
  let cursor: string | undefined
  const look = async () => {
    const found = await changes.look(cursor)
    cursor = found.cursor
    found.done()
    return found.orders.sort((a, b) => a - b)
  }
  t.same(await look(), [], 'the first look finds where to begin')
  return { changes, look, cursor: () => cursor }
}

async function shopHost(t: Test, engine: TestHost['engine'], shop: 'posts' | 'tables') {
  const host = await build(t, { engine })
  await createShop(host)
  await createShop(host, ['gf_entry_notes'])
  await useShop(host, shop)
  return host
}

const utc = (seconds: number) =>
  new Date(Date.now() + 1000 * seconds).toISOString().slice(0, 19).replace('T', ' ')
const save = (host: TestHost, id: number, time: string) =>
  sql`update wp_wc_orders set date_updated_gmt = ${time} where id = ${id}`.execute(host.db)

t.test('changedOrders: saves, new items and refunds of a shop with order tables', (t) =>
  onEachEngine(t, async (t, engine) => {
    const host = await shopHost(t, engine, 'tables')
    const old = await shopOrder(host, 'tables', {})
    await save(host, old.id, utc(-100))
    const { look } = await looking(host, 'wc')
    await look()
    t.same(await look(), [])
    const { id } = await shopOrder(host, 'tables', { items: [{ meta }] })
    t.same(await look(), [id], 'a new design, although the order has no time')
    t.same(await look(), [])
    await save(host, old.id, utc(-60))
    t.same(await look(), [old.id])
    await save(host, id, utc(-90))
    t.same(await look(), [id], 'a transaction that commits late')
    t.same(await look(), [])
    const refund = await shopOrder(host, 'tables', { type: 'shop_order_refund' })
    await sql`update wp_wc_orders set parent_order_id = ${id}, date_updated_gmt = ${utc(-30)} where id = ${refund.id}`.execute(
      host.db,
    )
    t.same(await look(), [id])
    await save(host, old.id, utc(0))
    t.same([await look(), await look()], [[old.id], [old.id]], 'it may be saved again within the same second')
  }),
)

t.test('changedOrders: new orders, meta, items, notes and refunds of a shop with posts', (t) =>
  onEachEngine(t, async (t, engine) => {
    const host = await shopHost(t, engine, 'posts')
    const old = await shopOrder(host, 'posts', { items: [{ meta }] })
    const { look } = await looking(host, 'wc')
    const { id } = await shopOrder(host, 'posts', { items: [{ meta }] })
    t.same(await look(), [id])
    t.same(await look(), [])
    await row(host, 'postmeta', { post_id: old.id, meta_key: '_date_paid', meta_value: '1' })
    t.same(await look(), [old.id])
    await row(host, 'comments', { comment_post_ID: old.id, comment_type: 'order_note' })
    t.same(await look(), [old.id])
    await row(host, 'woocommerce_order_itemmeta', {
      order_item_id: old.items[0],
      meta_key: 'a',
      meta_value: '',
    })
    t.same(await look(), [old.id])
    await row(host, 'posts', { post_type: 'shop_order_refund', post_parent: id })
    t.same(await look(), [id])
    const page = await row(host, 'posts', { post_type: 'page' })
    await row(host, 'postmeta', { post_id: page, meta_key: 'a', meta_value: '' })
    t.same(await look(), [], 'no order')
  }),
)

t.test('changedOrders: entries, fields and notes of forms; shortcode orders', (t) =>
  onEachEngine(t, async (t, engine) => {
    const host = await shopHost(t, engine, 'tables')
    const entry = (values = {}) => row(host, 'gf_entry', { form_id: 1, status: 'active', ...values })
    const first = await entry()
    const { look } = await looking(host, 'gf')
    const second = await entry()
    t.same(await look(), [second])
    await row(host, 'gf_entry_meta', { form_id: 1, entry_id: first, meta_key: '1', meta_value: 'a' })
    t.same(await look(), [first])
    await row(host, 'gf_entry_notes', { entry_id: second })
    t.same(await look(), [second])
    const shortcode = await looking(host, 'shortcode')
    const added = await host.call('POST', '/shortcode-orders', { views: [{ title: 'Front' }] })
    t.equal(added.status, 201)
    t.same(await shortcode.look(), [added.body.data.id])
  }),
)

t.test('changedOrders: an id that is committed late, and a look that was not handled', (t) =>
  onEachEngine(t, async (t, engine) => {
    const host = await shopHost(t, engine, 'posts')
    const { look, changes, cursor } = await looking(host, 'wc')
    const order = (ID: number) => row(host, 'posts', { ID, post_type: 'shop_order' })
    await order(9000)
    t.same(await look(), [9000])
    await order(8990)
    const unhandled = await changes.look(cursor())
    t.same(unhandled.orders, [8990])
    t.same(await look(), [8990], 'returned again')
    t.same(await look(), [])
  }),
)

t.test('changedOrders: more new rows than one look reads', async (t) => {
  const host = await shopHost(t, 'SQLite', 'posts')
  const { look, changes, cursor } = await looking(host, 'wc')
  await sql`insert into wp_posts (post_type, post_status, post_date, post_date_gmt, post_content, post_title, post_excerpt, to_ping, pinged, post_content_filtered)
    with recursive n(n) as (select 1 union all select n + 1 from n where n < 5400)
    select case when n % 1000 = 0 then 'shop_order' else 'post' end, '', '', '', '', '', '', '', '', '' from n`.execute(
    host.db,
  )
  t.equal((await changes.look(cursor())).isBehind, true)
  t.equal((await look()).length, 5)
  t.equal((await changes.look(cursor())).isBehind, false)
})

/** The cursor as it is once the database's clock has gone on by so many seconds. */
const secondsLater = (cursor: string | undefined, seconds: number) =>
  String(cursor).replace(/"at":(\d+)/g, (_, at) => `"at":${Number(at) - seconds}`)

t.test('changedOrders: an id below a full look that is committed late', async (t) => {
  const host = await shopHost(t, 'SQLite', 'posts')
  const { changes, cursor } = await looking(host, 'wc')
  const from = 10_000
  await sql`insert into wp_posts (ID, post_type, post_status, post_date, post_date_gmt, post_content, post_title, post_excerpt, to_ping, pinged, post_content_filtered)
    with recursive n(n) as (select 1 union all select n + 1 from n where n < 10300)
    select ${from} + 2 * n, 'post', '', '', '', '', '', '', '', '', '' from n`.execute(host.db)
  const first = await changes.look(cursor())
  t.equal(first.isBehind, true)
  await row(host, 'posts', { ID: from + 11, post_type: 'shop_order' })
  const second = await changes.look(first.cursor)
  const third = await changes.look(second.cursor)
  t.match(
    [second, third],
    [
      { orders: [], isBehind: true },
      { orders: [], isBehind: false },
    ],
  )
  await row(host, 'posts', { ID: from + 15_001, post_type: 'shop_order' })
  const found: number[] = []
  let next = secondsLater(third.cursor, 601)
  for (let isBehind = true; isBehind; ) {
    const look = await changes.look(next)
    found.push(...look.orders)
    next = look.cursor
    isBehind = look.isBehind
  }
  t.same(found, [from + 11, from + 15_001])
  t.same((await changes.look(secondsLater(next, 601))).orders, [], 'once')
})

t.test('changedOrders: a save before a full look that is committed late', async (t) => {
  const host = await shopHost(t, 'SQLite', 'tables')
  const old = await shopOrder(host, 'tables', {})
  await save(host, old.id, utc(-5000))
  const { changes, cursor } = await looking(host, 'wc')
  await sql`insert into wp_wc_orders (id, type, status, date_updated_gmt)
    with recursive n(n) as (select 1 union all select n + 1 from n where n < 5100)
    select 10000 + n, 'shop_order', '', ${utc(-50)} from n`.execute(host.db)
  const first = await changes.look(cursor())
  t.equal(first.isBehind, true)
  const second = await changes.look(first.cursor)
  t.equal(second.isBehind, false)
  await save(host, old.id, utc(-60))
  const third = await changes.look(secondsLater(second.cursor, 601))
  t.ok(third.orders.includes(old.id))
})

t.test(
  'changedOrders: none where the plugin is not installed, and a cursor that cannot be read begins anew',
  async (t) => {
    const host = await build(t)
    const database = await databaseOn(host.connection)
    const changes = changedOrders(database, cmsOptions(database), 'gf')
    for (const cursor of [undefined, '{}', '{', '{"gf_entry":{"low":"x"}}'])
      t.match(await changes.look(cursor), { orders: [], isBehind: false })
  },
)

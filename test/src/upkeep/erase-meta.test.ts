// eraseCustomer(): what this product wrote into meta of the CMS, and what leads there: addresses and accounts.
import { sql } from 'kysely'
import t, { type Test } from 'tap'
import { phpFromJson } from '../../../src/db/php-json.ts'
import { readPhp, writePhp } from '../../../src/db/php-value.ts'
import { orderMeta } from '../../../src/orders/provider-meta-values.ts'
import { customers, mail } from '../../support/fixtures/customers.ts'
import { createShop, row, type Shop, shopOrder } from '../../support/fixtures/shop.ts'
import { type Engine, onEachEngine } from '../../support/hosts/build.ts'

const other = 'x.ada@shop.example'
const person = /Lovelace|Main Street|\+49|ada@shop/

/** An order as the print provider describes it. */
const provided = (email: string) => ({
  id: 4711,
  external_id: '7',
  status: 'draft',
  dashboard_url: 'https://provider.example/4711',
  recipient: { name: 'Ada Lovelace', address1: 'Main Street 1', phone: '+49 1', email },
  items: [{ id: 1, external_id: '3', variant_id: 9, quantity: 2, name: 'For Ada Lovelace', files: ['x'] }],
  retail_costs: { total: '12.00' },
  gift: { message: 'Dear Ada Lovelace' },
})

async function shopWithAccounts(t: Test, engine: Engine) {
  const shop = await customers(t, engine)
  const { host } = shop
  await createShop(host)
  await createShop(host, ['users', 'usermeta'])
  await row(host, 'users', { ID: 1, user_email: other })
  await row(host, 'users', { ID: 2, user_email: 'ADA@shop.example' })
  return shop
}

/** The provider's order as we or PHP stored it. */
async function storeProvided(
  host: Parameters<typeof row>[0],
  shop: Shop,
  id: number,
  value = orderMeta(provided(mail), { maxBytes: 65_535, storable: (text) => text })
    ._svc_printful_order_data ?? '',
) {
  const meta = { meta_key: '_svc_printful_order_data', meta_value: value }
  return shop === 'tables'
    ? row(host, 'wc_orders_meta', { order_id: id, ...meta })
    : row(host, 'postmeta', { post_id: id, ...meta })
}

t.test(
  'copies of orders at the print provider lose their recipient, wherever the shop keeps its orders',
  (t) =>
    onEachEngine(t, async (t, engine) => {
      const { host, erase } = await shopWithAccounts(t, engine)
      const heard: unknown[] = []
      const table = { posts: 'wp_postmeta', tables: 'wp_wc_orders_meta' }
      const stored = async (shop: Shop, id: number) => {
        const key = shop === 'tables' ? 'id' : 'meta_id'
        const { rows } = await sql<{ meta_value: string }>`
        select meta_value from ${sql.table(table[shop])} where ${sql.ref(key)} = ${id}`.execute(host.db)
        return rows[0]?.meta_value ?? ''
      }
      for (const shop of ['posts', 'tables'] as const) {
        const own = await shopOrder(host, shop, { mail, items: [{}] })
        const rowId = await storeProvided(host, shop, own.id)
        const broken = await storeProvided(host, shop, own.id, `not readable, ${mail}`)
        // The shop's own eraser has already been there: only the copy still says whose order it is.
        const gone = await storeProvided(host, shop, (await shopOrder(host, shop, { mail: '' })).id)
        const foreign = await shopOrder(host, shop, { mail: other, items: [{}] })
        const kept = writePhp(phpFromJson(provided(other)))
        const keptId = await storeProvided(host, shop, foreign.id, kept)
        const dry = await erase({ dryRun: true })
        t.equal(dry.metaRows, 3)
        t.match(await stored(shop, rowId), person)
        heard.length = 0
        const found = await erase({ onMetaChanged: (change) => heard.push(change) })
        t.same([found.metaRows, found.problems], [3, []])
        t.strictSame(heard[0], { table: table[shop], objectId: own.id, keys: ['_svc_printful_order_data'] })
        for (const id of [rowId, gone]) {
          const left = await stored(shop, id)
          t.notMatch(left, person)
          t.match(left, '"external_id";s:1:"7"')
          t.match(readPhp(left), {})
          t.match(left, 'provider.example')
        }
        t.equal(await stored(shop, broken), 'a:0:{}')
        t.equal(await stored(shop, keptId), kept)
        t.equal((await erase()).metaRows, 0, 'there is nothing left to do')
      }
    }),
)

t.test('saved products of the account are deleted, those of others and other meta stay', (t) =>
  onEachEngine(t, async (t, engine) => {
    const { host, erase } = await shopWithAccounts(t, engine)
    for (const [user_id, meta_key, meta_value] of [
      [2, 'svc_saved_product_7', '{"title":"Ada"}'],
      [2, 'svc_saved_product_mug', 'a:0:{}'],
      [1, 'svc_saved_product_7', '{}'],
      [2, 'nickname', 'ada'],
      [2, 'svcXsavedXproductX1', 'x'],
      [2, 'svc_saved_products', 'x'],
    ])
      await row(host, 'usermeta', { user_id, meta_key, meta_value })
    t.equal((await erase({ dryRun: true })).metaRows, 2)
    t.equal((await erase()).metaRows, 2)
    const { rows } = await sql`select umeta_id as id from wp_usermeta order by umeta_id`.execute(host.db)
    t.same(
      rows.map((each) => Number(Object(each).id)),
      [3, 4, 5, 6],
    )
  }),
)

t.test('orders of the account under another address are named with their designs and print jobs', (t) =>
  onEachEngine(t, async (t, engine) => {
    const { host, erase } = await shopWithAccounts(t, engine)
    const meta: [string, string][] = [['_svc_data', '{"title":"Mug of Ada"}']]
    const classic = await shopOrder(host, 'posts', { mail: other, items: [{ meta }] })
    await row(host, 'postmeta', { post_id: classic.id, meta_key: '_customer_user', meta_value: '2' })
    const modern = await shopOrder(host, 'tables', { mail: other, items: [{ meta }] })
    await sql`update wp_wc_orders set customer_id = 2 where id = ${modern.id}`.execute(host.db)
    const foreign = await shopOrder(host, 'tables', { mail: other, items: [{ meta }] })
    await sql`update wp_wc_orders set customer_id = 1 where id = ${foreign.id}`.execute(host.db)
    const job = await host.newJob({ order_id: modern.id, order_type: 'wc' })
    await host.newJob({ order_id: foreign.id, order_type: 'wc' })
    await storeProvided(host, 'tables', modern.id, writePhp(phpFromJson(provided(other))))
    const found = await erase()
    const of = (table: string) =>
      found.holders.filter((each) => each.table === `wp_${table}`).map((each) => each.id)
    t.same(of('wc_orders'), [modern.id])
    t.equal(of('postmeta').length, 1)
    t.equal(of('woocommerce_order_itemmeta').length, 2)
    t.same(of('svc_print_jobs'), [job.id])
    t.equal(found.metaRows, 1)
  }),
)

t.test('sessions, coupons, notes, downloads and scheduled actions are named', (t) =>
  onEachEngine(t, async (t, engine) => {
    const { host, erase } = await shopWithAccounts(t, engine)
    await createShop(host, [
      ...(['gf_entry_notes', 'actionscheduler_actions', 'woocommerce_sessions'] as const),
      ...(['woocommerce_downloadable_product_permissions', 'wc_customer_lookup'] as const),
    ])
    const sessions = [
      ['2', ''],
      ['t_x', `s:16:"${mail}";`],
      ['1', other],
      ['22', ''],
    ]
    for (const [session_key, session_value] of sessions)
      await row(host, 'woocommerce_sessions', { session_key, session_value })
    for (const [meta_key, meta_value] of [
      ['customer_email', `a:1:{i:0;s:16:"${mail}";}`],
      ['customer_email', `a:1:{i:0;s:18:"${other}";}`],
      ['_used_by', '2'],
      ['_used_by', mail],
      ['_used_by', '1'],
    ])
      await row(host, 'postmeta', { post_id: 50, meta_key, meta_value })
    const author = { comment_author_email: 'shop@shop.example' }
    await row(host, 'comments', { ...author, comment_content: `Sent to ${mail}.` })
    await row(host, 'comments', { comment_content: `to ${other}` })
    for (const address of [mail, other]) {
      await row(host, 'woocommerce_downloadable_product_permissions', { user_email: address })
      await row(host, 'wc_customer_lookup', { email: address })
      await row(host, 'gf_entry_notes', { value: `Mail sent to ${address}` })
      await row(host, 'actionscheduler_actions', { args: `["${address}"]` })
    }
    const found = await erase()
    const of = (table: string) =>
      found.holders.filter((each) => each.table === `wp_${table}`).map((each) => each.id)
    t.same(of('woocommerce_sessions').sort(), [1, 2])
    t.equal(of('postmeta').length, 3)
    for (const table of ['comments', 'gf_entry_notes', 'actionscheduler_actions'])
      t.same(of(table), [1], table)
    for (const table of ['woocommerce_downloadable_product_permissions', 'wc_customer_lookup'])
      t.same(of(table), [1], table)
  }),
)

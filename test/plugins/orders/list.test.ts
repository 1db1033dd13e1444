// The list of orders with a design: from classic posts, the shop's own tables, form entries and shortcode orders.
import { Kysely } from 'kysely'
import t from 'tap'
import { nodeSqlite } from '../../../src/db/sqlite.ts'
import type { Tables } from '../../../src/db/tables.ts'
import { createShop, row, type Shop, shopOrder, useShop } from '../../support/fixtures/shop.ts'
import { build, onEachEngine } from '../../support/hosts/build.ts'
import { printHost } from '../../support/hosts/print.ts'

const meta: [string, string][] = [['_svc_data', '{"product":[]}']]
const bothShops: Shop[] = ['posts', 'tables']

t.test('shop orders with a design are listed newest first, with their items and customer', async (t) => {
  await onEachEngine(t, async (t, engine) => {
    for (const shop of bothShops) {
      const host = await printHost(t, { engine })
      await createShop(host)
      await useShop(host, shop)
      const order = (created: string, more = {}) =>
        shopOrder(host, shop, { created, items: [{ meta }], ...more })
      const first = await order('2026-01-01 00:00:00', {
        items: [{ name: 'Mug' }, { name: 'Shirt', meta }, { name: 'Old', meta: [['_legacy_data', '{}']] }],
      })
      const newest = await order('2026-03-01 23:59:59', {
        status: 'wc-completed',
        number: 'A-77',
        first: 'Zoë',
        last: '',
        mail: 'z@x.example',
      })
      const middle = await order('2026-02-01 12:00:00')
      for (const status of ['trash', 'auto-draft', 'wc-checkout-draft', 'checkout-draft'])
        await order('2026-05-01 00:00:00', { status })
      await order('2026-05-01 00:00:00', { type: 'shop_order_refund' })
      await order('2026-05-01 00:00:00', { items: [{ name: 'plain' }] })
      await order('2026-05-01 00:00:00', {
        items: [
          {
            meta: [
              ['_svc_data', '[]'],
              ['legacy_data', ''],
            ],
          },
        ],
      })
      const { body } = await host.call('GET', '/orders')
      t.same(
        body.data.map((found: { id: number }) => found.id),
        [newest.id, middle.id, first.id],
        shop,
      )
      t.same(body.meta, { type: 'wc', page: 1, limit: 20, total: 3, pages: 1 })
      t.same(body.data[0], {
        id: newest.id,
        order_id: newest.id,
        order_number: 'A-77',
        created_date: '2026-03-01T23:59:59Z',
        status: 'completed',
        customer_name: 'Zoë',
        customer_mail: 'z@x.example',
        order_items: [
          {
            id: newest.items[0],
            item_id: newest.items[0],
            name: 'Shirt',
            sku: '',
            product_id: null,
            variation_id: null,
            quantity: 1,
            refunded: 0,
            attributes: [],
            print_file_url: null,
          },
        ],
      })
      t.same(
        body.data[2].order_items.map((item: { id: number }) => item.id),
        first.items.slice(1),
      )
      t.match(body.data[2], {
        order_number: String(first.id),
        status: 'processing',
        customer_name: 'Ada Lovelace',
      })
      const page = await host.call('GET', '/orders?page=2&limit=2&fields=id')
      t.same(page.body.data, [{ id: first.id }])
      t.same((await host.call('GET', `/orders?include=${middle.id},4711&fields=id`)).body.data, [
        { id: middle.id },
      ])
    }
  })
})

t.test(
  'search finds parts of customer, number and e-mail address, and takes every character literally',
  async (t) => {
    await onEachEngine(t, async (t, engine) => {
      for (const shop of bothShops) {
        const host = await printHost(t, { engine })
        await createShop(host)
        await useShop(host, shop)
        const ada = await shopOrder(host, shop, { items: [{ meta }], number: '100%_A' })
        const zoe = await shopOrder(host, shop, {
          items: [{ meta }],
          first: 'ZOË',
          last: 'Ōe',
          mail: 'zo@x.example',
        })
        const found = async (search: string) =>
          (await host.call('GET', `/orders?search=${encodeURIComponent(search)}`)).body
        const ids = async (search: string) =>
          (await found(search)).data.map((order: { id: number }) => order.id)
        t.same(await ids('LOVE'), [ada.id])
        t.same(await ids('da lov'), [ada.id])
        t.same(await ids('zoë ō'), [zoe.id])
        t.same(await ids('zoe'), [], 'an accent counts')
        t.same(await ids('@X.'), [zoe.id])
        t.same(await ids('%_a'), [ada.id])
        t.same(await ids('100'), [ada.id])
        for (const letters of ['%%', '__', '\\', "' OR 1=1"]) t.same(await ids(letters), [], letters)
        t.equal((await found('a')).meta.total, (await found('a')).data.length)
      }
    })
  },
)

t.test('each item has its newest completed print file, whoever created the job', async (t) => {
  await onEachEngine(t, async (t, engine) => {
    const host = await printHost(t, { engine })
    await createShop(host)
    const { id, items } = await shopOrder(host, 'posts', { items: [{ meta }, { meta }, { meta }] })
    const other = await shopOrder(host, 'posts', { items: [{ meta }] })
    const guids = []
    for (const item_id of [items[0], items[0], items[1]]) {
      const { guid } = await host.newJob({ order_id: id, item_id, order_type: 'wc' })
      guids.push(guid)
    }
    for (const guid of guids.slice(0, 2)) await host.notify(guid)
    const php = {
      guid: '5f3a9c1b2d4ef',
      status: 'completed',
      details: JSON.stringify({ order_id: String(id), item_id: items[2] }),
      data: '{"local_file":"/var/www/uploads/svc/print_files/p/php.pdf"}',
    }
    await host.db.insertInto(host.t.print_jobs).values(php).execute()
    const { body } = await host.call('GET', '/orders')
    const urls = body.data[1].order_items.map((item: { print_file_url: string }) => item.print_file_url)
    t.same(urls, [
      (await host.job(guids[1] ?? '')).file_url,
      null,
      'https://shop.example/wp-content/uploads/svc/print_files/p/php.pdf',
    ])
    t.equal(body.data[0].id, other.id)
    t.equal(body.data[0].order_items[0].print_file_url, null)
    const newer = {
      ...php,
      guid: '5f3a9c1b2d4f0',
      details: JSON.stringify({ order_id: id, item_id: items[0] }),
    }
    await host.db.insertInto(host.t.print_jobs).values(newer).execute()
    const again = await host.call('GET', '/orders')
    t.equal(again.body.data[1].order_items[0].print_file_url, urls[2], 'a newer job of PHP comes before ours')
  })
})

t.test('the list takes the same number of queries for two orders and for twenty', async (t) => {
  const host = await printHost(t, { engine: 'SQLite' })
  await createShop(host)
  const counts: number[] = []
  for (const count of [2, 20]) {
    for (let i = 0; i < count; i++) await shopOrder(host, 'posts', { items: [{ meta }, { meta }] })
    let queries = 0
    const log = () => {
      queries++
    }
    const database = new Kysely<Tables>({ dialect: nodeSqlite(host.address.slice(7)), log })
    t.teardown(() => database.destroy())
    const counted = await build(t, { address: host.address, database })
    await counted.call('GET', '/orders?limit=1')
    queries = 0
    await counted.call('GET', '/orders?limit=100&search=a')
    const list = queries
    queries = 0
    await counted.call('GET', '/orders/1')
    t.ok(queries <= 8, 'the design, the state and what was bought')
    counts.push(list)
  }
  t.equal(counts[0], counts[1])
  t.comment(`a list takes ${counts[0]} queries`)
})

t.test('form entries with a design field are listed, read and changed', async (t) => {
  await onEachEngine(t, async (t, engine) => {
    const host = await printHost(t, { engine })
    await createShop(host)
    const fields = [
      {
        id: 1,
        type: 'name',
        inputs: [
          { id: '1.3', label: 'First' },
          { id: '1.6', label: 'Last' },
        ],
      },
      { id: 2, type: 'email' },
      { id: '7', type: 'textarea', cssClass: 'wide svc-order hidden' },
    ]
    await row(host, 'gf_form_meta', { form_id: 3, display_meta: JSON.stringify({ title: 'Order', fields }) })
    await row(host, 'gf_form_meta', {
      form_id: 4,
      display_meta: JSON.stringify({ fields: [{ id: 7, cssClass: 'not-svc-order' }] }),
    })
    const entry = async (
      form_id: number,
      created: string,
      values: Record<string, string>,
      status = 'active',
    ) => {
      const id = await row(host, 'gf_entry', { form_id, date_created: created, status })
      for (const [meta_key, meta_value] of Object.entries(values))
        await row(host, 'gf_entry_meta', { form_id, entry_id: id, meta_key, meta_value })
      return id
    }
    const person = { '1.3': 'Ada', '1.6': 'Lovelace', '2': 'ada@shop.example' }
    const old = await entry(3, '2026-01-01 00:00:00', { ...person, '7': '{&quot;product&quot;:[1]}' })
    const fresh = await entry(3, '2026-02-01 10:00:00', { ...person, '1.3': 'Bea', '7': '{"product":[2]}' })
    const empty = await entry(3, '2026-03-01 00:00:00', { ...person, '7': '' })
    await entry(3, '2026-03-01 00:00:00', { ...person, '7': '{}' }, 'trash')
    await entry(4, '2026-03-01 00:00:00', { '7': '{}' })
    // Legacy plugins stored a second row under the same key.
    await row(host, 'gf_entry_meta', {
      form_id: 3,
      entry_id: fresh,
      meta_key: '7',
      meta_value: '{"product":[9]}',
    })
    const list = await host.call('GET', '/orders?type=gf')
    t.same(list.body.data, [
      {
        id: fresh,
        order_id: fresh,
        created_date: '2026-02-01T10:00:00Z',
        status: 'active',
        customer_name: 'Bea Lovelace',
        customer_mail: 'ada@shop.example',
        print_file_url: null,
      },
      {
        id: old,
        order_id: old,
        created_date: '2026-01-01T00:00:00Z',
        status: 'active',
        customer_name: 'Ada Lovelace',
        customer_mail: 'ada@shop.example',
        print_file_url: null,
      },
    ])
    t.equal(list.body.meta.total, 2)
    const found = await host.call('GET', '/orders?type=gf&search=BEA')
    t.same([found.body.data[0].id, found.body.meta.total], [fresh, 1])
    const one = await host.call('GET', `/orders/${old}?type=gf`)
    t.same(one.body.data, {
      order_id: old,
      type: 'gf',
      status: 'active',
      items: [{ item_id: null, item_key: '7', product: [1] }],
    })
    t.match((await host.call('GET', `/orders/${old}?type=gf&item_key=2`)).body.data.items, [
      { data: 'ada@shop.example' },
    ])
    t.equal((await host.call('GET', `/orders/${empty}?type=gf`)).status, 404)
    const order = { product: [3], letter: '😀' }
    for (const id of [old, empty]) {
      const changed = await host.call('PATCH', `/orders/${id}`, { type: 'gf', order })
      t.same(changed.body.data?.items, [{ item_id: null, item_key: '7', ...order }])
    }
    t.equal((await host.call('DELETE', `/orders/${old}?type=gf`)).status, 400)
    const { guid } = await host.newJob({ order_id: old, order_type: 'gf' })
    await host.notify(guid)
    const urls = (await host.call('GET', '/orders?type=gf&fields=id,print_file_url')).body.data
    t.equal(urls.find(({ id }: { id: number }) => id === old).print_file_url, (await host.job(guid)).file_url)
  })
})

t.test('shortcode orders are read in both stored forms, listed, changed and deleted', async (t) => {
  await onEachEngine(t, async (t, engine) => {
    const host = await printHost(t, { engine })
    const add = async (views: string, print_order: string | null = null) => {
      const values = { customer_name: 'Ada', customer_mail: 'ada@shop.example', views, print_order }
      const { insertId } = await host.db.insertInto(host.t.orders).values(values).executeTakeFirstOrThrow()
      return Number(insertId)
    }
    const array = await add('[{"title":"Front"}]', '{"print":1}')
    const whole = await add('{"product":[{"title":"Back"}],"usedFonts":[]}')
    await add('')
    for (const type of ['shortcode', 'sc']) {
      const read = async (id: number, query = '') =>
        (await host.call('GET', `/orders/${id}?type=${type}${query}`)).body.data
      const item = { item_id: null, item_key: '_svc_data' }
      t.same(await read(array), {
        order_id: array,
        type,
        status: 'active',
        items: [{ ...item, data: [{ title: 'Front' }] }],
      })
      t.match(await read(whole), { items: [{ ...item, product: [{ title: 'Back' }], usedFonts: [] }] })
      t.match((await read(array, '&item_key=_svc_print_order')).items, [
        { item_key: '_svc_print_order', print: 1 },
      ])
      t.equal((await read(whole, '&item_key=customer_mail')).status, 404)
      const list = await host.call('GET', `/orders?type=${type}`)
      t.equal(list.body.meta.type, type)
      t.same(
        list.body.data.map(({ id }: { id: number }) => id),
        [whole, array],
      )
      t.match(list.body.data[0], { customer_name: 'Ada', print_file_url: null, created_date: /Z$/ })
      t.equal((await host.call('GET', `/orders?type=${type}&search=ADA`)).body.meta.total, 2)
    }
    const order = { product: [{ title: 'New' }] }
    t.match((await host.call('PATCH', `/orders/${array}`, { type: 'sc', order })).body.data.items, [order])
    t.same((await host.call('GET', `/shortcode-orders/${array}`)).body.data.views, order.product)
    const tag = (await host.call('GET', `/orders/${whole}?type=sc`)).headers.etag ?? ''
    t.equal((await host.call('DELETE', `/orders/${array}`, undefined, { 'if-match': tag })).status, 412)
    t.same((await host.call('DELETE', `/orders/${array}`)).body.data, { id: array, deleted: true })
    t.equal((await host.call('GET', `/orders/${array}?type=sc`)).status, 404)
    t.equal((await host.call('GET', '/orders?type=sc')).body.meta.total, 1)
  })
})

// GET /orders/{id} of the shop: three generations of data in every encoding, item by item.
import t from 'tap'
import { shopOrder } from '../../support/fixtures/shop.ts'
import { design, designJson, designsIn, wcShop } from '../../support/fixtures/wc-orders.ts'
import { build, onEachEngine } from '../../support/hosts/build.ts'

const slashed = (text: string, layers: number): string =>
  layers === 0 ? text : slashed(text.replace(/[\\"']/g, '\\$&'), layers - 1)
const php = (text: string) => `s:${Buffer.byteLength(text)}:"${text}";`

t.test(
  'GET /orders/{id}: the response has the first generation that is not empty, whichever of the three is requested',
  async (t) => {
    await onEachEngine(t, async (t, engine) => {
      const host = await wcShop(t, engine)
      const cases: [meta: [string, string][], key: string][] = [
        [
          [
            ['_legacy_data', '{"g":1}'],
            ['legacy_data', '{"g":2}'],
            ['_svc_data', '{"g":3}'],
          ],
          '_svc_data',
        ],
        [
          [
            ['_legacy_data', '{"g":1}'],
            ['legacy_data', '{"g":2}'],
            ['_svc_data', ''],
          ],
          'legacy_data',
        ],
        [
          [
            ['_legacy_data', '{"g":1}'],
            ['legacy_data', 'null'],
            ['_svc_data', '[]'],
          ],
          '_legacy_data',
        ],
        [
          [
            ['_svc_data', ' '],
            ['_svc_data', 'a:0:{}'],
            ['legacy_data', '{"g":2}'],
            ['LEGACY_DATA', '{"g":9}'],
          ],
          'legacy_data',
        ],
      ]
      for (const [meta, key] of cases) {
        const { id, items } = await shopOrder(host, 'posts', { items: [{ meta }] })
        for (const query of [
          '',
          '?item_key=_svc_data',
          '?item_key=legacy_data',
          '?item_key=_legacy_data',
          '?item_key=',
        ]) {
          const { status, body } = await host.call('GET', `/orders/${id}${query}`)
          t.equal(status, 200, JSON.stringify(body))
          const value = JSON.parse(meta.find(([name]) => name === key)?.[1] ?? '')
          t.same(designsIn(body.data), {
            order_id: id,
            type: 'wc',
            items: [{ item_id: items[0], item_key: key, ...value }],
          })
        }
      }
    })
  },
)

t.test('GET /orders/{id}: every encoding of a design is read as the same design', async (t) => {
  await onEachEngine(t, async (t, engine) => {
    const host = await wcShop(t, engine)
    const forms = [
      designJson,
      ...[1, 2, 3, 4, 5].map((layers) => slashed(designJson, layers)),
      designJson
        .replaceAll('&', '&amp;')
        .replaceAll('"', '&quot;')
        .replaceAll("'", '&#039;')
        .replaceAll('<', '&lt;'),
      JSON.stringify(design, null, 2),
    ]
    for (const form of forms) {
      const { id } = await shopOrder(host, 'posts', { items: [{ meta: [['_svc_data', form]] }] })
      t.match((await host.call('GET', `/orders/${id}`)).body.data.items[0], design, form.slice(0, 60))
    }
    // The oldest one: a PHP array whose element svc_product is a JSON string of its own.
    const old = `a:3:{${php('svc_product')}${php(slashed(designJson, 1))}${php('thumbnail')}${php('x.png')}${php('price')}d:1.5;}`
    const { id } = await shopOrder(host, 'posts', { items: [{ meta: [['_legacy_data', old]] }] })
    const [item] = (await host.call('GET', `/orders/${id}`)).body.data.items
    t.match(item, { item_key: '_legacy_data', svc_product: design, thumbnail: 'x.png', price: 1.5 })
  })
})

t.test('GET /orders/{id}: an array is wrapped under data, and big numbers keep their digits', async (t) => {
  const host = await wcShop(t, 'SQLite')
  const meta: [string, string][] = [['_svc_data', '[{"id": 12345678901234567890}]']]
  const { id, items } = await shopOrder(host, 'posts', {
    items: [{ meta }, { meta: [['_svc_data', '{ }']] }],
  })
  const { text } = await host.call('GET', `/orders/${id}`)
  t.match(text, `{"item_id":${items[0]},"item_key":"_svc_data","order_item":{`)
  t.match(text, `},"data":[{"id": 12345678901234567890}]}`)
  t.match(text, /"attributes":\[\]\}\}\]/)
})

t.test(
  'GET /orders/{id}: every line item with data without item_id, only that item with it, never an item of another order',
  async (t) => {
    await onEachEngine(t, async (t, engine) => {
      const host = await wcShop(t, engine)
      const meta: [string, string][] = [['_svc_data', designJson]]
      const order = await shopOrder(host, 'posts', {
        items: [{ meta }, {}, { meta }, { type: 'shipping', meta }],
      })
      const other = await shopOrder(host, 'posts', { items: [{ meta }], status: 'trash' })
      const ids = async (query: string) =>
        (await host.call('GET', `/orders/${order.id}${query}`)).body.data.items?.map(
          (item: { item_id: number }) => item.item_id,
        )
      t.same(await ids(''), [order.items[0], order.items[2]])
      t.same(await ids(`?item_id=${order.items[2]}`), [order.items[2]])
      t.equal(
        (await host.call('GET', `/orders/${other.id}`)).status,
        200,
        'an order in the trash stays readable',
      )
      for (const item of [other.items[0], order.items[3], 999_999]) {
        const response = await host.call('GET', `/orders/${order.id}?item_id=${item}`)
        t.match(response, { status: 404, body: { code: 'svc_order_item_not_found' } })
      }
      t.match(await host.call('GET', `/orders/${order.id}?item_id=${order.items[1]}`), {
        status: 404,
        body: { code: 'svc_order_data_not_found' },
      })
      t.match(await host.call('GET', '/orders/999999'), {
        status: 404,
        body: { code: 'svc_order_data_not_found' },
      })
      for (const id of ['1abc', '0', '01', '-1', '1%20OR%201', '9007199254740993']) {
        t.match(await host.call('GET', `/orders/${id}`), { status: 404, body: { code: 'rest_no_route' } }, id)
      }
    })
  },
)

t.test(
  'GET /orders/{id}?item_key: a literal key is read as it is, and only on items of that order',
  async (t) => {
    await onEachEngine(t, async (t, engine) => {
      const host = await wcShop(t, engine)
      const meta: [string, string][] = [
        ['_note', 'a:1:{i:0;i:1;}'],
        ['_json', '{"a":1}'],
        ['_svc_data', designJson],
        ["o'k", '7'],
      ]
      const { id } = await shopOrder(host, 'posts', { items: [{ meta }] })
      const item = async (key: string) =>
        (await host.call('GET', `/orders/${id}?item_key=${encodeURIComponent(key)}`)).body.data
      t.match((await item('_note')).items[0], { item_key: '_note', data: 'a:1:{i:0;i:1;}' })
      t.match((await item('_json')).items[0], { item_key: '_json', a: 1 })
      t.match((await item("o'k")).items[0], { data: 7 })
      for (const key of ['_billing_email', '_NOTE', "' OR 1=1 -- ", '%', 'x'.repeat(255)])
        t.equal((await item(key)).status, 404)
      t.equal((await item('x'.repeat(10_000))).status, 400)
    })
  },
)

t.test(
  'GET /orders/{id}: 500 for a single unreadable item; meta.unreadable lists it among several items',
  async (t) => {
    await onEachEngine(t, async (t, engine) => {
      const host = await wcShop(t, engine)
      const broken: [string, string][] = [
        ['_svc_data', '{broken'],
        ['_legacy_data', '{"g":1}'],
      ]
      const { id, items } = await shopOrder(host, 'posts', {
        items: [{ meta: broken }, { meta: [['_svc_data', designJson]] }],
      })
      const response = await host.call('GET', `/orders/${id}?item_id=${items[0]}`)
      t.match(response, {
        status: 500,
        body: { code: 'svc_unreadable_value', data: { table: 'wp_woocommerce_order_itemmeta' } },
      })
      t.notMatch(response.text, '{broken')
      const both = await host.call('GET', `/orders/${id}`)
      t.match(both.body.data.items, [
        { item_id: items[0], data: null },
        { item_id: items[1], ...design },
      ])
      t.match(both.body.meta.unreadable, [{ id: items[0], column: 'meta_value' }])
    })
  },
)

t.test('GET and PATCH /orders/{id}: 400 for a type that this installation does not have', async (t) => {
  await onEachEngine(t, async (t, engine) => {
    const host = await build(t, { engine })
    for (const type of ['wc', 'gf', 'etsy', '', '__proto__']) {
      for (const path of ['/orders', '/orders/1']) {
        const response = await host.call('GET', `${path}?type=${type}`)
        t.match(response, { status: 400, body: { code: 'svc_order_type_unavailable' } }, `${path} ${type}`)
      }
    }
    t.equal((await host.call('PATCH', '/orders/1', { type: 'gf', order: {} })).status, 400)
  })
})

// Orders of the shop: three generations of data in every encoding, item by item.
import { sql } from 'kysely'
import type { Test } from 'tap'
import t from 'tap'
import { createShop, shopOrder } from '../../support/fixtures/shop.ts'
import { build, type Engine, onEachEngine } from '../../support/hosts/build.ts'

const design = {
  product: [{ title: 'Front ✂ 日本', elements: [{ type: 'text', source: 'O\'Neil "Co" </script>' }] }],
}
const json = JSON.stringify(design)
const slashed = (text: string, layers: number): string =>
  layers === 0 ? text : slashed(text.replace(/[\\"']/g, '\\$&'), layers - 1)
const php = (text: string) => `s:${Buffer.byteLength(text)}:"${text}";`

/** The designs of an order, without its state and what was bought, of which test/plugins/orders/bought-items.test.ts is. */
const designsIn = ({ status: _, ...order }: { status: string; items: { order_item: unknown }[] }) => ({
  ...order,
  items: order.items.map(({ order_item: _, ...item }) => item),
})

async function shop(t: Test, engine: Engine, options: Parameters<typeof build>[1] = {}) {
  const host = await build(t, { engine, ...options })
  await createShop(host)
  return host
}

t.test(
  'the response has the first generation that is not empty, whichever of the three is requested',
  async (t) => {
    await onEachEngine(t, async (t, engine) => {
      const host = await shop(t, engine)
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

t.test('every encoding reads as the same design', async (t) => {
  await onEachEngine(t, async (t, engine) => {
    const host = await shop(t, engine)
    const forms = [
      json,
      ...[1, 2, 3, 4, 5].map((layers) => slashed(json, layers)),
      json
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
    const old = `a:3:{${php('svc_product')}${php(slashed(json, 1))}${php('thumbnail')}${php('x.png')}${php('price')}d:1.5;}`
    const { id } = await shopOrder(host, 'posts', { items: [{ meta: [['_legacy_data', old]] }] })
    const [item] = (await host.call('GET', `/orders/${id}`)).body.data.items
    t.match(item, { item_key: '_legacy_data', svc_product: design, thumbnail: 'x.png', price: 1.5 })
  })
})

t.test('an array is wrapped under data, and big numbers keep their digits', async (t) => {
  const host = await shop(t, 'SQLite')
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
  'without item_id the response has every line item with data, with it only that one, never one of another order',
  async (t) => {
    await onEachEngine(t, async (t, engine) => {
      const host = await shop(t, engine)
      const meta: [string, string][] = [['_svc_data', json]]
      const mine = await shopOrder(host, 'posts', {
        items: [{ meta }, {}, { meta }, { type: 'shipping', meta }],
      })
      const other = await shopOrder(host, 'posts', { items: [{ meta }], status: 'trash' })
      const ids = async (query: string) =>
        (await host.call('GET', `/orders/${mine.id}${query}`)).body.data.items?.map(
          (item: { item_id: number }) => item.item_id,
        )
      t.same(await ids(''), [mine.items[0], mine.items[2]])
      t.same(await ids(`?item_id=${mine.items[2]}`), [mine.items[2]])
      t.equal(
        (await host.call('GET', `/orders/${other.id}`)).status,
        200,
        'an order in the trash stays readable',
      )
      for (const item of [other.items[0], mine.items[3], 999_999]) {
        const response = await host.call('GET', `/orders/${mine.id}?item_id=${item}`)
        t.match(response, { status: 404, body: { code: 'svc_order_item_not_found' } })
      }
      t.match(await host.call('GET', `/orders/${mine.id}?item_id=${mine.items[1]}`), {
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

t.test('a literal key is read as it is, and only on items of that order', async (t) => {
  await onEachEngine(t, async (t, engine) => {
    const host = await shop(t, engine)
    const meta: [string, string][] = [
      ['_note', 'a:1:{i:0;i:1;}'],
      ['_json', '{"a":1}'],
      ['_svc_data', json],
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
})

t.test('unreadable data gives 500 alone, and is listed in meta among others', async (t) => {
  await onEachEngine(t, async (t, engine) => {
    const host = await shop(t, engine)
    const broken: [string, string][] = [
      ['_svc_data', '{broken'],
      ['_legacy_data', '{"g":1}'],
    ]
    const { id, items } = await shopOrder(host, 'posts', {
      items: [{ meta: broken }, { meta: [['_svc_data', json]] }],
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
})

t.test('a change is written where the data was found, else under the newest key', async (t) => {
  await onEachEngine(t, async (t, engine) => {
    const heard: unknown[] = []
    const host = await shop(t, engine, { onMetaChanged: (change) => heard.push(change) })
    const { id, items } = await shopOrder(host, 'posts', {
      items: [
        {
          meta: [
            ['_svc_data', ''],
            ['legacy_data', json],
          ],
        },
        {},
      ],
    })
    const order = { product: [], note: '✂ 😀' }
    const changed = await host.call('PATCH', `/orders/${id}`, { type: 'wc', item_id: items[0], order })
    t.same(designsIn(changed.body.data).items, [{ item_id: items[0], item_key: 'legacy_data', ...order }])
    const added = await host.call('PATCH', `/orders/${id}`, { item_id: items[1], order })
    t.match(added.body.data.items[1], { item_id: items[1], item_key: '_svc_data', ...order })
    const table = 'wp_woocommerce_order_itemmeta'
    t.same(heard, [
      { table, objectId: items[0], keys: ['legacy_data'] },
      { table, objectId: items[1], keys: ['_svc_data'] },
    ])
    t.equal(added.headers.etag, (await host.call('GET', `/orders/${id}`)).headers.etag)
    const stale = { 'if-match': changed.headers.etag ?? '' }
    t.equal((await host.call('PATCH', `/orders/${id}`, { item_id: items[0], order }, stale)).status, 412)
    const partial = (await host.call('GET', `/orders/${id}?item_id=${items[0]}`)).headers.etag ?? ''
    t.equal(
      (await host.call('PATCH', `/orders/${id}`, { item_id: items[0], order }, { 'if-match': partial }))
        .status,
      200,
    )
    const other = await shopOrder(host, 'posts', { items: [{ meta: [['_svc_data', json]] }] })
    t.equal((await host.call('PATCH', `/orders/${id}`, { item_id: other.items[0], order })).status, 404)
    t.equal((await host.call('PATCH', `/orders/${id}`, { item_id: items[0] })).status, 400)
    t.equal((await host.call('DELETE', `/orders/${id}?type=wc`)).status, 400)
  })
})

t.test('a type that this installation does not have gives 400', async (t) => {
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

t.test(
  'without item_id, the path of a write takes the id of the item, and the response has the order',
  async (t) => {
    await onEachEngine(t, async (t, engine) => {
      const host = await shop(t, engine)
      await shopOrder(host, 'posts', { items: [{}, {}] })
      const { id, items } = await shopOrder(host, 'posts', {
        items: [{ meta: [['legacy_data', json]] }, { type: 'shipping' }],
      })
      const { status, body } = await host.call('PATCH', `/orders/${items[0]}`, {
        order: [{ title: 'Front' }],
      })
      t.equal(status, 200)
      t.strictSame(designsIn(body.data), {
        order_id: id,
        type: 'wc',
        items: [{ item_id: items[0], item_key: 'legacy_data', data: [{ title: 'Front' }] }],
      })
      for (const none of [items[1], 999_999]) {
        const { status, body } = await host.call('PATCH', `/orders/${none}`, { order: {} })
        t.strictSame([status, body.code], [404, 'svc_order_item_not_found'])
        t.match(body.message, String(none))
      }
    })
  },
)

t.test(
  'an item copied from another one replaces the design of the item that the request names',
  async (t) => {
    await onEachEngine(t, async (t, engine) => {
      const host = await shop(t, engine)
      const { id, items } = await shopOrder(host, 'posts', {
        items: [
          { meta: [['_svc_data', json]] },
          { meta: [['_legacy_data', '[{"title":"Back"}]']] },
          { meta: [['legacy_data', '{"data":{"a":1}}']] },
          { meta: [] },
        ],
      })
      const [spread, list, withData] = (await host.call('GET', `/orders/${id}`)).body.data.items
      const targets = async (order: unknown, ...to: number[]) => {
        for (const at of to) {
          const sent = await host.call('PATCH', `/orders/${id}`, { item_id: items[at], order })
          t.equal(sent.status, 200, sent.text)
        }
        const rows = (await host.call('GET', `/orders/${id}`)).body.data.items
        return to.map((at) => {
          const { item_id, item_key, order_item, ...design } = rows.find(
            (one: { item_id: number }) => one.item_id === items[at],
          )
          return design
        })
      }
      const { item_id: _, item_key, order_item, ...design } = spread
      t.strictSame(await targets(spread, 1, 2, 3), [design, design, design])
      t.strictSame(await targets([list], 0, 2), [
        { data: [{ title: 'Back' }] },
        { data: [{ title: 'Back' }] },
      ])
      t.strictSame(await targets(withData, 0, 1), [{ data: { a: 1 } }, { data: { a: 1 } }])
      const others = [
        { item_id: String(items[0]) },
        { item_id: null },
        { item_key: 'legacy_data' },
        { item_key: '_x' },
      ]
      for (const other of others) t.strictSame(await targets({ ...spread, ...other }, 0), [design])
      const whole = { order_id: 99, type: 'wc', items: [{ ...spread, note: 'copy' }] }
      t.strictSame(await targets(whole, 2), [{ ...design, note: 'copy' }])
      const { rows } = await sql`select meta_value from wp_woocommerce_order_itemmeta`.execute(host.db)
      t.notMatch(JSON.stringify(rows), /item_id|item_key/)
    })
  },
)

t.test('data with two possible meanings gives 400', async (t) => {
  await onEachEngine(t, async (t, engine) => {
    const host = await shop(t, engine)
    const { id, items } = await shopOrder(host, 'posts', {
      items: [
        {
          meta: [
            ['_svc_data', json],
            ['_line_total', '12'],
          ],
        },
        { meta: [['_svc_data', '[1]']] },
      ],
    })
    const [first, second] = (await host.call('GET', `/orders/${id}`)).body.data.items
    const refused: [item: number | undefined, order: unknown][] = [
      [items[0], { ...first, item_key: '_line_total' }],
      [items[0], [first, second]],
      [items[1], { item_id: items[0], item_key: '_svc_data', data: { item_id: 1 } }],
      [items[1], { ...second, note: 'beside' }],
      [items[1], { ...second, data: { item_id: 1 } }],
      [items[1], { ...second, data: 'text' }],
      [items[0], []],
    ]
    for (const [item_id, order] of refused) {
      const { status, body } = await host.call('PATCH', `/orders/${id}`, { item_id, order })
      t.strictSame([status, Object.keys(body.data.params ?? {})], [400, ['order']], JSON.stringify(order))
    }
    t.strictSame((await host.call('GET', `/orders/${id}`)).body.data.items, [first, second])
  })
})

t.test(
  'a design with properties item_id or item_key is wrapped under data, and keeps them when it is sent back',
  async (t) => {
    await onEachEngine(t, async (t, engine) => {
      const heard: unknown[] = []
      const host = await shop(t, engine, { onMetaChanged: (change) => heard.push(change) })
      const stored = '{"\\u0069tem_id": 99, "product": [], "item_key": "x"}'
      const { id, items } = await shopOrder(host, 'posts', { items: [{ meta: [['_svc_data', stored]] }] })
      const { text, body } = await host.call('GET', `/orders/${id}`)
      t.match(text, `{"item_id":${items[0]},"item_key":"_svc_data","order_item":{`)
      t.match(text, `},"data":${stored}}`)
      const [item] = body.data.items
      await host.call('PATCH', `/orders/${id}`, { item_id: items[0], order: item })
      t.strictSame(heard, [], 'nothing was written')
      const order = { ...item, data: { ...item.data, note: 1 } }
      const { body: changed } = await host.call('PATCH', `/orders/${id}`, { item_id: items[0], order })
      t.strictSame(designsIn(changed.data).items, [
        {
          item_id: items[0],
          item_key: '_svc_data',
          data: { item_id: 99, product: [], item_key: 'x', note: 1 },
        },
      ])
    })
  },
)

t.test('a value under a literal key can be sent back unchanged, and is never changed', async (t) => {
  await onEachEngine(t, async (t, engine) => {
    const host = await shop(t, engine)
    const meta: [string, string][] = [
      ['_note', 'a:1:{i:0;i:1;}'],
      ['_json', '{"a":1}'],
    ]
    const { id, items } = await shopOrder(host, 'posts', {
      items: [{ meta }, { meta: [...meta, ['_svc_data', json]] }],
    })
    for (const item_id of items) {
      for (const key of ['_note', '_json']) {
        const path = `/orders/${id}?item_key=${key}`
        const items = (await host.call('GET', path)).body.data.items
        const item = items.find((one: { item_id: number }) => one.item_id === item_id)
        t.equal((await host.call('PATCH', `/orders/${id}`, { item_id, order: item })).status, 200)
        const order = { ...item, changed: true }
        t.equal((await host.call('PATCH', `/orders/${id}`, { item_id, order })).status, 400)
        t.strictSame((await host.call('GET', path)).body.data.items, items)
      }
    }
  })
})

t.test('an unreadable design can be sent back as null and stays as it is', async (t) => {
  await onEachEngine(t, async (t, engine) => {
    const host = await shop(t, engine)
    const { id, items } = await shopOrder(host, 'posts', {
      items: [{ meta: [['_svc_data', '{broken']] }, { meta: [['_svc_data', json]] }],
    })
    const [lost] = (await host.call('GET', `/orders/${id}`)).body.data.items
    const sent = await host.call('PATCH', `/orders/${id}`, { item_id: items[0], order: lost })
    t.strictSame([sent.status, sent.body.data.items[0]], [200, lost])
    const { rows } = await sql`select meta_value from wp_woocommerce_order_itemmeta where order_item_id = ${
      items[0]
    }`.execute(host.db)
    t.same(rows, [{ meta_value: '{broken' }])
  })
})

// PATCH /orders/{id} of the shop: which item and key a design is written to, and what is refused.
import { sql } from 'kysely'
import t from 'tap'
import { shopOrder } from '../../support/fixtures/shop.ts'
import { designJson, designsIn, wcShop } from '../../support/fixtures/wc-orders.ts'
import { onEachEngine } from '../../support/hosts/build.ts'

t.test(
  'PATCH /orders/{id}: a design is written under the key where it was found, else under the newest key',
  async (t) => {
    await onEachEngine(t, async (t, engine) => {
      const reported: unknown[] = []
      const host = await wcShop(t, engine, { onMetaChanged: (change) => reported.push(change) })
      const { id, items } = await shopOrder(host, 'posts', {
        items: [
          {
            meta: [
              ['_svc_data', ''],
              ['legacy_data', designJson],
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
      t.same(reported, [
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
      const other = await shopOrder(host, 'posts', { items: [{ meta: [['_svc_data', designJson]] }] })
      t.equal((await host.call('PATCH', `/orders/${id}`, { item_id: other.items[0], order })).status, 404)
      t.equal((await host.call('PATCH', `/orders/${id}`, { item_id: items[0] })).status, 400)
      t.equal((await host.call('DELETE', `/orders/${id}?type=wc`)).status, 400)
    })
  },
)

t.test(
  'PATCH /orders/{id}: without item_id the path takes the id of the item, and the response has the order',
  async (t) => {
    await onEachEngine(t, async (t, engine) => {
      const host = await wcShop(t, engine)
      await shopOrder(host, 'posts', { items: [{}, {}] })
      const { id, items } = await shopOrder(host, 'posts', {
        items: [{ meta: [['legacy_data', designJson]] }, { type: 'shipping' }],
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
  'PATCH /orders/{id}: an item copied from another one replaces the design of the item that the request names',
  async (t) => {
    await onEachEngine(t, async (t, engine) => {
      const host = await wcShop(t, engine)
      const { id, items } = await shopOrder(host, 'posts', {
        items: [
          { meta: [['_svc_data', designJson]] },
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
            (row: { item_id: number }) => row.item_id === items[at],
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

t.test('PATCH /orders/{id}: 400 for data with two possible meanings', async (t) => {
  await onEachEngine(t, async (t, engine) => {
    const host = await wcShop(t, engine)
    const { id, items } = await shopOrder(host, 'posts', {
      items: [
        {
          meta: [
            ['_svc_data', designJson],
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
  'PATCH /orders/{id}: a design with properties item_id or item_key is wrapped under data, and keeps them when it is sent back',
  async (t) => {
    await onEachEngine(t, async (t, engine) => {
      const reported: unknown[] = []
      const host = await wcShop(t, engine, { onMetaChanged: (change) => reported.push(change) })
      const stored = '{"\\u0069tem_id": 99, "product": [], "item_key": "x"}'
      const { id, items } = await shopOrder(host, 'posts', { items: [{ meta: [['_svc_data', stored]] }] })
      const { text, body } = await host.call('GET', `/orders/${id}`)
      t.match(text, `{"item_id":${items[0]},"item_key":"_svc_data","order_item":{`)
      t.match(text, `},"data":${stored}}`)
      const [item] = body.data.items
      await host.call('PATCH', `/orders/${id}`, { item_id: items[0], order: item })
      t.strictSame(reported, [], 'nothing was written')
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

t.test(
  'PATCH /orders/{id}: a value under a literal key can be sent back unchanged; 400 for a change of it',
  async (t) => {
    await onEachEngine(t, async (t, engine) => {
      const host = await wcShop(t, engine)
      const meta: [string, string][] = [
        ['_note', 'a:1:{i:0;i:1;}'],
        ['_json', '{"a":1}'],
      ]
      const { id, items } = await shopOrder(host, 'posts', {
        items: [{ meta }, { meta: [...meta, ['_svc_data', designJson]] }],
      })
      for (const item_id of items) {
        for (const key of ['_note', '_json']) {
          const path = `/orders/${id}?item_key=${key}`
          const items = (await host.call('GET', path)).body.data.items
          const item = items.find((row: { item_id: number }) => row.item_id === item_id)
          t.equal((await host.call('PATCH', `/orders/${id}`, { item_id, order: item })).status, 200)
          const order = { ...item, changed: true }
          t.equal((await host.call('PATCH', `/orders/${id}`, { item_id, order })).status, 400)
          t.strictSame((await host.call('GET', path)).body.data.items, items)
        }
      }
    })
  },
)

t.test('PATCH /orders/{id}: an unreadable design can be sent back as null and stays as it is', async (t) => {
  await onEachEngine(t, async (t, engine) => {
    const host = await wcShop(t, engine)
    const { id, items } = await shopOrder(host, 'posts', {
      items: [{ meta: [['_svc_data', '{broken']] }, { meta: [['_svc_data', designJson]] }],
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

// Shortcode orders: created, listed, read in both stored forms, changed, deleted.
import t from 'tap'
import { build, onEachEngine, type TestHost } from '../support/hosts/build.ts'

const view = {
  title: 'Front',
  elements: [{ type: 'text', title: '<script>alert(1)</script>', price: 12345678901234567890n }],
}
const text = (value: unknown) =>
  JSON.stringify(value, (_key, item) => (typeof item === 'bigint' ? Number(item) : item))
const views = JSON.parse(text([view]))

async function stored(
  host: TestHost,
  row: { views: string | null; customer_name?: string },
): Promise<number> {
  const values = { customer_name: 'Ada', customer_mail: 'ada@shop.example', print_order: null, ...row }
  const { insertId } = await host.db.insertInto(host.t.orders).values(values).executeTakeFirstOrThrow()
  return Number(insertId)
}

t.test('an order is created, read, changed and deleted', async (t) => {
  await onEachEngine(t, async (t, engine) => {
    const heard: unknown[] = []
    const host = await build(t, { engine, onOrderCreated: (order) => heard.push(order) })
    const made = await host.call('POST', '/shortcode-orders', {
      customer_name: 'Ada',
      customer_mail: 'ada@shop.example',
      views,
    })
    t.equal(made.status, 201)
    const { id, created_date } = made.body.data
    t.equal(made.headers.location, `https://shop.example/wp-json/svc/v1/shortcode-orders/${id}`)
    t.same(made.body.data, {
      id,
      customer_name: 'Ada',
      customer_mail: 'ada@shop.example',
      created_date,
      views,
    })
    t.ok(Math.abs(Date.parse(created_date) - Date.now()) < 600_000)
    t.same(heard, [{ type: 'shortcode', id }])
    const path = `/shortcode-orders/${id}`
    t.same((await host.call('GET', path)).body.data, made.body.data)
    const changed = await host.call('PATCH', path, { id, customer_name: 'Bea' })
    t.same(changed.body.data, { ...made.body.data, customer_name: 'Bea' })
    t.same((await host.call('DELETE', path)).body.data, { id, deleted: true })
    t.match(await host.call('GET', path), { status: 404, body: { code: 'svc_shortcode_order_not_found' } })
    t.equal((await host.call('DELETE', path)).status, 404)
    t.equal((await host.call('PATCH', path, { customer_name: 'x' })).status, 404)
  })
})

t.test('the list is newest first, with views only on request', async (t) => {
  await onEachEngine(t, async (t, engine) => {
    const host = await build(t, { engine })
    const ids = []
    for (let i = 0; i < 3; i++) ids.unshift(await stored(host, { views: text([{ i }]) }))
    const list = await host.call('GET', '/shortcode-orders?limit=2')
    t.same(
      list.body.data.map((order: { id: number }) => order.id),
      ids.slice(0, 2),
    )
    t.same(list.body.meta, { page: 1, limit: 2, total: 3, pages: 2 })
    t.notOk('views' in list.body.data[0])
    const whole = await host.call('GET', '/shortcode-orders?include_data=true&page=2&limit=2')
    t.same(whole.body.data[0].views, [{ i: 0 }])
    t.same((await host.call('GET', '/shortcode-orders?page=9')).body.data, [])
    t.same((await host.call('GET', `/shortcode-orders?include=${ids[1]}&fields=id`)).body.data, [
      { id: ids[1] },
    ])
    t.equal((await host.call('GET', '/shortcode-orders?limit=101')).status, 400)
    await host.call('DELETE', `/shortcode-orders/${ids[0]}`)
    t.equal((await host.call('GET', '/shortcode-orders')).body.meta.total, 2)
  })
})

t.test(
  'views are read alone and inside the whole order of the designer, and stay where they are',
  async (t) => {
    await onEachEngine(t, async (t, engine) => {
      const host = await build(t, { engine })
      const id = await stored(host, { views: text({ product: [{ a: 1 }], usedFonts: ['x'] }) })
      const path = `/shortcode-orders/${id}`
      t.same((await host.call('GET', path)).body.data.views, [{ a: 1 }])
      t.same((await host.call('PATCH', path, { views: [{ b: 2 }] })).body.data.views, [{ b: 2 }])
      const row = await host.db
        .selectFrom(host.t.orders)
        .select('views')
        .where('ID', '=', id)
        .executeTakeFirst()
      t.same(JSON.parse(String(row?.views)), { product: [{ b: 2 }], usedFonts: ['x'] })
      for (const form of [
        '[{"a":1}]',
        '[{\\"a\\":1}]',
        '[{&quot;a&quot;:1}]',
        'a:1:{i:0;a:1:{s:1:"a";i:1;}}',
      ]) {
        const other = await stored(host, { views: form })
        t.same((await host.call('GET', `/shortcode-orders/${other}`)).body.data.views, [{ a: 1 }], form)
      }
    })
  },
)

t.test(
  'a whole order without views reads as an empty list, and gets views beside its other properties',
  async (t) => {
    await onEachEngine(t, async (t, engine) => {
      const host = await build(t, { engine })
      const id = await stored(host, { views: '[{"a":1}]' })
      const path = `/shortcode-orders/${id}`
      const order = { type: 'sc', order: { usedFonts: ['x'] } }
      t.equal((await host.call('PATCH', `/orders/${id}`, order)).status, 200)
      t.same((await host.call('GET', path)).body.data.views, [])
      t.same((await host.call('PATCH', path, { views })).body.data.views, views)
      const { body } = await host.call('GET', `/orders/${id}?type=sc`)
      t.match(body.data.items, [{ usedFonts: ['x'], product: views }])
      for (const empty of ['{}', 'null', '']) {
        const other = await stored(host, { views: empty })
        t.same((await host.call('GET', `/shortcode-orders/${other}`)).body.data.views, [], empty)
      }
    })
  },
)

t.test('an empty customer_mail gives 201', async (t) => {
  await onEachEngine(t, async (t, engine) => {
    const host = await build(t, { engine })
    const { status, body } = await host.call('POST', '/shortcode-orders', { views, customer_mail: '' })
    t.strictSame([status, body.data.customer_mail], [201, ''])
  })
})

t.test('unreadable views are listed in meta, and other fields can be written', async (t) => {
  await onEachEngine(t, async (t, engine) => {
    const host = await build(t, { engine })
    const id = await stored(host, { views: '{broken' })
    const path = `/shortcode-orders/${id}`
    t.match(await host.call('GET', path), {
      status: 500,
      body: { code: 'svc_unreadable_value', data: { row: id, column: 'views' } },
    })
    t.same((await host.call('GET', '/shortcode-orders?include_data=1')).body.meta.unreadable, [
      { id, column: 'views' },
    ])
    t.equal((await host.call('PATCH', path, { customer_name: 'Bea' })).status, 200)
    const row = await host.db.selectFrom(host.t.orders).selectAll().where('ID', '=', id).executeTakeFirst()
    t.match(row, { views: '{broken', customer_name: 'Bea' })
    t.same((await host.call('PATCH', path, { views })).body.data.views, views)
  })
})

t.test('an invalid order gives 400 with the names of all invalid fields', async (t) => {
  const host = await build(t)
  t.match(await host.call('POST', '/shortcode-orders', {}), {
    status: 400,
    body: { data: { params: ['views'] } },
  })
  t.match((await host.call('POST', '/shortcode-orders', { views: [] })).body.data.params, {
    views: 'must have at least 1 items',
  })
  for (const body of [
    { views: [] },
    { views: {} },
    { views: '[]' },
    { views, customer_name: 5 },
    { views, x: 1 },
  ]) {
    t.equal((await host.call('POST', '/shortcode-orders', body)).status, 400, text(body))
  }
  for (const customer_mail of [
    'x',
    'a@b',
    '@b.c',
    'a b@c.d',
    '<b>@c.d',
    'a@c.d, e@f.g',
    `${'a'.repeat(100)}@b.c`,
    'a@b.c\n',
    'a@b..c',
    'a@.b.c',
  ]) {
    t.match(
      await host.call('POST', '/shortcode-orders', { views, customer_mail }),
      { status: 400 },
      customer_mail,
    )
  }
  t.equal(
    (await host.call('POST', '/shortcode-orders', { views, customer_name: 'x'.repeat(301) })).status,
    400,
  )
})

t.test('markup in a name or title is kept as data and sent as JSON that no browser sniffs', async (t) => {
  await onEachEngine(t, async (t, engine) => {
    const host = await build(t, { engine })
    const name = '<img src=x onerror=alert(1)>'
    const made = await host.call('POST', '/shortcode-orders', { customer_name: name, views })
    t.equal(made.body.data.customer_name, name)
    t.same(made.body.data.views, views)
    t.match(made.headers, { 'content-type': /^application\/json/, 'x-content-type-options': 'nosniff' })
  })
})

t.test('an idempotency key creates one order, and the listener is called once', async (t) => {
  await onEachEngine(t, async (t, engine) => {
    const heard: unknown[] = []
    const host = await build(t, { engine, onOrderCreated: (order) => heard.push(order) })
    const make = () => host.call('POST', '/shortcode-orders', { views }, { 'idempotency-key': 'k1' })
    const first = await make()
    t.same((await make()).body.data, first.body.data)
    t.equal(heard.length, 1)
  })
})

t.test('a stale If-Match gives 412', async (t) => {
  const host = await build(t)
  const id = await stored(host, { views: '[]' })
  const path = `/shortcode-orders/${id}`
  const tag = (await host.call('GET', path)).headers.etag ?? ''
  t.equal((await host.call('PATCH', path, { customer_name: 'B' }, { 'if-match': tag })).status, 200)
  t.equal((await host.call('PATCH', path, { customer_name: 'C' }, { 'if-match': tag })).status, 412)
  t.equal((await host.call('DELETE', path, undefined, { 'if-match': tag })).status, 412)
})

// /products/{id}/views: the views of one product, in order and without gaps.
import t from 'tap'
import { newProduct, newView, storedOrder } from '../../support/fixtures/rows.ts'
import { catalogTables, rulesOn } from '../../support/hosts/shared-host.ts'

const rule = rulesOn(t, [...catalogTables, 'orders'])

rule('a view with only a title is empty and appended', async (t, host) => {
  const product = await newProduct(host)
  await newView(host, product)
  const { status, body } = await host.call('POST', `/products/${product}/views`, { title: 'Back' })
  t.equal(status, 201)
  t.strictSame(body.data, {
    id: 2,
    product_id: product,
    title: 'Back',
    thumbnail: '',
    elements: [],
    options: {},
    order: 1,
  })
})

rule('a view with all fields reads back as it was sent', async (t, host) => {
  const product = await newProduct(host)
  const view = {
    title: 'Front \u{1f600}',
    thumbnail: 'data:image/png;base64,AAAA',
    elements: [
      { type: 'text', source: "it's \\ “ü”", parameters: { z: [1.5, null, true], a: '' } },
      [],
      'x',
      7,
      null,
    ],
    options: { stageWidth: 900, deep: { a: { b: {} } } },
  }
  const { body } = await host.call('POST', `/products/${product}/views`, view)
  t.strictSame(body.data, { id: 1, product_id: product, ...view, order: 0 })
  t.equal(JSON.stringify(body.data.elements), JSON.stringify(view.elements))
  t.strictSame((await host.call('GET', `/products/${product}/views`)).body.data, [body.data])
})

rule(
  'order inserts the view at that position from 0 and moves later ones back; beyond the end it appends',
  async (t, host) => {
    const product = await newProduct(host)
    for (const [title, order] of [
      ['A', 0],
      ['B', 5],
      ['C', 0],
      ['D', 1],
      ['E', 4],
      ['F', 2 ** 40],
    ] as const) {
      await newView(host, product, { title, order })
    }
    t.strictSame(await storedOrder(host, product), [
      ['C', 0],
      ['D', 1],
      ['A', 2],
      ['B', 3],
      ['E', 4],
      ['F', 5],
    ])
    const { body } = await host.call('GET', `/products/${product}/views`)
    t.strictSame(body.data.map((view: { title: string }) => view.title).join(''), 'CDABEF')
    for (const order of [-1, 0.5, '0', null]) {
      t.equal(
        (await host.call('POST', `/products/${product}/views`, { title: 'x', order })).status,
        400,
        String(order),
      )
    }
  },
)

rule('a view that is inserted among disordered ones leaves them in order', async (t, host) => {
  const product = await newProduct(host)
  for (const [title, view_order] of [
    ['B', 7],
    ['A', -3],
    ['C', 7],
    ['D', 1000],
  ] as const) {
    await host.db.insertInto(host.t.views).values({ product_id: product, title, view_order }).execute()
  }
  await newView(host, product, { title: 'new', order: 2 })
  t.strictSame(await storedOrder(host, product), [
    ['A', 0],
    ['B', 1],
    ['new', 2],
    ['C', 3],
    ['D', 4],
  ])
})

rule('views of an unknown product give 404, and none is created', async (t, { call, db, t: names }) => {
  t.match(await call('GET', '/products/9/views'), { status: 404, body: { code: 'svc_product_not_found' } })
  t.match(await call('POST', '/products/9/views', { title: 'x' }), {
    status: 404,
    body: { code: 'svc_product_not_found' },
  })
  t.equal((await db.selectFrom(names.views).select('ID').execute()).length, 0)
})

rule('a product without views responds with an empty list', async (t, host) => {
  const { status, body } = await host.call('GET', `/products/${await newProduct(host)}/views`)
  t.strictSame([status, body], [200, { success: true, data: [], meta: { total: 0 } }])
})

rule('concurrently created views have positions without gaps or duplicates', async (t, host) => {
  const product = await newProduct(host)
  const made = await Promise.all(
    Array.from({ length: 12 }, (_, i) =>
      host.call('POST', `/products/${product}/views`, {
        title: `${i}`,
        ...(i % 3 === 0 ? { order: 0 } : {}),
      }),
    ),
  )
  t.ok(made.every(({ status }) => status === 201))
  const orders = (await storedOrder(host, product)).map(([, order]) => order)
  t.strictSame(
    orders,
    Array.from({ length: 12 }, (_, i) => i),
  )
})

rule('page or limit gives a page of the views', async (t, host) => {
  const product = await newProduct(host)
  for (const title of ['a', 'b', 'c']) await host.call('POST', `/products/${product}/views`, { title })
  const { body, headers } = await host.call('GET', `/products/${product}/views?limit=2&page=2&fields=title`)
  t.same(body, { success: true, data: [{ title: 'c' }], meta: { page: 2, limit: 2, total: 3, pages: 2 } })
  t.strictSame([headers['x-wp-total'], headers['x-wp-totalpages']], ['3', '2'])
  t.equal((await host.call('GET', `/products/${product}/views?limit=0`)).status, 400)
})

rule('views are in the order of their stored places, equal ones by id', async (t, host) => {
  const products = [await newProduct(host), await newProduct(host)]
  const places = [3, 100, 1, 0, -2, 1, 10]
  for (const view_order of places)
    for (const product of products) {
      const ID = await newView(host, product, { title: `of ${product}` })
      await host.db
        .updateTable(host.t.views)
        .set({ title: `${view_order} of ${product}` })
        .where('ID', '=', ID)
        .execute()
    }
  for (const { ID, title } of await host.db.selectFrom(host.t.views).select(['ID', 'title']).execute()) {
    const view_order = Number.parseInt(String(title), 10)
    await host.db.updateTable(host.t.views).set({ view_order }).where('ID', '=', ID).execute()
  }
  const stored = await host.db
    .selectFrom(host.t.views)
    .select(['ID', 'product_id'])
    .orderBy('product_id')
    .orderBy('view_order')
    .orderBy('ID')
    .execute()
  const list = (await host.call('GET', '/products?include_views=1&order=asc')).body.data
  for (const product of products) {
    const ids = stored.filter(({ product_id }) => product_id === product).map(({ ID }) => ID)
    t.equal(ids.length, places.length)
    const idsIn = (views: { id: number }[]) => views.map(({ id }) => id)
    t.strictSame(idsIn((await host.call('GET', `/products/${product}/views`)).body.data), ids)
    t.strictSame(idsIn((await host.call('GET', `/products/${product}?include_views=1`)).body.data.views), ids)
    t.strictSame(idsIn(list.find(({ id }: { id: number }) => id === product).views), ids)
    const { body } = await host.call('GET', `/products/${product}/views?fields=id,title`)
    t.strictSame(body.data[0], { id: ids[0], title: `-2 of ${product}` })
  }
})

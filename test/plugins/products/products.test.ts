// /products and /products/{id}: creating, changing and deleting products.
import t from 'tap'
import { newCategory, newProduct, newView, storedOrder } from '../../support/fixtures/rows.ts'
import { build } from '../../support/hosts/build.ts'
import { catalogTables, rulesOn } from '../../support/hosts/shared-host.ts'

const rule = rulesOn(t, [...catalogTables, 'orders'])

rule('a product with only a title is an empty catalog product', async (t, host) => {
  const { status, body } = await host.call('POST', '/products', { title: 'Shirt' })
  t.equal(status, 201)
  t.strictSame(body.data, {
    id: 1,
    title: 'Shirt',
    type: 'catalog',
    thumbnail: '',
    options: {},
    user_id: 0,
    categories: [],
  })
  const row = await host.db.selectFrom(host.t.products).selectAll().executeTakeFirst()
  t.match(row, { type: 'catalog', thumbnail: '', options: '{}' }, 'in the row as well, which PHP reads')
})

rule('a product with all fields reads back as it was sent', async (t, host) => {
  const categories = [await newCategory(host, 'Cups'), await newCategory(host, 'Gifts')]
  const options = { b: [1, null, { ü: '\u{1f600}' }], a: '', '': false, 'a.b': "x'\\", n: -1.5 }
  const product = {
    title: '  Cup “50%” \u{1f600} ',
    type: 'template',
    thumbnail: 'https://x.example/a.png?b=1&c',
    options,
  }
  const { body } = await host.call('POST', '/products', { ...product, categories: [...categories].reverse() })
  t.strictSame(body.data, { id: 1, ...product, user_id: 0, categories })
  t.equal(JSON.stringify(body.data.options), JSON.stringify(options), 'properties keep their order')
  const row = await host.db.selectFrom(host.t.products).select(['options', 'title']).executeTakeFirstOrThrow()
  t.strictSame([row.options, row.title], [JSON.stringify(options), product.title], 'and is stored as it is')
})

rule(
  'a title has 1 to 255 characters and not only whitespace, on every route that takes one',
  async (t, host) => {
    const product = await newProduct(host)
    const view = await newView(host, product)
    const longest = '\u{1f600}'.repeat(255)
    for (const [method, path] of [
      ['POST', '/products'],
      ['PATCH', `/products/${product}`],
      ['POST', `/products/${product}/views`],
      ['PATCH', `/views/${view}`],
      ['POST', `/views/${view}/duplicate`],
    ] as const) {
      for (const title of ['', ' ', '\t\n\u00a0\u2003', `${longest}x`, 'a\u0000b', '\ud800x']) {
        const { status, body } = await host.call(method, path, { title })
        t.strictSame(
          [status, Object.keys(body.data.params ?? {})],
          [400, ['title']],
          `${path} ${title.slice(0, 9)}`,
        )
      }
      t.equal((await host.call(method, path, { title: longest })).body.data.title, longest, path)
    }
  },
)

rule('PATCH changes the given fields and nothing else', async (t, host) => {
  const category = await newCategory(host, 'Cups')
  const id = await newProduct(host, { thumbnail: 'a.png', options: { a: 1 }, categories: [category] })
  let expected = (await host.call('GET', `/products/${id}`)).body.data
  for (const change of [
    { title: 'New' },
    { type: 'template' },
    { thumbnail: '' },
    { categories: [] },
    { title: 'Newer', type: 'catalog' },
  ]) {
    const { status, body } = await host.call('PATCH', `/products/${id}`, change)
    expected = { ...expected, ...change }
    t.strictSame([status, body.data], [200, expected], JSON.stringify(change))
    t.strictSame((await host.call('GET', `/products/${id}`)).body.data, expected)
  }
})

rule('options are merged: objects by property, null removes, anything else replaces', async (t, host) => {
  const id = await newProduct(host, { options: { a: { b: 1, c: [1, 2], d: { e: 1 } }, f: 'x', g: 0 } })
  const merge = async (options: object) =>
    (await host.call('PATCH', `/products/${id}`, { options })).body.data.options
  t.strictSame(await merge({ a: { b: null, c: [3] } }), { a: { c: [3], d: { e: 1 } }, f: 'x', g: 0 })
  t.strictSame(await merge({ f: { h: { i: null, j: 1 } }, nothing: null }), {
    a: { c: [3], d: { e: 1 } },
    f: { h: { j: 1 } },
    g: 0,
  })
  t.strictSame(await merge({ a: { d: 5 }, g: null }), { a: { c: [3], d: 5 }, f: { h: { j: 1 } } })
  t.strictSame(await merge({ a: [null], f: { h: { j: null } } }), { a: [null], f: { h: {} } })
  t.strictSame(await merge({}), { a: [null], f: { h: {} } })
})

rule(
  'categories are replaced as a set; unknown ids give 400 with the ids, and nothing is written',
  async (t, host) => {
    const [cups, gifts] = [await newCategory(host, 'Cups'), await newCategory(host, 'Gifts')]
    const id = await newProduct(host)
    const set = (categories: unknown) =>
      host.call('PATCH', `/products/${id}`, { title: 'Changed', categories })
    t.strictSame((await set([gifts, cups, gifts, gifts])).body.data.categories, [cups, gifts])
    t.strictSame((await set([gifts])).body.data.categories, [gifts])
    await host.call('PATCH', `/products/${id}`, { title: 'Before' })
    const { status, body } = await set([cups, 998, 999, 998])
    t.strictSame([status, body.code], [400, 'rest_invalid_param'])
    t.equal(body.data.params.categories, 'names categories that do not exist: 998, 999')
    for (const wrong of [[-1], [0], [1.5], ['1'], [null], [[1]], {}, 1])
      t.equal((await set(wrong)).status, 400, JSON.stringify(wrong))
    t.match((await host.call('GET', `/products/${id}`)).body.data, { title: 'Before', categories: [gifts] })
    t.match(await host.call('POST', '/products', { title: 'x', categories: [999] }), { status: 400 })
    t.equal((await host.call('GET', '/products')).body.meta.total, 1)
  },
)

rule('sorted_views puts the views in that order', async (t, host) => {
  const id = await newProduct(host)
  const [a, b, c] = [
    await newView(host, id, { title: 'A' }),
    await newView(host, id, { title: 'B' }),
    await newView(host, id, { title: 'C' }),
  ]
  const { status, body } = await host.call('PATCH', `/products/${id}?include_views=1`, {
    sorted_views: [c, a, b].map((view) => ({ id: view })),
  })
  t.equal(status, 200)
  t.strictSame(
    body.data.views.map((view: { title: string; order: number }) => [view.title, view.order]),
    [
      ['C', 0],
      ['A', 1],
      ['B', 2],
    ],
  )
  t.strictSame(await storedOrder(host, id), [
    ['C', 0],
    ['A', 1],
    ['B', 2],
  ])
})

rule('sorted_views without every view exactly once gives 400, and nothing is written', async (t, host) => {
  const [id, other] = [await newProduct(host), await newProduct(host)]
  const [a, b] = [await newView(host, id, { title: 'A' }), await newView(host, id, { title: 'B' })]
  const foreign = await newView(host, other)
  for (const ids of [[], [a], [a, a], [a, b, b], [a, foreign], [a, b, foreign], [a, 999]]) {
    const sorted_views = ids.map((view) => ({ id: view }))
    const { status, body } = await host.call('PATCH', `/products/${id}`, { title: 'Changed', sorted_views })
    t.strictSame([status, Object.keys(body.data.params)], [400, ['sorted_views']], JSON.stringify(ids))
    t.match(body.message, new RegExp(`${a}, ${b}`))
  }
  for (const wrong of [[a, b], [{ id: String(a) }, { id: b }], [{}, {}], [{ id: a, x: 1 }, { id: b }], {}]) {
    t.equal((await host.call('PATCH', `/products/${id}`, { sorted_views: wrong })).status, 400)
  }
  t.equal((await host.call('GET', `/products/${id}`)).body.data.title, 'Shirt')
  t.strictSame(await storedOrder(host, id), [
    ['A', 0],
    ['B', 1],
  ])
})

rule('deleting a product deletes its views and assignments, and no others', async (t, host) => {
  const category = await newCategory(host, 'Cups')
  const [id, other] = [
    await newProduct(host, { categories: [category] }),
    await newProduct(host, { categories: [category] }),
  ]
  for (const product of [id, id, other]) await newView(host, product)
  t.equal((await host.call('DELETE', `/products/${id}`)).status, 200)
  const left = async (table: 'views' | 'category_products') =>
    (await host.db.selectFrom(host.t[table]).select('product_id').execute()).map((row) => row.product_id)
  t.strictSame([await left('views'), await left('category_products')], [[other], [other]])
  t.strictSame((await host.call('GET', `/categories/${category}`)).body.data.products, [other])
})

t.test('an unknown type gives 400', async (t) => {
  const host = await build(t)
  await newProduct(host)
  for (const type of ['Catalog', 'shirt', '']) {
    const { status, body } = await host.call('PATCH', '/products/1', { type })
    t.strictSame([status, body.data.params], [400, { type: 'must be one of catalog, template' }])
  }
})

rule('concurrent changes leave a product consistent', async (t, host) => {
  const [cups, gifts] = [await newCategory(host, 'Cups'), await newCategory(host, 'Gifts')]
  const id = await newProduct(host)
  const writes = Array.from({ length: 10 }, (_, i) =>
    host.call('PATCH', `/products/${id}`, {
      options: { [`k${i}`]: i },
      categories: i % 2 ? [cups] : [gifts],
    }),
  )
  t.ok((await Promise.all(writes)).every(({ status }) => status === 200))
  const { data } = (await host.call('GET', `/products/${id}`)).body
  t.equal(Object.keys(data.options).length, 10, 'no merge is lost')
  t.equal(data.categories.length, 1)
})

// /categories: product categories and their assignment.
import t from 'tap'
import { newCategory, newProduct, newView } from '../support/fixtures/rows.ts'
import { catalogTables, rulesOn } from '../support/hosts/shared-host.ts'

const rule = rulesOn(t, catalogTables)

rule('GET of a category returns its products by default, the list only on request', async (t, host) => {
  const product = await newProduct(host)
  const { status, body, headers } = await host.call('POST', '/categories', { title: 'Cups' })
  t.strictSame([status, body.data], [201, { id: 1, title: 'Cups', products: [] }])
  t.match(headers.location, /\/svc\/v1\/categories\/1$/)
  await host.call('PATCH', '/categories/1', { products: [product] })
  const data = async (path: string) => (await host.call('GET', path)).body.data
  t.strictSame(await data('/categories'), [{ id: 1, title: 'Cups' }])
  t.strictSame(await data('/categories?include_products=true'), [
    { id: 1, title: 'Cups', products: [product] },
  ])
  t.strictSame(await data('/categories/1'), { id: 1, title: 'Cups', products: [product] })
  t.strictSame(await data('/categories/1?include_products=false'), { id: 1, title: 'Cups' })
})

rule('the list returns all categories by title, ignoring case', async (t, host) => {
  for (const title of ['beta', 'Äpfel', 'Alpha', 'ALPHA 2', 'gamma']) await newCategory(host, title)
  for (let i = 10; i < 35; i++) await newCategory(host, `n${i}`)
  const { body } = await host.call('GET', '/categories')
  const titles = body.data.map((item: { title: string }) => item.title)
  t.strictSame([titles.length, body.meta], [30, { total: 30 }], 'more than a page')
  t.strictSame(titles.slice(0, 5), ['Alpha', 'ALPHA 2', 'beta', 'gamma', 'n10'])
})

rule(
  'products replaces the assignment: duplicates collapse, and other products are removed',
  async (t, host) => {
    const [a, b, c] = [await newProduct(host), await newProduct(host), await newProduct(host)]
    const id = await newCategory(host, 'Cups')
    const set = async (products: number[]) =>
      (await host.call('PATCH', `/categories/${id}`, { products })).body.data.products
    t.strictSame(await set([c, a, c, a]), [a, c])
    t.strictSame(await set([b]), [b])
    t.strictSame((await host.call('GET', `/products/${b}`)).body.data.categories, [id])
    t.strictSame((await host.call('GET', `/products/${a}`)).body.data.categories, [])
    t.strictSame(await set([]), [])
  },
)

rule('unknown product ids give 400 with their ids, and nothing is written', async (t, host) => {
  const product = await newProduct(host)
  const id = await newCategory(host, 'Cups', [product])
  const { status, body } = await host.call('PATCH', `/categories/${id}`, {
    title: 'Changed',
    products: [product, 998, 999],
  })
  t.strictSame([status, body.data.params], [400, { products: 'names products that do not exist: 998, 999' }])
  for (const wrong of [[-1], [0], [1.5], ['1'], [null], [2 ** 53], {}, 'x']) {
    const response = await host.call('PATCH', `/categories/${id}`, { products: wrong })
    t.strictSame([response.status, response.body.code], [400, 'rest_invalid_param'], JSON.stringify(wrong))
  }
  const many = await host.call('PATCH', `/categories/${id}`, {
    products: Array.from({ length: 5000 }, (_, i) => i + 1),
  })
  t.match(many.body.data.params.products, /and 4979 more$/)
  t.strictSame((await host.call('GET', `/categories/${id}`)).body.data, {
    id,
    title: 'Cups',
    products: [product],
  })
})

rule('clear removes all products and responds with the category', async (t, host) => {
  const product = await newProduct(host)
  const [id, other] = [
    await newCategory(host, 'Cups', [product]),
    await newCategory(host, 'Gifts', [product]),
  ]
  const { status, body, headers } = await host.call('POST', `/categories/${id}/clear`)
  t.strictSame([status, body.data], [200, { id, title: 'Cups', products: [] }])
  t.equal(headers.location, undefined)
  t.strictSame((await host.call('GET', `/products/${product}`)).body.data.categories, [other])
})

rule('POST /categories/{id}/clear: 404 when there is no such category', async (t, host) => {
  for (const headers of [{}, { prefer: 'return=minimal' }])
    t.match(await host.call('POST', '/categories/99/clear', undefined, headers), {
      status: 404,
      body: { code: 'svc_category_not_found' },
    })
})

rule('deleting a category keeps its products', async (t, host) => {
  const product = await newProduct(host)
  await newView(host, product)
  const id = await newCategory(host, 'Cups', [product])
  t.strictSame((await host.call('DELETE', `/categories/${id}`)).body.data, { id, deleted: true })
  t.strictSame((await host.call('GET', `/products/${product}?include_views=1`)).body.data.views.length, 1)
  t.equal((await host.db.selectFrom(host.t.category_products).select('product_id').execute()).length, 0)
  t.match(await host.call('DELETE', `/categories/${id}`), {
    status: 404,
    body: { code: 'svc_category_not_found' },
  })
})

rule('PATCH takes title, products or both, and responds with the whole category', async (t, host) => {
  const product = await newProduct(host)
  const id = await newCategory(host, 'Cups')
  const change = async (body: object) => (await host.call('PATCH', `/categories/${id}`, body)).body.data
  t.strictSame(await change({ title: 'Mugs' }), { id, title: 'Mugs', products: [] })
  t.strictSame(await change({ products: [product] }), { id, title: 'Mugs', products: [product] })
  t.strictSame(await change({ title: 'Cups', products: [] }), { id, title: 'Cups', products: [] })
})

rule('of concurrent assignments, exactly one remains', async (t, host) => {
  const products = [await newProduct(host), await newProduct(host), await newProduct(host)]
  const id = await newCategory(host, 'Cups')
  const sets = [products.slice(0, 2), products.slice(1)]
  const writes = Array.from({ length: 16 }, (_, i) =>
    host.call('PATCH', `/categories/${id}`, { products: sets[i % 2] }),
  )
  t.ok((await Promise.all(writes)).every(({ status }) => status === 200))
  const { data } = (await host.call('GET', `/categories/${id}`)).body
  t.ok(
    sets.some((set) => set.join() === data.products.join()),
    data.products.join(),
  )
})

rule('a product and a category can set the same assignment concurrently', async (t, host) => {
  const product = await newProduct(host)
  const id = await newCategory(host, 'Cups')
  const writes = Array.from({ length: 12 }, (_, i) =>
    i % 2
      ? host.call('PATCH', `/categories/${id}`, { products: [product] })
      : host.call('PATCH', `/products/${product}`, { categories: [id] }),
  )
  t.ok((await Promise.all(writes)).every(({ status }) => status === 200))
  t.equal((await host.db.selectFrom(host.t.category_products).select('product_id').execute()).length, 1)
})

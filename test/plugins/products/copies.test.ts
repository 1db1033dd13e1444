// POST /products in its other two forms: a copy of a product, and a product from a template.
import t from 'tap'
import { newCategory, newProduct, newView } from '../../support/fixtures/rows.ts'
import { catalogTables, rulesOn } from '../../support/hosts/shared-host.ts'

const rule = rulesOn(t, catalogTables)

rule('a copy has the views, options and categories of its source, as rows of its own', async (t, host) => {
  const category = await newCategory(host, 'Cups')
  const source = await newProduct(host, {
    title: 'Mug',
    type: 'template',
    thumbnail: 'a.png',
    options: { a: 1 },
    categories: [category],
  })
  for (const title of ['Front', 'Back'])
    await newView(host, source, { title, elements: [{ title }], options: { o: title } })
  const { status, body, headers } = await host.call('POST', '/products?include_views=1', {
    duplicate_product_id: source,
  })
  t.equal(status, 201)
  t.match(headers.location, new RegExp(`/products/${body.data.id}$`))
  const original = (await host.call('GET', `/products/${source}?include_views=1`)).body.data
  t.strictSame(plain(body.data), { ...plain(original), title: 'Mug (Copy)' })
  await host.call('PATCH', `/views/${body.data.views[0].id}`, { title: 'Changed' })
  t.strictSame(
    (await host.call('GET', `/products/${source}?include_views=1`)).body.data,
    original,
    'the source stays',
  )
})

/** A product without the fields that differ in a copy. */
function plain({
  id: _,
  views,
  ...product
}: {
  id: number
  title: string
  views: { id: number; product_id: number }[]
}) {
  return { ...product, views: views.map(({ id: _, product_id: __, ...view }) => view) }
}

rule('a copy may have a title of its own; the default one has at most 255 characters', async (t, host) => {
  const source = await newProduct(host, { title: '\u{1f600}'.repeat(255) })
  const named = await host.call('POST', '/products', { duplicate_product_id: source, title: 'Other' })
  t.equal(named.body.data.title, 'Other')
  const usual = await host.call('POST', '/products', { duplicate_product_id: source })
  t.equal(usual.body.data.title, `${'\u{1f600}'.repeat(248)} (Copy)`)
  const again = await host.call('POST', '/products', { duplicate_product_id: named.body.data.id })
  t.equal(again.body.data.title, 'Other (Copy)')
})

rule('a product from a template is a catalog product with the template’s views', async (t, host) => {
  const category = await newCategory(host, 'Cups')
  const template = await newProduct(host, {
    title: 'Mug',
    type: 'template',
    thumbnail: 'a.png',
    options: { a: 1 },
    categories: [category],
  })
  for (const title of ['Front', 'Back']) await newView(host, template, { title, elements: [title] })
  const { status, body } = await host.call('POST', '/products?include_views=1', { template_id: template })
  t.equal(status, 201)
  t.match(body.data, {
    title: 'Mug',
    type: 'catalog',
    thumbnail: 'a.png',
    options: { a: 1 },
    user_id: 0,
    categories: [],
  })
  t.match(body.data.views, [
    { title: 'Front', order: 0, elements: ['Front'] },
    { title: 'Back', order: 1 },
  ])
  const named = await host.call('POST', '/products', { template_id: template, title: 'My mug' })
  t.equal(named.body.data.title, 'My mug')
})

rule('title, type and thumbnail beside a source override those of the source', async (t, host) => {
  const template = await newProduct(host, {
    title: 'Mug',
    type: 'template',
    thumbnail: 'a.png',
    options: { a: 1 },
  })
  await newView(host, template, { title: 'Front' })
  const overrides = { title: 'My mug', type: 'catalog', thumbnail: '' }
  for (const source of [{ duplicate_product_id: template }, { template_id: template }]) {
    const made = await host.call('POST', '/products?include_views=1', { ...source, ...overrides })
    t.match(made, { status: 201, body: { data: { ...overrides, options: { a: 1 } } } })
    t.match(made.body.data.views, [{ title: 'Front' }])
  }
  const copy = await host.call('POST', '/products', { duplicate_product_id: template, thumbnail: 'b.png' })
  t.match(copy.body.data, { title: 'Mug (Copy)', type: 'template', thumbnail: 'b.png' })
  t.match(await host.call('POST', '/products', { template_id: template, type: 'template' }), {
    status: 400,
    body: { data: { params: { type: 'must be catalog together with template_id' } } },
  })
})

rule('an unknown source, or one that is not a template, gives 400 with its id', async (t, host) => {
  const catalog = await newProduct(host)
  for (const [body, problem] of [
    [{ duplicate_product_id: 999 }, 'names products that do not exist: 999'],
    [{ template_id: 998 }, 'names products that do not exist: 998'],
    [{ template_id: catalog }, `names the product ${catalog}, which is not a template`],
  ] as const) {
    const response = await host.call('POST', '/products', body)
    t.strictSame([response.status, Object.values(response.body.data.params)], [400, [problem]])
  }
  t.equal((await host.call('GET', '/products')).body.meta.total, 1)
})

rule('a body with more or less than one of the three forms gives 400', async (t, host) => {
  const template = await newProduct(host, { type: 'template' })
  for (const body of [
    { duplicate_product_id: template, template_id: template },
    { duplicate_product_id: template, options: {} },
    { duplicate_product_id: template, title: 'x', options: {} },
    { duplicate_product_id: template, categories: [] },
    { template_id: template, thumbnail: '', categories: [] },
    { template_id: template, title: 'x', options: { a: 1 } },
  ]) {
    const { status, body: response } = await host.call('POST', '/products', body)
    t.strictSame([status, response.code], [400, 'rest_invalid_param'], JSON.stringify(body))
    t.match(Object.values(response.data.params).join(), /cannot be combined/)
  }
  t.match(await host.call('POST', '/products', { type: 'template' }), {
    status: 400,
    body: { data: { params: ['title'] } },
  })
  for (const wrong of [0, -1, 1.5, '1', null, []]) {
    t.equal(
      (await host.call('POST', '/products', { duplicate_product_id: wrong })).status,
      400,
      JSON.stringify(wrong),
    )
    t.equal((await host.call('POST', '/products', { title: 'x', template_id: wrong })).status, 400)
  }
  t.equal((await host.call('GET', '/products?type=all')).body.meta.total, 1)
})

rule('a copy puts disordered views into order', async (t, host) => {
  const source = await newProduct(host)
  const rows = [
    [7, 'C'],
    [3, 'A'],
    [3, 'B'],
    [900, 'D'],
  ] as const
  for (const [view_order, title] of rows) {
    await host.db.insertInto(host.t.views).values({ product_id: source, title, view_order }).execute()
  }
  const { body } = await host.call('POST', '/products?include_views=1', { duplicate_product_id: source })
  const order = body.data.views.map((view: { title: string; order: number }) => `${view.order} ${view.title}`)
  t.strictSame(order, ['0 A', '1 B', '2 C', '3 D'])
})

rule('blobs are copied byte for byte, in any encoding', async (t, host) => {
  const source = await newProduct(host)
  await newView(host, source)
  const stored = '{ "a" : 12345678901234567890 , "b":"\\u00e4\\/" }'
  const php = 'a:1:{i:0;s:2:"ä";}'
  await host.db.updateTable(host.t.products).set({ options: stored }).execute()
  await host.db.updateTable(host.t.views).set({ elements: php, options: '{broken' }).execute()
  await host.call('POST', '/products', { duplicate_product_id: source })
  const products = await host.db.selectFrom(host.t.products).select('options').execute()
  const views = await host.db.selectFrom(host.t.views).select(['elements', 'options']).execute()
  t.strictSame(
    products.map((row) => row.options),
    [stored, stored],
  )
  t.strictSame(
    views.map((row) => [row.elements, row.options]),
    [
      [php, '{broken'],
      [php, '{broken'],
    ],
  )
})

// Query parameters of the CMS's and the shop's own collections: taken where they mean the same, refused where they would
// be ignored.
import t from 'tap'
import { build } from '../../support/hosts/build.ts'

t.test('GET /products: per_page, orderby and category mean limit, order_by and category_id', async (t) => {
  const { call } = await build(t)
  for (const title of ['b', 'a', 'c']) await call('POST', '/products', { title })
  await call('POST', '/categories', { title: 'Mugs' })
  await call('PATCH', '/categories/1', { products: [1, 2] })
  const { body, headers } = await call(
    'GET',
    '/products?per_page=1&orderby=title&order=asc&category=1&_fields=title',
  )
  t.strictSame(body.data, [{ title: 'a' }])
  t.match(body.meta, { limit: 1, total: 2, pages: 2 })
  const [next] = /[^<]+(?=>)/.exec(String(headers.link)) ?? []
  const second = await call('GET', String(next).replace(/.*svc\/v1/, ''))
  t.strictSame(second.body.data, [{ title: 'b' }], 'the link to the next page keeps all of them')
  const refused = await call('GET', '/products?per_page=500&orderby=date&category=mugs')
  t.strictSame(refused.body.data.params, {
    per_page: 'must be between 1 and 100',
    orderby: 'must be one of id, title',
    category: 'must be an integer',
  })
})

t.test('GET /products: an alias beside the parameter that it stands for is 400', async (t) => {
  const { call } = await build(t)
  const { status, body } = await call('GET', '/products?per_page=2&limit=1')
  t.equal(status, 400)
  t.strictSame(body.data.params, { per_page: 'is another name of limit, and must not be sent with it' })
})

t.test('lists: filters of the CMS that they do not have are 400 and name what replaces them', async (t) => {
  const { call } = await build(t)
  const names = [
    'offset',
    'after',
    'before',
    'modified_after',
    'modified_before',
    'exclude',
    'parent',
    'parent_exclude',
    'slug',
    'sku',
    'status',
    'tag',
    'customer',
    'product',
    'dates_are_gmt',
    'featured',
    'on_sale',
    'min_price',
    'max_price',
    'stock_status',
  ]
  for (const name of names) {
    for (const parameter of [name, `${name}[]`]) {
      const { status, body } = await call('GET', `/products?${parameter}=1`)
      t.strictSame([status, body.code], [400, 'rest_invalid_param'], parameter)
      t.match(body.data.params[name], /^is not a (filter|parameter)/, parameter)
    }
  }
  const problem = async (path: string) => Object.entries((await call('GET', path)).body.data?.params ?? {})
  t.strictSame(await problem('/products?offset=20'), [
    ['offset', 'is not a parameter of this list; use page'],
  ])
  t.strictSame(await problem('/pricing-rules?page=2'), [
    ['page', 'is not a parameter of this list; use offset'],
  ])
  t.strictSame(await problem('/design-categories?parent=3'), [
    ['parent', 'is not a filter of this list; use parent_id'],
  ])
  t.match(await problem('/orders?orderby=date'), [['orderby', /^is not a parameter/]])
  t.match(await problem('/orders?category=1'), [['category', /^is not a filter/]])
  t.match(await problem('/products?category[]=1'), [['category[]', 'must be written as category=…']])
})

t.test(
  'lists without pages: per_page and page are ignored, as the headers say that there is one page',
  async (t) => {
    const { call } = await build(t)
    await call('POST', '/categories', { title: 'Mugs' })
    const { body, headers } = await call('GET', '/categories?per_page=100&page=2')
    t.strictSame([body.meta, headers['x-wp-totalpages']], [{ total: 1 }, '1'])
    for (const query of ['offset=100', 'status=publish', 'orderby=date'])
      t.equal((await call('GET', `/categories?${query}`)).status, 400, query)
  },
)

t.test('a filter that a list has under the name of the CMS is its own', async (t) => {
  const { call } = await build(t)
  for (const path of ['/print-jobs?status=failed', '/pricing-rules?offset=20&per_page=20'])
    t.equal((await call('GET', path)).status, 200, path)
})

t.test('everything else that clients of the CMS add is ignored, on lists and single resources', async (t) => {
  const { call } = await build(t)
  await call('POST', '/products', { title: 'Mug' })
  const query = 'context=edit&_embed&_locale=user&rest_route=/svc/v1/products&_=1&order=asc'
  t.equal((await call('GET', `/products?${query}`)).status, 200)
  t.equal((await call('GET', `/categories?${query}`)).status, 200)
  t.equal((await call('GET', '/products/1?status=publish&page=2&per_page=5')).status, 200)
})

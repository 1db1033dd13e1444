// Query values are strings: they are converted strictly, and refused by name if that fails.
import t from 'tap'
import { newCategory, newProduct, newView } from '../../support/fixtures/rows.ts'
import { build } from '../../support/hosts/build.ts'
import { rule, ruleOnce } from '../../support/hosts/fresh-host.ts'

t.test('a number in a query must be written plainly and lie in its range', async (t) => {
  const { call } = await build(t)
  for (const value of [
    '0',
    '101',
    '-1',
    '+5',
    '5.0',
    '1e1',
    '0x5',
    ' 5',
    '5 ',
    'five',
    '',
    '٥',
    '9'.repeat(20),
  ]) {
    const { status, body } = await call('GET', `/products?limit=${encodeURIComponent(value)}`)
    t.equal(status, 400, value)
    t.equal(body.code, 'rest_invalid_param')
    t.match(body.data.params, { limit: /^must be (between 1 and 100|an integer)$/ }, value)
  }
  for (const value of ['1', '100'])
    t.equal((await call('GET', `/products?limit=${value}`)).status, 200, value)
  t.match((await call('GET', '/products?page=0')).body.data.params, { page: 'must be at least 1' })
})

ruleOnce(
  'true and 1 are true; false, 0 and nothing are false; any other string is refused',
  async (t, host) => {
    await newView(host, await newProduct(host))
    const ask = (value: string) => host.call('GET', `/products/1?include_views=${value}`)
    for (const value of ['true', '1']) t.equal((await ask(value)).body.data.views?.length, 1, value)
    for (const value of ['false', '0', '']) t.notOk('views' in (await ask(value)).body.data, value)
    for (const value of ['TRUE', 'yes', 'on', '2', 'null', ' 1', 'truee']) {
      const { status, body } = await ask(value)
      t.equal(status, 400, value)
      t.strictSame(body.data.params, { include_views: 'must be true or false' })
    }
  },
)

t.test('a query parameter without a value is false where it is a switch', async (t) => {
  const host = await build(t)
  await newProduct(host)
  t.notOk('views' in (await host.call('GET', '/products/1?include_views')).body.data)
})

t.test('unknown query parameters are ignored, whatever they are called', async (t) => {
  const { call } = await build(t)
  for (const query of [
    'nonsense=1',
    '_=2',
    '__proto__=1',
    'constructor=x',
    'limit[]=0',
    'hasOwnProperty=1',
    '=',
    '&&',
  ]) {
    t.equal((await call('GET', `/products?${query}`)).status, 200, query)
  }
})

t.test('a parameter given twice is refused, for nobody can know which one counts', async (t) => {
  const { call } = await build(t)
  const { status, body } = await call('GET', '/products?limit=1&limit=2&page=1&page=1')
  t.equal(status, 400)
  t.strictSame(body.data.params, { limit: 'must be given once', page: 'must be given once' })
})

t.test('a list may be written in brackets, as clients of the CMS write it', async (t) => {
  const { call } = await build(t)
  for (const title of ['a', 'b', 'c', 'd']) await call('POST', '/products', { title })
  for (const query of [
    'include[]=1&include[]=3',
    'include%5B%5D=1&include%5B%5D=3',
    'include[0]=1&include[1]=3',
    'include[]=1,3',
    'include[]=3&include=1',
  ]) {
    const { status, body, headers } = await call('GET', `/products?order=asc&limit=1&${query}`)
    t.strictSame([status, body.meta?.total, body.data?.[0]?.id], [200, 2, 1], query)
    const [next] = /[^<]+(?=>)/.exec(String(headers.link)) ?? []
    const { searchParams } = new URL(String(next))
    const following = await call('GET', `/products?${searchParams}`)
    t.strictSame([following.body.meta.total, following.body.data[0].id], [2, 3], query)
  }
  for (const query of ['fields[]=id&fields[]=title', '_fields[]=id&_fields[]=title', '_fields[0]=id,title']) {
    const { body } = await call('GET', `/products/1?${query}`)
    t.strictSame(body.data, { id: 1, title: 'a' }, query)
  }
  for (const [query, name] of [
    ['include[]=1&include[]=x', 'include'],
    ['include[]=0', 'include'],
    ['fields[]=id&fields[]=nonsense', 'fields'],
    ['_fields[]=nonsense', '_fields'],
  ] as const) {
    const { status, body } = await call('GET', `/products?${query}`)
    t.strictSame([status, Object.keys(body.data.params)], [400, [name]], query)
  }
  t.equal((await call('GET', '/products?include[]=')).body.meta.total, 4, 'an empty list is none')
})

t.test('all wrong parameters are named at once, each with what it must be', async (t) => {
  const { call } = await build(t)
  const { body } = await call(
    'GET',
    '/products?limit=x&page=0&type=shirt&order=up&order_by=price&category_id=0',
  )
  t.strictSame(Object.keys(body.data.params).sort(), [
    'category_id',
    'limit',
    'order',
    'order_by',
    'page',
    'type',
  ])
  t.equal(body.data.params.type, 'must be one of catalog, template, all')
  t.equal(body.data.params.order_by, 'must be one of id, title')
  t.match(body.message, /^Invalid parameter\(s\): .*limit must be an integer.*\.$/)
})

rule('order_by takes only its own two words, so that no SQL comes in by it', async (t, host) => {
  await newProduct(host)
  for (const value of [
    'id;drop table wp_svc_products',
    '(select sleep(5))',
    'ID',
    'title desc',
    'p.ID',
    'options',
    '',
  ]) {
    const { status, body } = await host.call('GET', `/products?order_by=${encodeURIComponent(value)}`)
    t.strictSame([status, body.code], [400, 'rest_invalid_param'], value)
  }
  t.equal((await host.call('GET', '/products')).body.meta.total, 1)
})

rule('include keeps only the named ids, and one that is no id is refused', async (t, host) => {
  for (const title of ['A', 'B', 'C']) await newProduct(host, { title })
  const titles = async (include: string) =>
    (await host.call('GET', `/products?order=asc&include=${include}`)).body.data?.map(
      (item: { title: string }) => item.title,
    )
  t.strictSame(await titles('3,1'), ['A', 'C'])
  t.strictSame(await titles('2,%202,999'), ['B'])
  t.strictSame(await titles('999'), [])
  t.strictSame(await titles(''), ['A', 'B', 'C'], 'an empty list asks for nothing in particular')
  for (const wrong of ['1,x', '0', '-1', '1;2', '1,,2', '1.5', '1,1e1', ',']) {
    t.match(await host.call('GET', `/products?include=${wrong}`), {
      status: 400,
      body: { data: { params: { include: String } } },
    })
  }
})

ruleOnce('include works on every list of things with ids', async (t, host) => {
  const product = await newProduct(host)
  const views = [await newView(host, product), await newView(host, product, { title: 'Back' })]
  for (const title of ['Cups', 'Bags', 'Caps']) await newCategory(host, title)
  const { body: listed } = await host.call('GET', `/products/${product}/views?include=${views[1]},999`)
  t.match(listed, { data: [{ title: 'Back' }], meta: { total: 1 } })
  t.equal(listed.data.length, 1)
  const { body: categories } = await host.call('GET', '/categories?include=1,3&include_products=1')
  t.strictSame(
    categories.data.map((item: { id: number }) => item.id),
    [3, 1],
  )
  for (const path of [`/products/${product}/views`, '/categories', '/categories?include_products=true']) {
    const { status, body } = await host.call('GET', `${path}${path.includes('?') ? '&' : '?'}include=`)
    t.strictSame([status, body.data.length], [200, path.includes('views') ? 2 : 3], path)
  }
})

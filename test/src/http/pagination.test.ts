// Lists by page: totals, the headers that CMS clients read, the links to the neighbours.
import t from 'tap'
import { passSecond } from '../../support/fixtures/clock.ts'
import { newCategory, newProduct, newView } from '../../support/fixtures/rows.ts'
import { build } from '../../support/hosts/build.ts'
import { rule, ruleOnce } from '../../support/hosts/fresh-host.ts'

ruleOnce('a list says which page it is, how many there are and how much there is', async (t, host) => {
  for (let i = 1; i <= 5; i++) await newProduct(host, { title: `Shirt ${i}` })
  const { body, headers } = await host.call('GET', '/products?limit=2&page=2')
  t.strictSame(body.meta, { page: 2, limit: 2, total: 5, pages: 3 })
  t.strictSame([headers['x-wp-total'], headers['x-wp-totalpages']], ['5', '3'])
  t.strictSame(
    body.data.map((item: { id: number }) => item.id),
    [3, 2],
  )
})

ruleOnce('without a word about it, a list is its first 20', async (t, host) => {
  for (let i = 1; i <= 21; i++) await newProduct(host, { title: `Shirt ${i}` })
  const { body } = await host.call('GET', '/products')
  t.strictSame(body.meta, { page: 1, limit: 20, total: 21, pages: 2 })
  t.equal(body.data.length, 20)
})

rule('a page past the end is empty, not an error, however far past', async (t, host) => {
  await newProduct(host)
  for (const page of ['2', '1000000', '9007199254740991']) {
    for (const filter of ['', '&search=shirt']) {
      const { status, body, headers } = await host.call('GET', `/products?limit=100&page=${page}${filter}`)
      t.strictSame([status, body.data, body.meta.total], [200, [], 1], page + filter)
      t.match(headers.link, /[?&]page=1\b.*>; rel="prev"$/)
    }
  }
})

ruleOnce('an empty list has no pages and no neighbours', async (t, { call }) => {
  const { body, headers } = await call('GET', '/products')
  t.strictSame(body, { success: true, data: [], meta: { page: 1, limit: 20, total: 0, pages: 0 } })
  t.strictSame([headers['x-wp-total'], headers['x-wp-totalpages'], headers.link], ['0', '0', undefined])
})

t.test(
  'Link contains the previous and the next page, with the URL of the site and the whole query',
  async (t) => {
    const host = await build(t, { siteUrl: 'https://shop.example/sub/' })
    for (let i = 1; i <= 3; i++) await newProduct(host, { title: `a?b & ü ${i}` })
    const query = `limit=1&search=${encodeURIComponent('a?b & ü')}`
    const { headers } = await host.call('GET', `/products?${query}&page=2`, undefined, {
      host: 'evil.example',
    })
    const links = Object.fromEntries(
      [...String(headers.link).matchAll(/<([^>]+)>; rel="(\w+)"/g)].map(([, url, rel]) => [
        rel,
        new URL(String(url)),
      ]),
    )
    t.strictSame(Object.keys(links), ['prev', 'next'])
    for (const [rel, page] of [
      ['prev', '1'],
      ['next', '3'],
    ] as const) {
      t.equal(
        `${links[rel]?.origin}${links[rel]?.pathname}`,
        'https://shop.example/sub/wp-json/svc/v1/products',
      )
      t.strictSame(Object.fromEntries(links[rel]?.searchParams ?? []), {
        limit: '1',
        search: 'a?b & ü',
        page,
      })
    }
  },
)

t.test('a question mark inside the query does not cut the links short', async (t) => {
  const host = await build(t)
  for (let i = 1; i <= 3; i++) await newProduct(host, { title: `what? ${i}` })
  const { headers, body } = await host.call('GET', '/products?search=what?&limit=1&order=asc')
  t.equal(body.meta.total, 3)
  const next = new URL(String(/<([^>]+)>; rel="next"/.exec(headers.link ?? '')?.[1]))
  t.strictSame(Object.fromEntries(next.searchParams), {
    search: 'what?',
    limit: '1',
    order: 'asc',
    page: '2',
  })
})

t.test('the first page has only a next, the last one only a previous', async (t) => {
  const host = await build(t)
  for (let i = 1; i <= 2; i++) await newProduct(host)
  const first = (await host.call('GET', '/products?limit=1')).headers.link
  const last = (await host.call('GET', '/products?limit=1&page=2')).headers.link
  t.match(first, /page=2>; rel="next"$/)
  t.notMatch(first, /prev/)
  t.match(last, /page=1>; rel="prev"$/)
  t.notMatch(last, /next/)
})

rule('the total counts a process’s own writes at once', async (t, host) => {
  const total = async () => (await host.call('GET', '/products')).body.meta.total
  t.equal(await total(), 0)
  const id = await newProduct(host)
  t.equal(await total(), 1)
  await host.call('POST', '/products', { duplicate_product_id: id })
  t.equal(await total(), 2)
  await host.call('PATCH', `/products/${id}`, { type: 'template' })
  t.equal((await host.call('GET', '/products?type=template')).body.meta.total, 1)
  await host.call('DELETE', `/products/${id}`)
  t.equal(await total(), 1)
  t.equal((await host.call('GET', '/products?type=template')).body.meta.total, 0)
})

rule('the total counts what others write within a second', async (t, host) => {
  await newProduct(host)
  t.equal((await host.call('GET', '/products')).body.meta.total, 1)
  await host.db.insertInto(host.t.products).values({ title: 'By PHP', user_id: 1 }).execute()
  passSecond()
  t.equal((await host.call('GET', '/products')).body.meta.total, 2)
})

ruleOnce('lists that come whole carry their total and no page', async (t, host) => {
  const product = await newProduct(host)
  await newView(host, product)
  await newCategory(host, 'Cups')
  for (const path of ['/categories']) {
    const { body, headers } = await host.call('GET', `${path}?page=7&limit=1`)
    t.strictSame(body.meta, { total: 1 }, path)
    t.equal(body.data.length, 1)
    t.strictSame([headers['x-wp-total'], headers['x-wp-totalpages'], headers.link], ['1', '1', undefined])
  }
})

rule('a client that follows the links comes through every list, forth and back', async (t, host) => {
  const product = await newProduct(host)
  for (let i = 0; i < 3; i++) {
    await newProduct(host, { title: `Shirt ${i}` })
    await newView(host, product, { title: `View ${i}` })
    await host.call('POST', '/design-categories', { title: `Designs ${i}` })
    await host.call('POST', '/pricing-rules', { name: `Rule ${i}`, data: {} })
    await host.call('POST', '/shortcode-orders', { views: [{}] })
    const job = { guid: `5f3a9c1b2d4e${i}`, status: 'pending', details: null, data: null }
    await host.db.insertInto(host.t.print_jobs).values(job).execute()
  }
  const lists = [
    '/products?search=shirt%20',
    `/products/${product}/views?fields=id`,
    '/design-categories?only_roots=1',
    '/pricing-rules?order_by=name%20DESC',
    '/shortcode-orders?include_data=true',
    '/orders?type=sc',
    '/print-jobs?status=pending',
  ]
  const idsOf = ({ body }: { body: { data: { id: number }[] } }) => body.data.map(({ id }) => id)
  const last = (list: string) => (/^.(pricing-rules|print-jobs)/.test(list) ? 'offset=2' : 'page=3')
  for (const list of lists) {
    const all = idsOf(await host.call('GET', list))
    t.equal(all.length, 3, list)
    for (const rel of ['next', 'prev']) {
      const seen: number[] = []
      let path: string | undefined = `${list}&limit=1${rel === 'prev' ? `&${last(list)}` : ''}`
      while (path !== undefined && seen.length < 4) {
        const response = await host.call('GET', path)
        seen.push(...idsOf(response))
        const link = new RegExp(`<https://shop.example/wp-json/svc/v1([^>]+)>; rel="${rel}"`)
        path = link.exec(response.headers.link ?? '')?.[1]
      }
      t.strictSame(seen, rel === 'next' ? all : all.toReversed(), `${rel} of ${list}`)
    }
  }
})

t.test('Link repeats only the parameters that the route knows', async (t) => {
  const host = await build(t)
  for (let i = 1; i <= 2; i++) await newProduct(host, { title: `Shirt ${i}` })
  const noise = Array.from({ length: 300 }, (_, i) => `utm_${i}=<>"${i}`).join('&')
  const { headers } = await host.call('GET', `/products?${noise}&limit=1&order=asc`)
  t.equal(headers.link, '<https://shop.example/wp-json/svc/v1/products?limit=1&order=asc&page=2>; rel="next"')
})

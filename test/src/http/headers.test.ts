// The headers of every response, whatever its status.
import t from 'tap'
import { newProduct, storeOption } from '../../support/fixtures/rows.ts'
import { build } from '../../support/hosts/build.ts'

const asked: [
  method: string,
  path: string,
  status: number,
  body?: unknown,
  headers?: Record<string, string | undefined>,
][] = [
  ['GET', '/system', 200],
  ['GET', '/products', 200],
  ['GET', '/products/1', 200],
  ['HEAD', '/products/1', 200],
  ['GET', '/products/1', 304, undefined, { 'if-none-match': '*' }],
  ['POST', '/products', 201, { title: 'x' }],
  ['PATCH', '/products/1', 200, { title: 'x' }],
  ['PATCH', '/products/1', 412, { title: 'x' }, { 'if-match': '"x"' }],
  ['POST', '/products', 400, {}],
  ['POST', '/products', 400, '{', { 'content-type': 'application/json' }],
  ['POST', '/products', 413, { title: 'x'.repeat(1000) }],
  ['POST', '/products', 415, 'x', { 'content-type': 'text/plain' }],
  ['GET', '/products', 401, undefined, { authorization: undefined }],
  ['GET', '/products', 403, undefined, { authorization: 'Bearer x' }],
  ['GET', '/products/999', 404],
  ['GET', '/products/abc', 404],
  ['PUT', '/nothing', 404],
  ['OPTIONS', '/products', 404],
  ['GET', '/nothing', 404],
  ['DELETE', '/products/1', 200],
]

t.test('every response forbids sniffing and storing, and has a request id', async (t) => {
  const host = await build(t, { bodyLimits: { blob: 500 } })
  await newProduct(host)
  const ids = new Set<string | undefined>()
  for (const [method, path, expected, body, headers] of asked) {
    const response = await host.call(method, path, body, headers)
    const what = `${method} ${path} ${expected}`
    t.equal(response.status, expected, what)
    t.equal(response.headers['x-content-type-options'], 'nosniff', what)
    t.equal(
      response.headers['cache-control'],
      response.headers.etag ? 'private, no-cache' : 'private, no-store',
      what,
    )
    t.match(response.headers['x-request-id'], /^req-\w+$/, what)
    if (response.text !== '')
      t.equal(response.headers['content-type'], 'application/json; charset=utf-8', what)
    ids.add(response.headers['x-request-id'])
  }
  t.equal(ids.size, asked.length, 'no two alike')
})

t.test('an error never carries the tag of what it did not send', async (t) => {
  const host = await build(t)
  await newProduct(host)
  await host.db.updateTable(host.t.products).set({ options: '{broken' }).execute()
  const { status, headers } = await host.call('GET', '/products/1')
  t.equal(status, 500)
  t.strictSame([headers.etag, headers['cache-control']], [undefined, 'private, no-store'])
})

t.test('a sane request id of the caller is kept, any other replaced', async (t) => {
  const { call } = await build(t)
  const sane = ['a', '4bf92f3577b34da6', 'req:1.2_3/4=+@-', 'x'.repeat(128)]
  for (const id of sane) {
    for (const path of ['/products', '/nothing', '/products/9']) {
      t.equal((await call('GET', path, undefined, { 'x-request-id': id })).headers['x-request-id'], id)
    }
  }
  for (const id of ['', 'x'.repeat(129), 'a b', 'a,b', 'ä', '<script>', 'a\tb', '"a"', 'a;b']) {
    const kept = (await call('GET', '/products', undefined, { 'x-request-id': id })).headers['x-request-id']
    t.match(kept, /^req-\w+$/, id)
  }
})

t.test('responses of the host’s routes have none of these headers', async (t) => {
  const { app } = await build(t)
  const { headers } = await app.inject('/elsewhere')
  for (const name of ['x-request-id', 'x-content-type-options', 'cache-control'])
    t.notOk(name in headers, name)
})

t.test('URLs come from the settings, never from the request', async (t) => {
  const host = await build(t, { siteUrl: 'https://shop.example/' })
  const evil = {
    host: 'evil.example',
    'x-forwarded-host': 'evil.example',
    'x-forwarded-proto': 'gopher',
    forwarded: 'host=evil.example',
  }
  const made = await host.call('POST', '/products', { title: 'x' }, evil)
  t.equal(made.headers.location, 'https://shop.example/wp-json/svc/v1/products/1')
  const { body } = await host.call('GET', '/system', undefined, evil)
  t.strictSame(
    [body.data.site_url, body.data.rest_base],
    ['https://shop.example', 'https://shop.example/wp-json'],
  )
})

t.test('without a setting the site is where the CMS says it is', async (t) => {
  const first = await build(t)
  await storeOption(first, 'home', 'https://cms.example/blog/')
  const { siteUrl: _, ...settings } = { siteUrl: '', address: first.address }
  const second = await build(t, { ...settings, siteUrl: undefined as unknown as string })
  const { body } = await second.call('GET', '/system')
  t.strictSame(
    [body.data.site_url, body.data.rest_base],
    ['https://cms.example/blog', 'https://cms.example/blog/wp-json'],
  )
})

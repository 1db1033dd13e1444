// Everything that is not a route gets the same 404.
import t from 'tap'
import { passSecond } from '../../support/fixtures/clock.ts'
import { newProduct, storeOption } from '../../support/fixtures/rows.ts'
import { build, type TestResponse, token } from '../../support/hosts/build.ts'
import { rule } from '../../support/hosts/fresh-host.ts'

const standard = JSON.stringify({
  success: false,
  code: 'rest_no_route',
  message: 'No route was found matching the URL and request method.',
  data: { status: 404 },
})

/** All that a client could tell two responses apart by. */
function traits({ status, text, headers }: TestResponse) {
  const { 'x-request-id': _, date: __, ...others } = headers
  return { status, text, others }
}

t.test(
  'unknown paths, wrong methods and OPTIONS get the same 404 to the byte, with and without a token',
  async (t) => {
    const { call } = await build(t)
    const expected = traits(await call('GET', '/nothing-here'))
    t.equal(expected.text, standard)
    const requests: [string, string][] = [
      ['POST', ''],
      ['PUT', '/'],
      ['GET', '/products/1/nothing'],
      ['GET', '/PRODUCTS'],
      ['PUT', '/products'],
      ['POST', '/products/1/views/1'],
      ['POST', '/products/1?_method=GET'],
      ['POST', '/system'],
      ['OPTIONS', '/products'],
      ['TRACE', '/products'],
      ['PROPFIND', '/products'],
      ['GET', `/products/${'1'.repeat(300)}`],
    ]
    for (const authorization of [`Bearer ${token}`, 'Bearer wrong', undefined]) {
      for (const [method, path] of requests) {
        t.strictSame(
          traits(await call(method, path, undefined, { authorization })),
          expected,
          `${method} ${path}`,
        )
      }
    }
  },
)

rule('a path id that is not of an id’s form is no route, and never another row', async (t, host) => {
  t.equal(await newProduct(host), 1)
  const ids = [
    '1abc',
    '1e0',
    '0x1',
    '01',
    '+1',
    '-1',
    '0',
    '%201',
    '1%20',
    '1%20OR%201',
    '1.0',
    '1,2',
    'abc',
    "1'",
  ]
  ids.push('9007199254740992', '18446744073709551616', '%EF%BC%91', '%00', '__proto__', 'null', '1%00')
  const expected = traits(await host.call('GET', '/nothing-here'))
  for (const id of ids) {
    for (const [method, path] of [
      ['GET', 'products'],
      ['DELETE', 'products'],
      ['PATCH', 'views'],
      ['GET', 'categories'],
    ]) {
      t.strictSame(
        traits(await host.call(`${method}`, `/${path}/${id}`)),
        expected,
        `${method} ${path}/${id}`,
      )
    }
  }
  t.equal((await host.call('GET', '/products/1')).status, 200)
  t.equal((await host.call('GET', '/products/9007199254740991')).body.code, 'svc_product_not_found')
})

rule('a disabled group is not to be told from one that never was', async (t, host) => {
  const expected = traits(await host.call('GET', '/nothing-here'))
  await storeOption(host, 'svc_api_products_enabled', 'no')
  passSecond()
  for (const authorization of [`Bearer ${token}`, 'Bearer wrong', 'Basic x', undefined]) {
    for (const [method, path, body] of [
      ['GET', '/products'],
      ['GET', '/products/1'],
      ['POST', '/products', { title: 'x' }],
      ['POST', '/products', 'no json'],
      ['PATCH', '/views/1', { title: 'x' }],
      ['GET', '/products?limit=wrong'],
      ['OPTIONS', '/products'],
    ] as const) {
      t.strictSame(
        traits(await host.call(method, path, body, { authorization })),
        expected,
        `${method} ${path}`,
      )
    }
  }
})

t.test('HEAD on what is no route is a 404 without a body', async (t) => {
  const { call } = await build(t)
  for (const path of ['/nothing-here', '/products/abc', '/products/1/nothing']) {
    const { status, text, headers } = await call('HEAD', path)
    t.equal(status, 404, path)
    t.equal(text, '')
    t.equal(headers['content-length'], String(standard.length))
  }
})

t.test('the second namespace has the same 404, and the rest of the host keeps its own', async (t) => {
  const { app } = await build(t)
  t.equal((await app.inject('/wp-json/svc-export/v1.0/nothing')).body, standard)
  for (const url of ['/', '/wp-json', '/wp-json/svc', '/wp-json/svc/v2/products', '/svc/v1/products']) {
    const response = await app.inject(url)
    t.equal(response.statusCode, 404)
    t.match(response.json(), { error: 'Not Found', message: /^Route GET:/ }, url)
  }
})

t.test('a body is not read before the route is known, so its size and form change nothing', async (t) => {
  const { call } = await build(t, { bodyLimits: { json: 10, blob: 10 } })
  const expected = traits(await call('GET', '/nothing-here'))
  for (const [body, type] of [
    ['x'.repeat(5000), 'application/json'],
    ['{', 'application/json'],
    ['x', 'text/plain'],
  ]) {
    t.strictSame(traits(await call('POST', '/nothing-here', body, { 'content-type': type })), expected)
  }
})

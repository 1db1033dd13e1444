// GET of the namespace itself: its routes in the form of WordPress' own index.
import t from 'tap'
import { passSecond } from '../../support/fixtures/clock.ts'
import { storeOption } from '../../support/fixtures/rows.ts'
import { build } from '../../support/hosts/build.ts'

t.test('GET {base}/svc/v1: the routes with methods and links, without a token', async (t) => {
  const { call, routes } = await build(t)
  const { status, body, headers } = await call('GET', '', undefined, { authorization: undefined })
  t.equal(status, 200)
  t.match(headers['content-type'], /^application\/json/)
  t.equal(body.namespace, 'svc/v1')
  t.strictSame(body._links, { up: [{ href: 'https://shop.example/wp-json/' }] })
  t.match(body.routes['/svc/v1'], { methods: ['GET'] })
  const product = body.routes['/svc/v1/products/(?P<id>[\\d]+)']
  t.strictSame(product.methods, ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])
  t.notOk('_links' in product, 'a route with parameters has no address of its own')
  const list = body.routes['/svc/v1/products']
  t.strictSame(list.methods, ['GET', 'POST'])
  t.strictSame(list._links, { self: [{ href: 'https://shop.example/wp-json/svc/v1/products' }] })
  t.strictSame(list.endpoints[0].args.limit, { required: false, type: 'integer' })
  t.ok(body.routes['/svc/v1/print-profiles/(?P<id>[\\d]+|master)'])
  t.strictSame(body.routes['/svc/v1/text-templates'].methods, ['GET', 'POST', 'PUT'])
  const paths = new Set(
    routes.map(({ url }) => url.replace(/\/$/, '')).filter((url) => url.includes('/svc/v1')),
  )
  t.equal(Object.keys(body.routes).length, paths.size + 1, 'all routes of the namespace and itself')
})

t.test('GET {base}/svc/v1: with a slash, by HEAD, and under another base', async (t) => {
  const { call } = await build(t, { baseUrl: '/api' })
  const { text } = await call('GET', '')
  t.equal((await call('GET', '/')).text, text)
  t.match(await call('HEAD', ''), { status: 200, text: '' })
  t.match(JSON.parse(text)._links, { up: [{ href: 'https://shop.example/api/' }] })
})

t.test('GET {base}/svc/v1: a group that is switched off is absent', async (t) => {
  const host = await build(t)
  const names = async () => Object.keys((await host.call('GET', '')).body.routes)
  t.ok((await names()).includes('/svc/v1/fonts'))
  await storeOption(host, 'svc_api_fonts_enabled', 'no')
  passSecond()
  t.notOk((await names()).some((name) => name.startsWith('/svc/v1/fonts')))
  await storeOption(host, 'svc_api_fonts_enabled', 'yes')
  passSecond()
  t.ok((await names()).includes('/svc/v1/fonts'))
})

// A walk over all routes, so that one added later cannot forget the common rules.
import type { RouteOptions } from 'fastify'
import t from 'tap'
import { build, operationOf, token } from '../../support/hosts/build.ts'

/** Routes that say so themselves may be called by anybody. */
const isPublic = ({ schema }: RouteOptions) => Reflect.get(schema ?? {}, 'security')?.length === 0

const address = (url: string) => url.replace(/^\/wp-json\/svc\/v1/, '').replace(/:\w+/g, '1')

t.test('every route refuses a request without a token, and a HEAD, too', async (t) => {
  const { call, routes } = await build(t)
  t.ok(routes.length >= 20, 'the walk meets the routes')
  t.strictSame(
    [...new Set(routes.filter(isPublic).map(({ url }) => url))],
    ['/wp-json/svc-export/v1.0/print_job/:guid'],
  )
  for (const route of routes.filter((one) => !isPublic(one))) {
    for (const method of [route.method].flat()) {
      const { status, headers } = await call(method, address(route.url), undefined, {
        authorization: undefined,
      })
      t.equal(status, 401, `${method} ${route.url}`)
      t.equal(headers['www-authenticate'], 'Bearer')
    }
  }
})

t.test('every route refuses a wrong token with 403, whatever comes with it', async (t) => {
  const { call, routes } = await build(t)
  for (const route of routes.filter((one) => !isPublic(one))) {
    const method = String([route.method].flat()[0])
    const { status, headers } = await call(method, `${address(route.url)}?limit=x`, undefined, {
      authorization: `Bearer ${token.slice(1)}0`,
    })
    t.equal(status, 403, `${method} ${route.url}`)
    t.equal(headers['www-authenticate'], undefined)
  }
})

t.test('OPTIONS is 404 on every route: CORS is the business of the host', async (t) => {
  const { call, routes } = await build(t)
  for (const url of new Set(routes.map((route) => address(route.url)))) {
    for (const authorization of [undefined, `Bearer ${token}`]) {
      t.equal((await call('OPTIONS', url, undefined, { authorization })).body.code, 'rest_no_route', url)
    }
  }
})

t.test(
  'every GET route responds to HEAD alike without a body, even in a host that exposes no HEAD routes',
  async (t) => {
    const { call, routes } = await build(t, { server: { exposeHeadRoutes: false } })
    await call('POST', '/products', { title: 'Shirt' })
    await call('POST', '/products/1/views', { title: 'Front' })
    await call('POST', '/categories', { title: 'Shirts' })
    const gets = routes
      .filter(({ method }) => [method].flat().includes('GET'))
      .map((route) => address(route.url))
    let found = 0
    for (const url of gets) {
      const [get, head] = [await call('GET', url), await call('HEAD', url)]
      t.strictSame([head.status, head.text], [get.status, ''], url)
      if (head.status === 200) found++
      for (const name of ['content-type', 'etag', 'x-wp-total', 'cache-control']) {
        t.equal(head.headers[name], get.headers[name], `${name} of ${url}`)
      }
    }
    t.ok(found >= 7, 'most of them exist')
  },
)

t.test('lists are there with a slash at the end of their path and without', async (t) => {
  const { call } = await build(t)
  for (const path of ['/products', '/products/', '/categories/', '/pricing-rules/'])
    t.equal((await call('GET', path)).status, 200, path)
})

t.test('a host may leave slashes at the end to its router and expose no HEAD routes at once', async (t) => {
  const { call } = await build(t, {
    server: { exposeHeadRoutes: false, routerOptions: { ignoreTrailingSlash: true } },
  })
  for (const path of ['/products', '/products/']) t.equal((await call('HEAD', path)).status, 200, path)
})

t.test('every operation has a name of its own, of a verb and a noun', async (t) => {
  const { routes } = await build(t)
  const operations = new Map<string, Set<string>>()
  for (const route of routes.filter(({ method }) => method !== 'HEAD')) {
    const name = String(operationOf(route))
    t.match(name, /^[a-z]+(?:_[a-z]+)+$/)
    operations.set(
      name,
      (operations.get(name) ?? new Set()).add(`${route.method} ${route.url.replace(/\/$/, '')}`),
    )
  }
  for (const [name, places] of operations) t.equal(places.size, 1, name)
  const wanted = ['get_system_info', 'list_products', 'create_product', 'get_product', 'update_product']
  wanted.push('delete_product', 'list_product_views', 'add_product_view', 'get_view', 'update_view')
  wanted.push('delete_view', 'duplicate_view', 'clear_category')
  t.strictSame(
    wanted.filter((name) => !operations.has(name)),
    [],
  )
})

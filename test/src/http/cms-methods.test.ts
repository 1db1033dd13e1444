// How clients of the CMS call operations: POST and PUT for PATCH, POST that names another method, a slash at the end.
import t from 'tap'
import { newProduct, newView } from '../../support/fixtures/rows.ts'
import { build } from '../../support/hosts/build.ts'
import { as, makeToken } from '../../support/hosts/named-tokens.ts'

const noRoute = JSON.stringify({
  success: false,
  code: 'rest_no_route',
  message: 'No route was found matching the URL and request method.',
  data: { status: 404 },
})

t.test('POST and PUT on a single resource change it as PATCH does', async (t) => {
  const host = await build(t)
  const id = await newProduct(host, { options: { a: 1 } })
  for (const method of ['POST', 'PUT', 'PATCH']) {
    const { status, body, headers } = await host.call(method, `/products/${id}?merge=true`, {
      title: method,
      options: { [method]: true },
    })
    t.strictSame([status, body.data.title, headers.location], [200, method, undefined], method)
  }
  const { body } = await host.call('GET', `/products/${id}`)
  t.strictSame(body.data.options, { a: 1, POST: true, PUT: true, PATCH: true }, 'options are merged')
  const stale = await host.call('POST', `/products/${id}`, { title: 'x' }, { 'if-match': '"stale"' })
  t.equal(stale.status, 412)
  const invalid = await host.call('POST', `/products/${id}`, { title: 5 })
  t.strictSame(invalid.body.data.params, { title: 'must be a string' })
  const minimal = await host.call('PUT', `/products/${id}`, { title: 'y' }, { prefer: 'return=minimal' })
  t.strictSame(minimal.body.data, { id })
  t.equal((await host.call('POST', '/settings', { svc_debug_mode: true })).status, 200)
})

t.test('X-HTTP-Method-Override and _method of a POST name PUT, PATCH and DELETE', async (t) => {
  const host = await build(t)
  const [first, second, third] = [await newProduct(host), await newProduct(host), await newProduct(host)]
  const header = (method: string) => ({ 'x-http-method-override': method })
  t.equal((await host.call('POST', `/products/${first}`, undefined, header('DELETE'))).status, 200)
  t.equal((await host.call('POST', `/products/${second}?_method=delete`)).status, 200)
  const patched = await host.call('POST', `/products/${third}`, { title: 'Mug' }, header('patch'))
  t.strictSame([patched.status, patched.body.data.title], [200, 'Mug'])
  // As in WordPress the parameter comes before the header.
  const both = await host.call('POST', `/products/${third}?_method=PUT`, { title: 'Cup' }, header('DELETE'))
  t.strictSame([both.status, both.body.data.title], [200, 'Cup'])
  t.strictSame((await host.call('GET', '/products')).body.meta.total, 1)
})

t.test('_method on a path that has POST itself is the other operation', async (t) => {
  const host = await build(t)
  t.equal((await host.call('POST', '/text-templates', { text: 'a' })).status, 201)
  const templates = [{ text: 'b' }]
  const { status, body } = await host.call('POST', '/text-templates?_method=PUT', { templates })
  t.equal(status, 200)
  t.match(body.data, [{ index: 0, text: 'b' }])
  const listed = await host.call('GET', '/text-templates')
  t.equal(listed.body.meta.total, 1, 'the list was replaced')
})

t.test('every other method stays the 404, and a POST that names one does nothing', async (t) => {
  const host = await build(t)
  const id = await newProduct(host)
  const header = (method: string) => ({ 'x-http-method-override': method })
  const responses = [
    await host.call('POST', '/products?_method=DELETE', { title: 'x' }),
    await host.call('POST', '/products', { title: 'x' }, header('PUT')),
    await host.call('POST', '/products', { title: 'x' }, header('GET')),
    await host.call('POST', '/products', { title: 'x' }, header('DELETE, POST')),
    await host.call('POST', '/products?_method=PURGE', { title: 'x' }),
    await host.call('POST', '/products?_method[]=DELETE&_method=&_method=x', { title: 'x' }),
    await host.call('POST', `/products/${id}`, { title: 'x' }, header('GET')),
    await host.call('POST', '/products/abc', { title: 'x' }),
    await host.call('PUT', '/products', { title: 'x' }),
    await host.call('POST', '/assets/2026/x.png'),
    await host.call('POST', '/system'),
    await host.call('DELETE', '/products'),
    await host.call('GET', `/products/${id}/duplicate?_method=POST`),
  ]
  const unknown = await host.call('POST', '/nothing')
  const { 'x-request-id': _, date: __, ...expected } = unknown.headers
  for (const [i, { status, text, headers }] of responses.entries()) {
    const { 'x-request-id': _, date: __, ...others } = headers
    t.strictSame([status, text, others], [404, noRoute, expected], String(i))
  }
  t.equal((await host.call('GET', '/products')).body.meta.total, 1)
  // Only a POST can name another method.
  t.equal((await host.call('GET', `/products/${id}?_method=DELETE`, undefined, header('DELETE'))).status, 200)
  t.equal((await host.call('PATCH', `/products/${id}?_method=DELETE`, { title: 'y' })).status, 200)
})

t.test('an override needs what the operation needs: the token, its scope, its toggle', async (t) => {
  const host = await build(t)
  const id = await newProduct(host)
  const path = `/products/${id}?_method=DELETE`
  t.equal((await host.call('POST', path, undefined, { authorization: undefined })).status, 401)
  t.equal((await host.call('POST', path, undefined, { authorization: 'Bearer wrong' })).status, 403)
  for (const scope of ['read', 'orders:write']) {
    const { status, body } = await as(host, await makeToken(host, scope, [scope]))('POST', path)
    t.strictSame([status, body.code], [403, 'svc_insufficient_scope'], scope)
  }
  t.equal((await host.call('PATCH', '/settings', { svc_api_products_enabled: false })).status, 200)
  t.strictSame((await host.call('POST', path)).text, noRoute)
})

t.test('a slash at the end of any path is the path without it', async (t) => {
  const host = await build(t)
  const id = await newProduct(host, { title: 'Mug' })
  await newView(host, id)
  for (const path of [
    '/products/',
    `/products/${id}/`,
    `/products/${id}/views/`,
    '/settings/groups/general/',
  ])
    t.equal((await host.call('GET', path)).text, (await host.call('GET', path.slice(0, -1))).text, path)
  t.equal((await host.call('HEAD', `/products/${id}/`)).status, 200)
  t.equal((await host.call('POST', '/products/', { title: 'Cup' })).status, 201)
  t.equal((await host.call('PATCH', `/products/${id}/`, { title: 'Large mug' })).status, 200)
  t.equal((await host.call('POST', `/products/${id}/?_method=PUT`, { title: 'Mug' })).status, 200)
  const { headers } = await host.call('GET', '/design-categories/?limit=1')
  t.equal(headers.link, undefined)
  const listed = await host.call('GET', `/products/?limit=1`)
  t.equal(listed.headers.link, '<https://shop.example/wp-json/svc/v1/products?limit=1&page=2>; rel="next"')
  t.equal((await host.call('GET', '/products/abc/')).text, noRoute)
  t.equal((await host.call('GET', `/products/${id}//`)).text, noRoute)
  t.equal((await host.call('DELETE', `/products/${id}/`)).status, 200)
})

t.test('Idempotency-Key: a path with a slash at the end is the same operation', async (t) => {
  const host = await build(t)
  const key = { 'idempotency-key': 'k' }
  const first = await host.call('POST', '/products', { title: 'Mug' }, key)
  const second = await host.call('POST', '/products/', { title: 'Mug' }, key)
  t.strictSame([second.status, second.body.data.id], [201, first.body.data.id])
  t.equal(second.headers['idempotency-replayed'], 'true')
})

t.test('a host whose router ignores slashes and exposes no HEAD routes serves the same', async (t) => {
  const host = await build(t, {
    server: { exposeHeadRoutes: false, routerOptions: { ignoreTrailingSlash: true } },
  })
  const id = await newProduct(host)
  for (const method of ['GET', 'HEAD'])
    t.equal((await host.call(method, `/products/${id}/`)).status, 200, method)
  t.equal((await host.call('PUT', `/products/${id}/`, { title: 'x' })).status, 200)
})

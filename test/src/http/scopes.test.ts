// What a named token may do: only operations of its scopes, decided before the body is read.
import t from 'tap'
import { scopeGroups } from '../../../src/core/scopes.ts'
import { passSecond } from '../../support/fixtures/clock.ts'
import { newProduct, storeOption } from '../../support/fixtures/rows.ts'
import { exchange, listen, rawRequest } from '../../support/hostile/raw-http.ts'
import { build, operationOf } from '../../support/hosts/build.ts'
import { rule } from '../../support/hosts/fresh-host.ts'
import { as, makeToken } from '../../support/hosts/named-tokens.ts'

rule('an operation outside the scopes is 403 and names the missing scope', async (t, host) => {
  const call = as(host, await makeToken(host, 'agent', ['products:read']))
  t.equal((await call('GET', '/products')).status, 200)
  const { status, body, headers } = await call('POST', '/products', { title: 'Mug' })
  t.equal(status, 403)
  t.strictSame(body, {
    success: false,
    code: 'svc_insufficient_scope',
    message: 'This needs the scope products:write, which was not granted.',
    data: { status: 403, scope: 'products:write' },
  })
  t.equal(headers['www-authenticate'], 'Bearer error="insufficient_scope", scope="products:write"')
  t.equal((await call('GET', '/print-profiles')).body.data.scope, 'print_profiles:read')
  t.equal((await host.call('GET', '/products')).body.meta.total, 0)
})

rule('write includes read, for everything and for a group', async (t, host) => {
  const id = await newProduct(host)
  const all = as(host, await makeToken(host, 'all', ['write']))
  const one = as(host, await makeToken(host, 'one', ['products:write']))
  for (const call of [all, one]) {
    t.equal((await call('GET', `/products/${id}`)).status, 200)
    t.equal((await call('PATCH', `/products/${id}`, { title: 'Cup' })).status, 200)
  }
  t.equal((await all('GET', '/fonts')).body.code, 'svc_storage_not_configured')
  t.equal((await one('GET', '/fonts')).body.code, 'svc_insufficient_scope')
})

t.test('404 of a switched-off group or a malformed id comes before the scopes', async (t) => {
  const host = await build(t)
  const call = as(host, await makeToken(host, 'agent', ['views:read']))
  t.equal((await call('GET', '/products/1abc')).body.code, 'rest_no_route')
  t.equal((await call('GET', '/products/999')).body.code, 'svc_insufficient_scope')
  await storeOption(host, 'svc_api_products_enabled', 'no')
  passSecond()
  t.equal((await call('GET', '/products')).body.code, 'rest_no_route')
})

t.test('a refused upload is not asked for its body', async (t) => {
  const host = await build(t)
  const token = await makeToken(host, 'agent', ['read'])
  const port = await listen(host.app)
  const headers = {
    authorization: `Bearer ${token}`,
    expect: '100-continue',
    'content-type': 'multipart/form-data; boundary=x',
    'content-length': '5000000',
  }
  const response = await exchange(port, rawRequest('POST', '/wp-json/svc/v1/assets', headers))
  t.match(response, /^HTTP\/1\.1 403 /)
  t.notMatch(response, /100 Continue/)
})

t.test('every operation belongs to a group that can be granted, by its toggle or its path', async (t) => {
  const { routes } = await build(t)
  for (const route of routes) {
    const { needs, toggle, path, isOpen } = route.config?.operation ?? {}
    if (isOpen) continue
    const [group = '', right] = String(needs).split(':')
    t.ok(
      scopeGroups.some((each) => each === group),
      `${operationOf(route)} needs ${needs}`,
    )
    // Whoever looks after the jobs prints the order once more.
    if (path?.endsWith('/print-jobs/{id}/retry')) {
      t.equal(needs, 'orders:write')
      continue
    }
    t.equal(group.replaceAll('_', '-'), path?.split('/')[3], `${operationOf(route)}`)
    t.equal(right, ['GET', 'HEAD'].includes(String([route.method].flat()[0])) ? 'read' : 'write')
    if (toggle && group !== 'views') t.equal(group, toggle)
  }
})

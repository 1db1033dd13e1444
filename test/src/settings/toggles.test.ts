// The switches of the groups: what they are stored as, and that they act on the running server.
import t from 'tap'
import { isOn, toggleKey, toggleNames } from '../../../src/settings/toggles.ts'
import { passSecond } from '../../support/fixtures/clock.ts'
import { newProduct, newView, storeOption } from '../../support/fixtures/rows.ts'
import { build, type TestHost, token } from '../../support/hosts/build.ts'
import { onServers, rule } from '../../support/hosts/fresh-host.ts'

t.test('toggleKey: each switch has a row of its own', async (t) => {
  t.ok(toggleNames.length > 0)
  t.equal(new Set(toggleNames.map(toggleKey)).size, toggleNames.length)
})

t.test('an absent row is on; yes, 1, true and on are on; anything else is off', async (t) => {
  for (const on of [undefined, 'yes', '1', 'true', 'on', 'YES', ' yes ']) t.equal(isOn(on), true, String(on))
  for (const off of ['no', '0', '', 'false', 'off', 'null', 'b:0;', '2', 'yess', 'a:0:{}'])
    t.equal(isOn(off), false, off)
})

const status = async ({ call }: TestHost, path: string) => (await call('GET', path)).status

rule('a switch saved elsewhere acts on the running server within a second, both ways', async (t, host) => {
  const other = await build(t, { address: host.address, engine: host.engine })
  await newView(host, await newProduct(host))
  for (const [stored, expected] of [
    ['no', 404],
    ['yes', 200],
    ['0', 404],
    ['1', 200],
  ] as const) {
    await storeOption(host, 'svc_api_products_enabled', stored)
    passSecond()
    for (const one of [host, other]) {
      for (const path of ['/products', '/products/1', '/products/1/views', '/views/1']) {
        t.equal(await status(one, path), expected, `${path} ${stored}`)
      }
      t.equal(await status(one, '/categories'), 200, 'other groups do not mind')
    }
  }
})

rule('/system is always there, and says of each group whether it can be used', async (t, host) => {
  const controllers = async () => (await host.call('GET', '/system')).body.data.controllers
  const before = await controllers()
  t.strictSame(Object.keys(before), toggleNames)
  const served = (name: string) =>
    host.routes.some(({ url }) => url.startsWith(`/wp-json/svc/v1/${name.replaceAll('_', '-')}`))
  t.strictSame(
    toggleNames.filter((name) => before[name]),
    toggleNames.filter(served),
    'those that are there',
  )
  await storeOption(host, 'svc_api_categories_enabled', 'no')
  passSecond()
  t.match(await controllers(), { products: true, categories: false })
  await storeOption(host, 'svc_api_products_enabled', '')
  await storeOption(host, 'svc_api_system_enabled', 'no')
  passSecond()
  t.match(await controllers(), { products: false, categories: false })
})

rule('a switched-off group writes nothing', async (t, host) => {
  const product = await newProduct(host)
  await storeOption(host, 'svc_api_products_enabled', 'no')
  passSecond()
  t.equal((await host.call('POST', '/products', { title: 'x' })).status, 404)
  t.equal((await host.call('DELETE', `/products/${product}`)).status, 404)
  t.equal((await host.db.selectFrom(host.t.products).select('ID').execute()).length, 1)
})

rule('while a switch changes, every response is the group’s or the standard 404', async (t, host) => {
  await newProduct(host)
  const codes = new Set<string>()
  for (let i = 0; i < 10; i++) {
    await storeOption(host, 'svc_api_products_enabled', i % 2 === 0 ? 'no' : 'yes')
    passSecond()
    const responses = await Promise.all([1, 2, 3].map(() => host.call('GET', '/products/1')))
    for (const { status, body } of responses) codes.add(`${status} ${body.code ?? body.data.title}`)
    t.equal((await host.call('GET', '/system')).status, 200)
  }
  t.strictSame([...codes].sort(), ['200 Shirt', '404 rest_no_route'])
})

onServers('a switch with a name in other case, or a neighbour’s, switches nothing', async (t, engine) => {
  const host = await build(t, { engine })
  for (const name of ['svc_api_product_enabled', 'api_products_enabled', 'svc_api_products_enabled_']) {
    await storeOption(host, name, 'no')
  }
  await host.db
    .insertInto(host.t.options)
    .values({ option_name: 'SVC_API_PRODUCTS_ENABLED', option_value: 'no', autoload: 'yes' })
    .execute()
  passSecond()
  t.equal((await host.call('GET', '/products', undefined, { authorization: `Bearer ${token}` })).status, 200)
})

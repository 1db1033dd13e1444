// Runs the small examples as processes: each does what its first line says, and stops on a signal.
import { setTimeout as delay } from 'node:timers/promises'
import t from 'tap'
import { freshAddress } from '../support/hosts/build.ts'
import { startExample } from '../support/hosts/example.ts'
import { freshDatabase } from '../support/peers/mariadb.ts'

t.test('a single group serves its routes and the app its own, and nothing else', async (t) => {
  const { url, call, stop } = await startExample(t, 'one-group', {
    DATABASE_URL: await freshAddress(t, 'SQLite'),
  })
  t.same(await (await fetch(url)).json(), { shop: 'open' })
  t.equal((await call('POST', '/products', { title: 'Mug' })).status, 201)
  t.match((await call('GET', '/products')).body, { data: [{ title: 'Mug' }], meta: { total: 1 } })
  t.equal((await fetch(`${url}/wp-json/svc/v1/products`)).status, 401)
  t.equal((await call('GET', '/categories')).status, 404)
  t.equal(await stop(), 0)
})

t.test("the app's own pool serves both the app and the API, and is closed by the app", async (t) => {
  const { url, call, stop } = await startExample(t, 'own-pool', { DATABASE_URL: await freshDatabase(t) })
  const body = JSON.stringify({ text: 'call back' })
  const headers = { 'content-type': 'application/json' }
  t.equal((await fetch(`${url}/notes`, { method: 'POST', headers, body })).status, 201)
  t.match(await (await fetch(`${url}/notes`)).json(), [{ id: 1, text: 'call back' }])
  t.equal((await call('POST', '/categories', { title: 'Mugs' })).status, 201)
  t.match((await call('GET', '/categories')).body.data, [{ title: 'Mugs' }])
  t.equal(await stop(), 0)
})

t.test('statements and files are measured, by kind and without their values', async (t) => {
  const { call, output, stop } = await startExample(t, 'metrics', {
    DATABASE_URL: await freshAddress(t, 'SQLite'),
    UPLOADS_DIR: t.testdir({}),
    METRICS_SECONDS: '1',
  })
  t.equal((await call('POST', '/products', { title: 'Secret mug' })).status, 201)
  t.equal((await call('GET', '/fonts')).status, 200)
  const end = performance.now() + 30_000
  const isThere = () =>
    /svc_api\.sql\.duration[\s\S]*'?insert'?[\s\S]*svc_api\.storage\.duration/.test(output.text)
  while (!isThere() && performance.now() < end) await delay(100)
  t.ok(isThere(), output.text.slice(-3000))
  t.match(output.text, /engine: 'sqlite'/)
  t.notMatch(output.text, 'Secret')
  t.equal(await stop(), 0)
})

// Options that can never work abort the start with a sentence; folders that do not exist are logged.

import Fastify from 'fastify'
import t from 'tap'
import svcApi from '../../plugins/index.ts'
import { build } from '../support/hosts/build.ts'

const database = 'sqlite::memory:'

t.test('svcApi: refuses options that can never work, and names the remedy', async (t) => {
  const rejected = async (options: object) => {
    const app = Fastify()
    t.teardown(() => app.close())
    app.register(svcApi, { database, siteUrl: 'https://shop.example', ...options })
    return app.ready().then(
      () => 'it started',
      (error: Error) => error.message,
    )
  }
  t.match(
    await rejected({ autoPrint: true, migrate: true }),
    'autoPrint: needs the option renderer or exportService',
  )
  t.match(
    await rejected({ storage: { use: 'mine', own: {} }, migrate: true }),
    'storage.use: there is no storage "mine"',
  )
  t.match(await rejected({ prefix: 'shop_' }), 'prefix of the tables is the option tablePrefix')
  t.equal(await rejected({ prefix: '/shop', migrate: true }), 'it started')
})

t.test('svcApi: logs that the folder for uploads or deliveries does not exist', async (t) => {
  const folder = t.testdir({})
  const lines: string[] = []
  const app = Fastify({
    logger: { level: 'warn', stream: { write: (line: string) => void lines.push(line) } },
  })
  t.teardown(() => app.close())
  app.register(svcApi, {
    database: 'sqlite::memory:',
    siteUrl: 'https://shop.example',
    migrate: true,
    renderer: true,
    uploads: { dir: `${folder}/uplaods`, url: 'https://shop.example/uploads' },
    deliver: { folder: `${folder}/press` },
  })
  await app.ready()
  t.match(lines.join(''), /uploads\.dir: \S+\/uplaods does not exist; the first upload creates it/)
  t.match(lines.join(''), /deliver\.folder: \S+\/press does not exist/)
})

t.test('POST /products: 400 that suggests a property, or the route of one', async (t) => {
  const { call } = await build(t, { engine: 'SQLite' })
  const params = async (body: object) => (await call('POST', '/products', body)).body.data.params
  t.equal((await params({ title: 'Mug', Title: 'x' })).Title, 'is not a known property (did you mean title?)')
  t.match((await params({ title: 'Mug', views: [] })).views, 'send it to POST /products/{id}/views')
  const patched = await call('PUT', '/orders/1047', { status: 'completed' })
  t.equal(patched.body.message, 'Missing parameter(s): order. Not known: status.')
})

t.test('POST /products: the 413 names the limit of the route', async (t) => {
  const { call } = await build(t, { engine: 'SQLite', bodyLimits: { blob: 1_048_576 } })
  const { status, body } = await call('POST', '/products', { title: 'a'.repeat(1_100_000) })
  t.match([status, body], [413, { message: /limit of 1 MB/, data: { limit: 1_048_576 } }])
})

t.test('PATCH /products/{id}: the 412 for a weak tag names its cause', async (t) => {
  const { call } = await build(t, { engine: 'SQLite' })
  const made = await call('POST', '/products', { title: 'Mug' })
  const path = `/products/${made.body.data.id}`
  const etag = String((await call('GET', path)).headers.etag)
  const weak = await call('PATCH', path, { title: 'Cup' }, { 'if-match': `W/${etag}` })
  t.match([weak.status, weak.body.message], [412, /weak tag .*send the ETag without W/])
  t.equal((await call('PATCH', path, { title: 'Cup' }, { 'if-match': etag })).status, 200)
  const stale = await call('PATCH', path, { title: 'Jug' }, { 'if-match': etag })
  t.match([stale.status, stale.body.message], [412, /read it again/])
})

t.test(
  'GET /products: 401 of a host with authenticate says that its login refused, without a challenge',
  async (t) => {
    const { call } = await build(t, { engine: 'SQLite', authenticate: async () => undefined })
    const basic = await call('GET', '/products', undefined, { authorization: 'Basic YTpi' })
    t.match([basic.status, basic.body.message], [401, /login of this server does not know the sender/])
    t.equal(basic.headers['www-authenticate'], undefined)
    const none = await call('GET', '/products', undefined, { authorization: undefined as never })
    t.match([none.status, none.headers['www-authenticate']], [401, 'Bearer'])
  },
)

// Two APIs in one app, each with its own database, prefix and token, do not affect each other.
import http2 from 'node:http2'
import t from 'tap'
import { svcApi } from '../../plugins/index.ts'
import { connect } from '../../src/db/connect.ts'
import { build, freshAddress, token } from '../support/hosts/build.ts'

const otherToken = 'fedcba9876543210'.repeat(4)

async function storeToken(address: string): Promise<void> {
  const { db, t: names, close } = await connect({ database: address, tablePrefix: 'b_' })
  await db
    .insertInto(names.options)
    .values({ option_name: 'svc_api_token', option_value: otherToken, autoload: 'yes' })
    .execute()
  await close()
}

t.test('each instance uses its own database, token and URLs', async (t) => {
  const second = await freshAddress(t, 'MariaDB')
  const { app, call } = await build(t, {
    engine: 'SQLite',
    after: (app) => {
      app.register(svcApi, {
        database: second,
        tablePrefix: 'b_',
        baseUrl: '/other/wp-json',
        siteUrl: 'https://other.example',
        migrate: true,
      })
    },
  })
  await storeToken(second)
  const other = (method: 'GET' | 'POST', path: string, bearer: string, payload?: object) =>
    app.inject({
      method,
      url: `/other/wp-json/svc/v1${path}`,
      headers: { authorization: `Bearer ${bearer}` },
      ...(payload ? { payload } : {}),
    })

  const made = await other('POST', '/products', otherToken, { title: 'Theirs' })
  t.equal(made.statusCode, 201)
  t.equal(made.headers.location, 'https://other.example/other/wp-json/svc/v1/products/1')
  t.equal((await other('GET', '/products', token)).statusCode, 403)
  t.equal((await call('GET', '/products', undefined, { authorization: `Bearer ${otherToken}` })).status, 403)
  t.strictSame((await call('GET', '/products')).body.data, [])
  await call('POST', '/products', { title: 'Ours' })
  t.strictSame(
    (await other('GET', '/products', otherToken)).json().data.map(({ title }: { title: string }) => title),
    ['Theirs'],
  )
  t.equal((await other('GET', '/system', otherToken)).json().data.site_url, 'https://other.example')
  t.equal((await call('GET', '/system')).body.data.site_url, 'https://shop.example')
})

t.test('an HTTP/2 app serves the API as well', async (t) => {
  const { app } = await build(t, { server: { http2: true } as never })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const address = app.server.address()
  const client = http2.connect(`http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`)
  t.teardown(() => client.close())
  const statusOf = async (headers: http2.OutgoingHttpHeaders, body = '') => {
    const stream = client.request(headers)
    if (body) stream.end(body)
    const status = Promise.withResolvers<number | undefined>()
    stream.on('response', (response) => status.resolve(response[':status']))
    stream.on('error', status.reject)
    stream.resume()
    return status.promise
  }
  const path = '/wp-json/svc/v1/products'
  const authorization = `Bearer ${token}`
  const json = { ':method': 'POST', 'content-type': 'application/json' }
  t.equal(await statusOf({ ':path': path, authorization }), 200)
  t.equal(await statusOf({ ':path': path }), 401)
  t.equal(await statusOf({ ':path': path, authorization, ...json }, '{"title":"Shirt"}'), 201)
  t.equal(await statusOf({ ':path': '/wp-json/svc/v1/nothing', authorization }), 404)
  t.equal(await statusOf({ ':path': `${path}/1`, authorization, ':method': 'HEAD' }), 200)
})

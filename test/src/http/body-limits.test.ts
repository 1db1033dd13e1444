// How large a body may be: by what the route writes, and by what the host says.
import t from 'tap'
import { newCategory, newProduct, newView } from '../../support/fixtures/rows.ts'
import { exchange, listen, parseResponses, rawRequest } from '../../support/hostile/raw-http.ts'
import { build, token } from '../../support/hosts/build.ts'

const MiB = 1024 * 1024
const json = { 'content-type': 'application/json' }

/** A body of exactly this many bytes. */
function sized(bytes: number, head: string, tail: string): string {
  return head + 'x'.repeat(bytes - Buffer.byteLength(head + tail)) + tail
}

t.test('where a blob is written a body may have 8 MiB, and not one byte more', async (t) => {
  const { call } = await build(t)
  const [head, tail] = ['{"title":"x","options":{"a":"', '"}}']
  t.equal((await call('POST', '/products', sized(8 * MiB, head, tail), json)).status, 201)
  const { status, body } = await call('POST', '/products', sized(8 * MiB + 1, head, tail), json)
  t.strictSame([status, body.code, body.success], [413, 'svc_body_too_large', false])
  t.equal((await call('GET', '/products')).body.meta.total, 1)
})

t.test('elsewhere a body may have 1 MiB, and not one byte more', async (t) => {
  const host = await build(t)
  await newCategory(host, 'Cups')
  await newView(host, await newProduct(host))
  for (const [method, path] of [
    ['POST', '/categories'],
    ['PATCH', '/categories/1'],
    ['POST', '/views/1/duplicate'],
  ] as const) {
    const [fits, tooLarge] = [sized(MiB, '{"title":"', '"}'), sized(MiB + 1, '{"title":"', '"}')]
    t.match(
      await host.call(method, path, fits, json),
      { status: 400, body: { data: { params: { title: /255/ } } } },
      path,
    )
    t.match(
      await host.call(method, path, tooLarge, json),
      { status: 413, body: { code: 'svc_body_too_large' } },
      path,
    )
  }
})

t.test('the data of a pricing rule are small: 1 MiB for its body', async (t) => {
  const { call } = await build(t)
  const [head, tail] = ['{"name":"x","data":{"a":"', '"}}']
  t.equal((await call('POST', '/pricing-rules', sized(MiB, head, tail), json)).status, 201)
  t.equal((await call('POST', '/pricing-rules', sized(MiB + 1, head, tail), json)).status, 413)
  t.equal((await call('PATCH', '/pricing-rules/1', sized(MiB + 1, head, tail), json)).status, 413)
})

t.test('a host sets both limits, and a body without a length meets them, too', async (t) => {
  const host = await build(t, { bodyLimits: { json: 100, blob: 200 } })
  const status = async (path: string, bytes: number, headers = {}) =>
    (await host.call('POST', path, sized(bytes, '{"title":"', '"}'), { ...json, ...headers })).status
  t.equal(await status('/categories', 100), 201)
  t.equal(await status('/categories', 101), 413)
  t.equal(await status('/products', 200), 201)
  t.equal(await status('/products', 201), 413)
  t.equal(
    await status('/products', 201, { 'content-length': undefined, 'transfer-encoding': 'chunked' }),
    413,
  )
})

t.test('a host whose own limit is smaller or larger changes nothing here', async (t) => {
  const { call } = await build(t, { server: { bodyLimit: 50 } })
  t.equal(
    (await call('POST', '/products', sized(5000, '{"title":"x","options":{"a":"', '"}}'), json)).status,
    201,
  )
})

t.test('a blob that the database cannot take in one statement is 413, and nothing is written', async (t) => {
  const { call } = await build(t, { engine: 'MariaDB', bodyLimits: { blob: 32 * MiB } })
  const { status, body } = await call(
    'POST',
    '/products',
    sized(20 * MiB, '{"title":"x","options":{"a":"', '"}}'),
    json,
  )
  t.strictSame([status, body.code], [413, 'svc_body_too_large'])
  t.match(body.message, /^The value of options is larger than .*\.$/)
  t.equal((await call('GET', '/products')).body.meta.total, 0)
})

t.test('the token is checked before the size, the size before the form', async (t) => {
  const { call } = await build(t, { bodyLimits: { json: 10, blob: 10 } })
  const send = (headers: Record<string, string | undefined>) =>
    call('POST', '/products', '{'.repeat(50), { ...json, ...headers })
  t.equal((await send({ authorization: undefined })).status, 401)
  t.equal((await send({ authorization: 'Bearer wrong' })).status, 403)
  t.equal((await send({})).status, 413)
  t.equal((await call('POST', '/products/999/views', '{', json)).status, 400, 'the form before the row')
})

t.test('a client that sends all of a refused body gets its response, and the next one', async (t) => {
  const { app } = await build(t)
  const port = await listen(app)
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const path = '/wp-json/svc/v1/categories'
  for (const [type, wanted] of [
    ['application/json', 413],
    ['text/plain', 415],
  ] as const) {
    const refused = { ...headers, 'content-type': type, connection: 'keep-alive' }
    const bytes = rawRequest('POST', path, refused, 'x'.repeat(9 * MiB)) + rawRequest('GET', path, headers)
    const statuses = parseResponses(await exchange(port, bytes)).map(({ status }) => status)
    t.strictSame(statuses, [wanted, 200])
  }
})

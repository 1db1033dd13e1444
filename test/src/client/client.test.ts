// The typed client against a real server: what it sends, what it gives back, and what it does when a response is lost.
import type { AddressInfo } from 'node:net'
import t, { type Test } from 'tap'
import { type ClientOptions, SvcApiError, svcClient } from '../../../src/client/client.ts'
import { png } from '../../support/fixtures/make-png.ts'
import { build, token } from '../../support/hosts/build.ts'

async function shop(t: Test, options: Partial<ClientOptions> = {}) {
  const dir = t.testdir({ uploads: {} })
  const { app } = await build(t, {
    uploads: { dir: `${dir}/uploads`, url: 'https://shop.example/uploads' },
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  const url = `http://127.0.0.1:${port}/wp-json`
  return { client: svcClient({ url, token, ...options }), url }
}

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = []
  for await (const item of items) list.push(item)
  return list
}

/** A pattern that a rejection must match. */
const like = (pattern: object) => pattern as Error

/** A fetch that loses the response of requests with this method, as often as told, after the server has worked. */
function losing(method: string, times: number): typeof fetch {
  let lost = 0
  return async (input, init) => {
    const response = await fetch(input, init)
    if (init?.method !== method || lost >= times) return response
    lost++
    await response.arrayBuffer()
    throw new TypeError('fetch failed')
  }
}

/** A fetch that responds with these statuses, and counts. */
function scripted(...statuses: number[]) {
  const calls: RequestInit[] = []
  const fetch = (async (_input, init) => {
    calls.push(init ?? {})
    const status = statuses[Math.min(calls.length, statuses.length) - 1] ?? 200
    return new Response(status === 200 ? '{"success":true,"data":[]}' : '<h1>Bad gateway</h1>', {
      status,
      headers: { 'retry-after': '0', 'x-request-id': 'req-7' },
    })
  }) as typeof globalThis.fetch
  return { fetch, calls }
}

t.test('it creates, reads, updates and deletes, with the types of the API', async (t) => {
  const { client } = await shop(t)
  const created = await client.createProduct({ body: { title: 'Mug', options: { width: 10 } } })
  t.equal(created.status, 201)
  const { id } = created.data
  const read = await client.getProduct({ id, include_views: true })
  t.match(read.data, { id, title: 'Mug', options: { width: 10 }, views: [] })
  const again = await client.getProduct({ id, include_views: true, ifNoneMatch: read.etag ?? '' })
  t.match(again, { notModified: true, status: 304 })
  await client.updateProduct({ id, body: { title: 'Cup' } })
  t.equal((await client.call('get_product', { id })).data.title, 'Cup')
  t.strictSame((await client.deleteProduct({ id })).data, { id, deleted: true })
})

t.test('each() gives every item of a list once, page after page, by page and by offset', async (t) => {
  const { client } = await shop(t)
  for (let n = 0; n < 7; n++) {
    await client.createProduct({ body: { title: `Mug ${n}` } })
    await client.createPricingRule({ body: { name: `Rule ${n}`, data: {} } })
  }
  const titles = await all(client.each('list_products', { limit: 3, order: 'asc' }))
  t.strictSame(
    titles.map(({ title }) => title),
    Array.from({ length: 7 }, (_, n) => `Mug ${n}`),
  )
  const rules = await all(client.each('list_pricing_rules', { limit: 2 }))
  t.equal(new Set(rules.map(({ id }) => id)).size, 7)
  t.equal((await all(client.each('list_products'))).length, 7, 'in pages as large as the API has them')
})

t.test(
  'edit() writes only onto the version that was read, and reads again after a change by another',
  async (t) => {
    const { client } = await shop(t)
    const { data } = await client.createProduct({ body: { title: 'a' } })
    let reads = 0
    const { data: edited } = await client.edit('product', { id: data.id }, ({ title }) => ({
      title: `${title}!`,
    }))
    t.equal(edited.title, 'a!')
    await client.edit('product', { id: data.id }, ({ title }) => {
      // Another client is quicker, once.
      if (reads++ === 0) return interfere(title)
      return { title: `${title}?` }
    })
    function interfere(title: string) {
      void client.updateProduct({ id: data.id, body: { title: 'theirs' } })
      return { title: `${title} lost` }
    }
    const { title } = (await client.getProduct({ id: data.id })).data
    // Their write came first and was read again, or came last and is what stands.
    t.ok(['theirs', 'theirs?', 'a! lost'].includes(title), title)
    const same = await client.edit('product', { id: data.id }, () => undefined)
    t.equal(same.status, 200)
  },
)

t.test('a POST whose response is lost is sent again, and creates one product', async (t) => {
  const { client } = await shop(t, { fetch: losing('POST', 1) })
  const { data, headers } = await client.createProduct({ body: { title: 'Once' } })
  t.equal(headers.get('idempotency-replayed'), 'true')
  const { meta } = await client.listProducts()
  t.equal(meta.total, 1)
  t.type(data.id, 'number')
})

t.test('an upload sends the file as a form, and its key works in a path', async (t) => {
  const { client } = await shop(t)
  const file = new File([new Uint8Array(png())], 'Träume 1.png', { type: 'image/png' })
  const { data } = await client.uploadAsset({ body: { file } })
  t.match(data, { mime_type: 'image/png' })
  t.strictSame((await client.deleteAsset({ key: data.key })).data, { key: data.key, deleted: true })
})

t.test('settings are asked for by key', async (t) => {
  const { client } = await shop(t)
  const { data } = await client.getSettings({
    keys: ['svc_uploaded_designs_parameter_maxSize', 'svc_ae_cloud'],
  })
  t.strictSame(Object.keys(data).sort(), ['svc_ae_cloud', 'svc_uploaded_designs_parameter_maxSize'])
})

t.test('an error carries status, code, details and the id of the request', async (t) => {
  const { client, url } = await shop(t)
  const error = await client.getProduct({ id: 99 }).then(
    () => t.fail('no error'),
    (thrown: SvcApiError) => thrown,
  )
  t.ok(error instanceof SvcApiError)
  t.match(error, { status: 404, code: 'svc_product_not_found', data: { status: 404 }, requestId: String })
  await t.rejects(
    client.createProduct({ body: { title: '' } }),
    like({
      code: 'rest_invalid_param',
      data: { params: { title: String } },
    }),
  )
  await t.rejects(
    svcClient({ url, token: '0'.repeat(64) }).listProducts(),
    like({
      status: 403,
      code: 'svc_forbidden',
    }),
  )
})

t.test('502 and 503 are retried after the time that the server names, but never a PATCH', async (t) => {
  const busy = scripted(503, 502, 200)
  const options = { url: 'https://shop.example/wp-json/', token }
  t.strictSame((await svcClient({ ...options, fetch: busy.fetch }).listProducts()).data, [])
  t.equal(busy.calls.length, 3)
  const dead = scripted(503)
  const client = svcClient({ ...options, fetch: dead.fetch, retries: 2 })
  await t.rejects(
    client.listProducts(),
    like({ status: 503, code: 'unknown', retryAfter: 0, requestId: 'req-7' }),
  )
  t.equal(dead.calls.length, 3)
  await t.rejects(client.updateProduct({ id: 1, body: { title: 'x' } }), like({ status: 503 }))
  t.equal(dead.calls.length, 4)
})

t.test('the same key goes with every try of a POST', async (t) => {
  const busy = scripted(503, 503, 200)
  await svcClient({ url: 'https://shop.example', token, fetch: busy.fetch }).createProduct({
    body: { title: 'x' },
  })
  const keys = busy.calls.map(({ headers }) => Reflect.get(Object(headers), 'idempotency-key'))
  t.equal(keys.length, 3)
  t.equal(new Set(keys).size, 1)
})

t.test(
  'a request that is aborted or times out rejects, and a missing path parameter never leaves',
  async (t) => {
    const alive = setTimeout(() => {}, 10_000)
    t.teardown(() => clearTimeout(alive))
    const silent = ((_input, init) =>
      new Promise((_resolve, reject) => {
        init?.signal?.addEventListener('abort', () => reject(init.signal?.reason))
      })) as typeof fetch
    const options = { url: 'https://shop.example', token, fetch: silent, retries: 0 }
    await t.rejects(
      svcClient({ ...options, timeout: 0.05 }).listProducts(),
      like({ status: 0, code: 'network' }),
    )
    const controller = new AbortController()
    const call = svcClient(options).listProducts({ signal: controller.signal })
    controller.abort(new Error('enough'))
    await t.rejects(call, like({ message: 'enough' }))
    await t.rejects(svcClient(options).getProduct({} as { id: number }), like({ name: 'TypeError' }))
  },
)

t.test('a page of another server is an error, and no result without data', async (t) => {
  for (const body of ['<html>Please log in</html>', '', 'null', '{"ok":true}']) {
    const client = svcClient({ url: 'https://shop.example', token, fetch: async () => new Response(body) })
    const pattern = like({ name: 'SvcApiError', status: 200, code: 'not_this_api' })
    await t.rejects(client.getProduct({ id: 1 }), pattern, body)
    await t.rejects(all(client.each('list_products')), pattern, body)
  }
})

t.test('a wrong URL is not this API, whatever responds there', async (t) => {
  const json = { 'content-type': 'application/json' }
  const others: [number, string, object][] = [
    [404, '<h1>Not Found</h1>', {}],
    [404, '{"message":"Route GET:/products not found","error":"Not Found","statusCode":404}', json],
    [404, '{"code":"rest_no_route","message":"No route was found.","data":{"status":404}}', json],
    [401, '<form>Password</form>', {}],
    [500, 'Oops', {}],
  ]
  for (const [status, body, headers] of others) {
    const fetch = async () => new Response(body, { status, headers: headers as HeadersInit })
    const client = svcClient({ url: 'https://shop.example/api', token, fetch })
    const said = {
      status,
      code: 'not_this_api',
      message: /responded \d+.*is https:\/\/shop\.example\/api its/,
    }
    await t.rejects(client.listProducts(), like(said), body)
    await t.rejects(client.getViewPreview({ id: 1 }), like(said), body)
  }
  const { url } = await shop(t)
  await t.rejects(svcClient({ url: `${url}/wp-json`, token }).listProducts(), like({ code: 'not_this_api' }))
})

t.test('a parameter that would lead to another operation is refused before anything is sent', async (t) => {
  const { fetch, calls } = scripted(200)
  const client = svcClient({ url: 'https://shop.example', token, fetch })
  for (const name of ['', '.', '..'])
    await t.rejects(client.deleteFont({ name }), like({ name: 'TypeError' }))
  t.equal(calls.length, 0)
})

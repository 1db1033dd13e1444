// What the typed client makes of responses that are not plain JSON data: pictures, keys in use, and none at all.
import type { AddressInfo } from 'node:net'
import t from 'tap'
import { SvcApiError, svcClient } from '../../../src/client/client.ts'
import { routes } from '../../../src/client/operations.ts'
import { operationOf, token } from '../../support/hosts/build.ts'
import { renderShop, textElement, viewWith } from '../../support/render/render-shop.ts'

/** A fetch that gives these responses, and counts. */
function scripted(...responses: (() => Response)[]) {
  const calls: RequestInit[] = []
  const fetch = (async (_input, init) => {
    calls.push(init ?? {})
    const response = responses[Math.min(calls.length, responses.length) - 1]
    if (!response) throw new TypeError('fetch failed')
    return response()
  }) as typeof globalThis.fetch
  return { fetch, calls }
}

const json = (body: object, status = 200, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify(body), { status, headers })

t.test('every operation is a method, and a preview gives a picture', async (t) => {
  const { host } = await renderShop(t, 'SQLite', [])
  const operations = new Set(
    host.routes.filter(({ method }) => method !== 'HEAD').map((route) => operationOf(route)),
  )
  t.strictSame(Object.keys(routes).sort(), [...operations].sort())
  await host.app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = host.app.server.address() as AddressInfo
  const client = svcClient({ url: `http://127.0.0.1:${port}/wp-json`, token })
  const { data: product } = await client.createProduct({ body: { title: 'Mug' } })
  const { data: view } = await client.addProductView({
    id: product.id,
    body: { ...viewWith(), elements: [textElement('Ada')] },
  })
  const { data, etag } = await client.getViewPreview({ id: view.id, width: 60 })
  t.equal(data.type, 'image/png')
  t.equal(Buffer.from(await data.slice(1, 4).arrayBuffer()).toString(), 'PNG')
  const again = await client.getProductPreview({ id: product.id, width: 60 })
  t.same(Buffer.from(await again.data.arrayBuffer()), Buffer.from(await data.arrayBuffer()))
  t.match(await client.getViewPreview({ id: view.id, width: 60, ifNoneMatch: etag ?? '' }), {
    notModified: true,
    data: undefined,
  })
  await t.rejects(client.getViewPreview({ id: 99 }), { status: 404, code: 'svc_view_not_found' } as never)
})

t.test('a page in place of a picture is an error', async (t) => {
  const page = () => new Response('<html>Please log in</html>', { headers: { 'content-type': 'text/html' } })
  const client = svcClient({ url: 'https://shop.example', token, ...scripted(page) })
  await t.rejects(client.getViewPreview({ id: 1 }), { code: 'not_this_api' } as never)
})

t.test(
  'a POST whose first try is still at work is sent again after the time that the server names',
  async (t) => {
    const running = {
      success: false,
      code: 'svc_idempotency_key_running',
      message: 'Still running.',
      data: { status: 409 },
    }
    const { fetch, calls } = scripted(
      () => json(running, 409, { 'retry-after': '0' }),
      () => json({ success: true, data: { id: 1 } }, 201),
    )
    const client = svcClient({ url: 'https://shop.example', token, fetch })
    t.match(await client.createProduct({ body: { title: 'Mug' } }), { data: { id: 1 }, status: 201 })
    t.equal(calls.length, 2)
    const conflict = scripted(() => json({ ...running, code: 'svc_category_title_taken' }, 409))
    const other = svcClient({ url: 'https://shop.example', token, fetch: conflict.fetch })
    await t.rejects(other.createCategory({ body: { title: 'Mugs' } }), { status: 409 } as never)
    t.equal(conflict.calls.length, 1)
  },
)

t.test(
  'the URL may be that of the REST root or of the API, with a slash at its end or without',
  async (t) => {
    for (const url of ['/wp-json', '/wp-json/', '/wp-json/svc/v1', '/wp-json/svc/v1/']) {
      const fetch = async (to: unknown) => json({ success: true, data: { to } })
      const client = svcClient({ url, token, fetch: fetch as typeof globalThis.fetch })
      t.match((await client.getSystemInfo()).data, { to: '/wp-json/svc/v1/system' }, url)
    }
    const unset = svcClient({ url: '', token, ...scripted(), retries: 0 }).getSystemInfo()
    await t.rejects(unset, { code: 'network', message: 'No response from an empty url.' } as never)
  },
)

t.test('a URL without a host, as in a page of the same site, gives the same errors', async (t) => {
  const { fetch } = scripted()
  const client = svcClient({ url: '/wp-json', token, fetch, retries: 0 })
  const error = await client.getSystemInfo().catch((reason) => reason)
  t.ok(error instanceof SvcApiError, String(error))
  t.match(error, { code: 'network', status: 0, message: 'No response from /wp-json.' })
})

t.test('an error carries everything that the API says of it', async (t) => {
  const errorOf = async (body: object, headers: Record<string, string> = {}) => {
    const { fetch } = scripted(() => json(body, 400, headers))
    const client = svcClient({ url: 'https://shop.example', token, fetch, retries: 0 })
    return client.getSystemInfo().then(
      () => undefined,
      ({ name, message, status, code, data, reason, errors, requestId, retryAfter }) => ({
        name,
        message,
        status,
        code,
        data,
        reason,
        errors,
        requestId,
        retryAfter,
      }),
    )
  }
  const whole = {
    success: false,
    code: 'svc_color_library_invalid',
    message: 'The library is not valid.',
    data: { status: 400 },
    errors: ['One.', 'Two.'],
  }
  t.strictSame(await errorOf(whole, { 'x-request-id': 'req-1', 'retry-after': '7' }), {
    name: 'SvcApiError',
    message: 'The library is not valid.',
    status: 400,
    code: 'svc_color_library_invalid',
    data: { status: 400 },
    reason: undefined,
    errors: ['One.', 'Two.'],
    requestId: 'req-1',
    retryAfter: 7,
  })
  const plain = { success: false, code: 'svc_unauthorized', message: 'No.' }
  t.strictSame(await errorOf(plain, { 'retry-after': 'soon' }), {
    name: 'SvcApiError',
    message: 'No.',
    status: 400,
    code: 'svc_unauthorized',
    data: {},
    reason: undefined,
    errors: [],
    requestId: undefined,
    retryAfter: undefined,
  })
  const away = {
    success: false,
    code: 'svc_unavailable',
    message: 'No.',
    data: { status: 503, reason: 'busy' },
  }
  t.match(await errorOf(away), { code: 'svc_unavailable', reason: 'busy' })
})

t.test('a signal ends the wait for the next try', async (t) => {
  const { fetch, calls } = scripted(() => json({ code: 'svc_unavailable' }, 503, { 'retry-after': '60' }))
  const client = svcClient({ url: 'https://shop.example', token, fetch })
  const controller = new AbortController()
  const call = client.getSystemInfo({ signal: controller.signal })
  setTimeout(() => controller.abort(new Error('enough')), 50)
  await t.rejects(call, { message: 'enough' } as never)
  t.equal(calls.length, 1)
})

t.test(
  'the next try waits as long as the server says, at most a minute, else twice as long each time',
  async (t) => {
    const waits: number[] = []
    t.intercept(globalThis, 'setTimeout', {
      value: (run: () => void, milliseconds: number) => {
        waits.push(milliseconds)
        queueMicrotask(run)
      },
    })
    const busy = (headers: Record<string, string>) => () => json({ code: 'svc_unavailable' }, 503, headers)
    const { fetch } = scripted(
      busy({}),
      busy({}),
      busy({ 'retry-after': '7' }),
      busy({ 'retry-after': '900' }),
    )
    const client = svcClient({ url: 'https://shop.example', token, fetch, retries: 4 })
    await t.rejects(client.getSystemInfo(), { status: 503 } as never)
    t.strictSame(waits, [1000, 2000, 7000, 60_000])
  },
)

t.test('edit() gives up after five versions that others have overtaken', async (t) => {
  let writes = 0
  const fetch = (async (_input, init) => {
    if (init?.method === 'GET') return json({ success: true, data: { id: 1 } }, 200, { etag: '"1"' })
    writes++
    return json({ success: false, code: 'svc_precondition_failed', message: 'Changed.' }, 412)
  }) as typeof globalThis.fetch
  const client = svcClient({ url: 'https://shop.example', token, fetch })
  await t.rejects(
    client.edit('product', { id: 1 }, () => ({ title: 'x' })),
    { status: 412 } as never,
  )
  t.equal(writes, 5)
})

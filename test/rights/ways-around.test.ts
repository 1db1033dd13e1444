// Ways around the scopes of a token: other methods, spellings and headers, replays, conditional requests, documents, tools.
import t, { type Test } from 'tap'
import type { Change } from '../../plugins/index.ts'
import { passSecond } from '../support/fixtures/clock.ts'
import { newProduct, storeOption } from '../support/fixtures/rows.ts'
import { exchange, listen, rawRequest } from '../support/hostile/raw-http.ts'
import { build, onEachEngine, type TestHost, token } from '../support/hosts/build.ts'
import { as, makeToken, revokeToken } from '../support/hosts/named-tokens.ts'

const base = '/wp-json/svc/v1'

/** A host with a product, and calls of a token that may do this. */
async function limited(t: Test, scopes: string[], options: Parameters<typeof build>[1] = {}) {
  const host = await build(t, options)
  const id = await newProduct(host)
  const own = await makeToken(host, 'agent', scopes)
  const titleOf = async () => (await host.call('GET', `/products/${id}`)).body?.data?.title
  return { host, id, own, call: as(host, own), titleOf }
}

t.test('HEAD needs what GET needs, and reaches no write', async (t) => {
  const { host, call, id } = await limited(t, ['fonts:read'])
  for (const { method, url } of host.routes.filter(({ method }) => [method].flat().includes('GET'))) {
    const path = url.replace(base, '').replace(/:\w+/g, '1')
    const { status, text } = await call('HEAD', path)
    if (path.startsWith('/fonts')) t.not(status, 403, `${method} ${url}`)
    else t.strictSame([status, text], [403, ''], url)
  }
  t.equal((await call('HEAD', `/views/${id}/duplicate`)).status, 404)
})

t.test('headers and parameters that name another method or path widen no rights', async (t) => {
  const { call, id, titleOf } = await limited(t, ['products:read'])
  for (const name of ['x-http-method-override', 'x-http-method', 'x-method-override', '_method']) {
    t.equal(
      (await call('GET', `/products/${id}?_method=DELETE`, undefined, { [name]: 'DELETE' })).status,
      200,
    )
    t.equal((await call('POST', `/products/${id}`, { title: 'x' }, { [name]: 'PATCH' })).status, 403)
    t.equal(
      (await call('POST', `/products/${id}?_method=DELETE`, undefined, { [name]: 'DELETE' })).status,
      403,
    )
    t.equal((await call('POST', '/products?_method=GET', { title: 'x' })).status, 404)
  }
  for (const name of [
    'x-original-url',
    'x-rewrite-url',
    'x-forwarded-uri',
    'x-forwarded-prefix',
    'forwarded',
  ])
    t.match((await call('GET', '/products', undefined, { [name]: `${base}/settings` })).body, {
      meta: { total: 1 },
    })
  t.equal(await titleOf(), 'Shirt')
})

t.test('no spelling of a path leads to an operation outside the scopes', async (t) => {
  const { host, own, id } = await limited(t, ['fonts:read'])
  const port = await listen(host.app)
  const spellings = [
    'products',
    'products/',
    '%70roducts',
    'Products',
    'PRODUCTS',
    'products%2f',
    'products;a=b',
  ]
  spellings.push(
    './products',
    '/products',
    'fonts/../products',
    'fonts/%2e%2e/products',
    'fonts%2f..%2fproducts',
  )
  spellings.push(
    'fonts/..;/products',
    'products%00',
    'products%20',
    'products?',
    'products#',
    'products\\',
    '\\products',
  )
  spellings.push(
    `products/${id}`,
    `products/${id}/`,
    `products/%3${id}`,
    `products//${id}`,
    `products/${id}/views/`,
  )
  for (const spelling of spellings) {
    for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'QUERY', 'COPY', 'get']) {
      const headers = { authorization: `Bearer ${own}`, 'content-type': 'application/json' }
      const response = await exchange(
        port,
        rawRequest(method, `${base}/${spelling}`, headers, '{"title":"x"}'),
      )
      t.match(response, /^HTTP\/1\.1 (400|403|404|405|415|501) /, `${method} ${spelling}`)
      t.notMatch(response, /Shirt/)
    }
  }
  t.equal((await host.call('GET', '/products')).body.meta.total, 1)
})

t.test('a second token in the request does not widen the first', async (t) => {
  const { host, own } = await limited(t, ['products:read'])
  const port = await listen(host.app)
  const lines = (...tokens: string[]) => tokens.map((each) => `Authorization: Bearer ${each}\r\n`).join('')
  for (const both of [lines(own, token), lines(token, own), lines(own, own)]) {
    const request = `GET ${base}/settings HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${both}\r\n`
    t.match(await exchange(port, request), /^HTTP\/1\.1 401 /)
  }
  for (const value of [
    `${own}, Bearer ${token}`,
    `${own} ${token}`,
    `${own},${token}`,
    `${token} ${own}`,
    `${own}x`,
  ])
    t.equal((await as(host, value)('GET', '/products')).body.code, 'svc_forbidden', value)
  const elsewhere = { cookie: `token=${token}`, 'x-api-key': token, 'proxy-authorization': `Bearer ${token}` }
  t.equal((await as(host, own)('GET', `/settings?token=${token}`, undefined, elsewhere)).status, 403)
})

t.test('preferences, keys and conditions of a request come after its scopes', async (t) => {
  const { host, call, id, titleOf } = await limited(t, ['products:read', 'views:read'])
  const etag = String((await host.call('GET', '/color-library')).headers.etag)
  for (const conditions of [{ 'if-none-match': etag }, { 'if-none-match': '*' }])
    t.equal((await call('GET', '/color-library', undefined, conditions)).body.code, 'svc_insufficient_scope')
  const given = {
    prefer: 'return=minimal, respond-async',
    'idempotency-key': 'k1',
    'if-match': '*',
    range: 'bytes=0-9',
  }
  for (const [method, path] of [
    ['PATCH', `/products/${id}`],
    ['POST', '/products'],
    ['DELETE', `/products/${id}`],
  ] as const)
    t.equal((await call(method, path, { title: 'x' }, given)).body.code, 'svc_insufficient_scope', method)
  t.equal(await titleOf(), 'Shirt')
})

t.test('an Idempotency-Key belongs to its sender: nobody replays the request of another one', (t) =>
  onEachEngine(t, async (t, engine) => {
    const { host, call: first } = await limited(t, ['products:write'], { engine })
    const second = as(host, await makeToken(host, 'second', ['products:write']))
    const key = { 'idempotency-key': 'k1' }
    const ids: number[] = []
    for (const call of [host.call, first, second]) {
      const made = await call('POST', '/products', { title: 'Mug' }, key)
      t.strictSame([made.status, made.headers['idempotency-replayed']], [201, undefined])
      const again = await call('POST', '/products', { title: 'Mug' }, key)
      t.strictSame([again.body.data.id, again.headers['idempotency-replayed']], [made.body.data.id, 'true'])
      ids.push(made.body.data.id)
    }
    t.equal(new Set(ids).size, 3)
    // What the other one sent is not told either.
    t.equal((await first('POST', '/products', { title: 'Cup' }, { 'idempotency-key': 'k2' })).status, 201)
    t.equal((await second('POST', '/products', { title: 'Bag' }, { 'idempotency-key': 'k2' })).status, 201)
  }),
)

t.test(
  'what a revoked token has created is not replayed to a new one of its name, nor after a rotation',
  (t) =>
    onEachEngine(t, async (t, engine) => {
      const { host, call } = await limited(t, ['products:write'], { engine })
      const create = (send: TestHost['call']) =>
        send('POST', '/products', { title: 'Mug' }, { 'idempotency-key': 'k1' })
      const first = await create(call)
      await revokeToken(host, 'agent')
      const successor = as(host, await makeToken(host, 'agent', ['products:write']))
      const others = [await create(successor), await create(host.call)]
      const rotated = 'f'.repeat(64)
      await storeOption(host, 'svc_api_token', rotated)
      passSecond()
      others.push(await create(as(host, rotated)))
      for (const { status, headers } of others)
        t.strictSame([status, headers['idempotency-replayed']], [201, undefined])
      t.equal(new Set([first, ...others].map(({ body }) => body.data.id)).size, 4)
      const again = await host.call(...(['POST', '/products', { title: 'Mug' }] as const), {
        'idempotency-key': 'k1',
        authorization: `bearer   ${rotated}`,
      })
      t.equal(
        again.headers['idempotency-replayed'],
        'true',
        'another spelling of the header is the same sender',
      )
    }),
)

t.test('the document names exactly the operations of the scopes, and its ETag is its own', async (t) => {
  const { host, call } = await limited(t, ['products:read', 'fonts:write'])
  const idsOf = ({ body }: { body: { paths: Record<string, Record<string, { operationId: string }>> } }) =>
    Object.values(body.paths).flatMap((item) => Object.values(item).map(({ operationId }) => operationId))
  const whole = await host.call('GET', '/openapi.json')
  const own = await call('GET', '/openapi.json')
  t.ok(idsOf(whole).includes('announce_print_file'))
  t.strictSame(idsOf(own).sort(), [
    'delete_font',
    'get_product',
    'get_product_preflight',
    'get_product_preview',
    'list_fonts',
    'list_product_views',
    'list_products',
    'upload_font',
  ])
  t.notMatch(own.text, /svc_settings_group_not_found|"PrintProfile"/)
  const etags = `${whole.headers.etag}`
  t.equal((await call('GET', '/openapi.json', undefined, { 'if-none-match': etags })).status, 200)
  t.equal(
    (await call('GET', '/openapi.json', undefined, { 'if-none-match': String(own.headers.etag) })).status,
    304,
  )
})

t.test(
  'the document names the scope of every operation, which is the one that a refusal names',
  async (t) => {
    const { host, call } = await limited(t, [...['system', 'settings'].map((group) => `${group}:read`)])
    const { body } = await host.call('GET', '/openapi.json')
    for (const [path, item] of Object.entries<Record<string, Record<string, unknown>>>(body.paths)) {
      for (const [method, operation] of Object.entries(item)) {
        const scope = operation['x-required-scope']
        if (path.startsWith('/svc-export')) t.strictSame([scope, operation.security], [undefined, []], path)
        else {
          const { status, body } = await call(
            method.toUpperCase(),
            path.replace('/svc/v1', '').replace(/\{\w+\}/g, '9'),
          )
          if (status === 403) t.equal(body.data.scope, scope, `${method} ${path}`)
          else t.match(scope, /^(system|settings):read$/)
        }
      }
    }
  },
)

t.test('a preflight is told nothing, whatever it carries', async (t) => {
  const { call } = await limited(t, ['write'])
  const asked = { origin: 'https://evil.example', 'access-control-request-method': 'DELETE' }
  const { status, headers } = await call('OPTIONS', '/products', undefined, asked)
  t.strictSame([status, headers['access-control-allow-origin']], [404, undefined])
})

interface Tools {
  result?: { tools?: { name: string }[]; isError?: boolean; content?: { text: string }[] }
}

async function rpc(call: TestHost['call'], method: string, params: object = {}, query = ''): Promise<Tools> {
  const message = { jsonrpc: '2.0', id: 1, method, params }
  const { body, text } = await call('POST', `/mcp${query}`, message, {
    accept: 'application/json, text/event-stream',
  })
  return body ?? JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? '{}')
}

t.test('the tools are those of the scopes, and a call runs with the rights of its sender', async (t) => {
  const login = async () => ({ name: 'ada', scopes: ['products:read'] as const })
  const { host, call, id, titleOf } = await limited(t, ['products:read'], { mcp: true, authenticate: login })
  const expected = [
    'get_product',
    'get_product_preflight',
    'get_product_preview',
    'list_product_views',
    'list_products',
  ]
  for (const sender of [call, as(host, undefined)]) {
    for (const query of ['', '?mode=full']) {
      const { result } = await rpc(sender, 'tools/list', {}, query)
      t.strictSame(result?.tools?.map(({ name }) => name).sort(), expected)
    }
    const read = await rpc(sender, 'tools/call', { name: 'get_product', arguments: { id } })
    t.match(read.result?.content?.[0]?.text, /Shirt/)
    for (const name of ['delete_product', 'update_product', 'list_settings']) {
      const refused = await rpc(sender, 'tools/call', { name, arguments: { id, title: 'x' } })
      t.match(refused.result, { isError: true, content: [{ text: /There is no tool/ }] }, name)
    }
    const deletion = {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'delete_product', arguments: { id } },
    }
    await sender('POST', '/mcp', [deletion, deletion], { accept: 'application/json, text/event-stream' })
  }
  t.equal(
    (await rpc(host.call, 'tools/list')).result?.tools?.some(({ name }) => name === 'delete_product'),
    true,
  )
  t.equal(await titleOf(), 'Shirt')
})

t.test(
  'the tools work with the session of a browser, which the host is asked for once for each call',
  async (t) => {
    const asked: unknown[] = []
    const { host, id } = await limited(t, ['products:read'], {
      mcp: true,
      authenticate: async ({ headers: { cookie } }) => {
        asked.push(cookie)
        return cookie === 'session=1' ? { name: 'ada', scopes: ['products:read'] } : undefined
      },
    })
    const call = as(host, undefined)
    const login: TestHost['call'] = (method, path, body, headers) =>
      call(method, path, body, { ...headers, cookie: 'session=1' })
    const { result } = await rpc(login, 'tools/list')
    t.equal(result?.tools?.length, 5)
    const read = () => rpc(login, 'tools/call', { name: 'get_product', arguments: { id } })
    for (const { result } of await Promise.all([read(), read(), read()]))
      t.match(result?.content?.[0]?.text, /Shirt/)
    t.strictSame(asked, Array(4).fill('session=1'))
  },
)

t.test('GET /products: 401 for the sender of an earlier call of a tool, and for made-up ones', async (t) => {
  const senders: unknown[] = []
  const { host, id } = await limited(t, ['products:read'], {
    mcp: true,
    authenticate: async ({ headers: { cookie } }) =>
      cookie === 'session=1' ? { name: 'ada', scopes: ['products:read'] } : undefined,
    after: (app) => app.addHook('onResponse', async ({ headers }) => senders.push(headers['x-svc-sender'])),
  })
  const call = as(host, undefined)
  const login: TestHost['call'] = (method, path, body, headers) =>
    call(method, path, body, { ...headers, cookie: 'session=1' })
  const { result } = await rpc(login, 'tools/call', { name: 'get_product', arguments: { id } })
  t.match(result?.content?.[0]?.text, /Shirt/)
  const sender = senders.find((header) => header !== undefined)
  t.match(sender, /^[\da-f-]{36}$/)
  for (const forged of [String(sender), 'undefined', 'ada', ''])
    t.equal((await call('GET', '/products', undefined, { 'x-svc-sender': forged })).status, 401, forged)
})

t.test('a change by a tool is reported with the id of the response and the name of its sender', async (t) => {
  const seen: Change[] = []
  const { host } = await limited(t, ['read'], {
    mcp: true,
    onChange: (change) => seen.push(change),
    authenticate: async () => ({ name: 'ada', scopes: ['products:write'] }),
  })
  const body = {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'create_product', arguments: { title: 'Mug' } },
  }
  for (const call of [host.call, as(host, undefined)]) {
    seen.length = 0
    const { headers } = await call('POST', '/mcp', body, { accept: 'application/json, text/event-stream' })
    t.match(seen, [{ operation: 'create_product', request_id: headers['x-request-id'] }])
    t.equal(seen[0]?.principal?.kind, call === host.call ? 'token' : 'host')
  }
})

t.test('a page of another site cannot call a tool with the session of its user', async (t) => {
  const login = async () => ({ name: 'ada', scopes: 'all' as const })
  const { host, id, titleOf } = await limited(t, ['read'], {
    mcp: { origins: ['https://agent.example'] },
    authenticate: login,
  })
  const body = {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'delete_product', arguments: { id } },
  }
  for (const origin of ['https://evil.example', 'null']) {
    const headers = { accept: 'application/json, text/event-stream', origin, 'sec-fetch-site': 'cross-site' }
    t.equal((await as(host, undefined)('POST', '/mcp', body, headers)).body.code, 'svc_forbidden')
  }
  t.equal(await titleOf(), 'Shirt')
})

// The host's own authentication: who is admitted, who is refused, and what happens when the function fails.
import type { FastifyRequest } from 'fastify'
import t, { type Test } from 'tap'
import { svcApi } from '../../../plugins/index.ts'
import { principalOf } from '../../../src/http/principal.ts'
import { type BuildOptions, build, type TestHost, token } from '../../support/hosts/build.ts'
import { Fastify } from '../../support/hosts/fastify.ts'
import { as, makeToken, revokeToken } from '../../support/hosts/named-tokens.ts'
import { storedOption } from '../../support/hosts/options.ts'

type Authenticate = NonNullable<BuildOptions['authenticate']>

/** A host that asks the function; `login` sends requests without a token. */
async function hostThat(t: Test, authenticate: unknown, options: BuildOptions = {}) {
  const host = await build(t, { ...options, authenticate: authenticate as Authenticate })
  return { ...host, login: as(host, undefined) }
}

t.test('who the host names may do what it grants, and no more', async (t) => {
  const senders: unknown[] = []
  const { login } = await hostThat(
    t,
    async ({ headers }: FastifyRequest) =>
      headers.cookie === 'session=ada' ? { name: 'ada', scopes: ['read', 'products:write'] } : undefined,
    { after: (app) => app.addHook('onResponse', async (request) => senders.push(principalOf(request))) },
  )
  const cookie = { cookie: 'session=ada' }
  t.equal((await login('POST', '/products', { title: 'Mug' }, cookie)).status, 201)
  t.equal((await login('GET', '/orders?type=shortcode', undefined, cookie)).status, 200)
  const refused = await login('POST', '/categories', { title: 'Mugs' }, cookie)
  t.match(refused, {
    status: 403,
    body: { code: 'svc_insufficient_scope', data: { scope: 'categories:write' } },
  })
  t.equal((await login('GET', '/products')).status, 401)
  t.match(senders[0], { kind: 'host', name: 'ada', scopes: ['read', 'products:write'] })
})

t.test('undefined leaves the request to the tokens, and false refuses it', async (t) => {
  const nobody = await hostThat(t, () => undefined)
  t.match(await nobody.login('GET', '/products'), { status: 401, body: { code: 'svc_unauthorized' } })
  t.match(await as(nobody, 'of another host')('GET', '/products'), {
    status: 403,
    body: { code: 'svc_forbidden' },
  })
  t.equal((await nobody.call('GET', '/products')).status, 200)
  const never = await hostThat(t, async () => false)
  t.match(await never.login('GET', '/products'), { status: 403, body: { code: 'svc_forbidden' } })
})

t.test('whatever else it returns never admits, and the log says what is wrong', async (t) => {
  const answers: unknown[] = [
    null,
    true,
    '',
    'all',
    0,
    1,
    [],
    {},
    { name: 'ada' },
    { scopes: 'all' },
    { name: '', scopes: 'all' },
  ]
  answers.push(
    { name: 'a\nb', scopes: 'all' },
    { name: 'x'.repeat(201), scopes: 'all' },
    { name: 7, scopes: 'all' },
  )
  for (const scopes of [
    'read',
    ['all'],
    ['products'],
    ['read', 'READ'],
    ['read', 7],
    [['read']],
    { length: 0 },
    null,
  ])
    answers.push({ name: 'ada', scopes })
  const lines: string[] = []
  let answer: unknown
  const { login } = await hostThat(t, () => answer, {
    server: { logger: { level: 'error', stream: { write: (line: string) => lines.push(line) } } },
  })
  for (answer of answers) {
    const { status, body } = await login('GET', '/products')
    t.strictSame([status, body.code], [500, 'svc_internal_error'], JSON.stringify(answer))
    t.match(lines.pop(), /authenticate: /)
  }
})

t.test('a function that fails never admits; an error of the host keeps its status', async (t) => {
  const thrown: unknown[] = [undefined, null, 'text', 0, false, new Error('the session store is down')]
  for (const error of thrown) {
    for (const fail of [
      () => Promise.reject(error),
      () => {
        throw error
      },
    ]) {
      const { login } = await hostThat(t, fail)
      t.match(
        await login('GET', '/products'),
        { status: 500, body: { code: 'svc_internal_error' } },
        String(error),
      )
    }
  }
  const throwing = (property: string, error: unknown) =>
    Object.defineProperty({ name: 'ada', scopes: ['read'] }, property, {
      get() {
        throw error
      },
    })
  for (const result of [
    throwing('name', undefined),
    throwing('scopes', undefined),
    throwing('scopes', null),
  ]) {
    const { login } = await hostThat(t, () => result)
    for (const method of ['GET', 'POST'])
      t.equal((await login(method, '/products', { title: 'Mug' })).status, 500)
  }
  const expired = Object.assign(new Error('Please log in again.'), { statusCode: 401, code: 'EXPIRED' })
  const { login } = await hostThat(t, () => Promise.reject(expired))
  t.match(await login('GET', '/products'), {
    status: 401,
    body: { code: 'EXPIRED', message: 'Please log in again.' },
  })
})

t.test('a function that never ends is 503 within the time of a request', async (t) => {
  const { login } = await hostThat(t, () => new Promise(() => {}))
  const { status, body, headers } = await login('GET', '/products')
  t.match([status, body.code, body.message], [503, 'svc_unavailable', /^Who sends this request/])
  t.ok(headers['retry-after'])
})

t.test('a token of ours decides alone: a session neither widens nor replaces it', async (t) => {
  let asked = 0
  const host = await hostThat(t, () => {
    asked++
    return { name: 'admin', scopes: 'all' }
  })
  const reading = await makeToken(host, 'agent', ['read'])
  t.equal((await host.call('GET', '/products')).status, 200)
  t.equal(
    (await as(host, reading)('POST', '/products', { title: 'Mug' })).body.code,
    'svc_insufficient_scope',
  )
  await revokeToken(host, 'agent')
  t.equal((await as(host, reading)('GET', '/products')).body.code, 'svc_forbidden')
  t.equal(asked, 0)
  t.equal((await as(host, 'token.of.the-host')('GET', '/products')).status, 200)
  t.equal(asked, 1)
})

t.test(
  'it sees path, query and headers, and no body; a switched-off or unknown route does not ask it',
  async (t) => {
    const seen: unknown[] = []
    const { login, call } = await hostThat(t, (request: FastifyRequest) => {
      seen.push([request.method, request.params, { ...Object(request.query) }, request.body])
      return { name: 'ada', scopes: ['read'] }
    })
    await login('GET', '/products/7?fields=title')
    await login('PATCH', '/products/7', { title: 'Mug' })
    t.same(seen.splice(0), [
      ['GET', { id: 7 }, { fields: 'title' }, undefined],
      ['PATCH', { id: 7 }, {}, undefined],
    ])
    await call('PATCH', '/settings', { svc_api_fonts_enabled: false })
    for (const path of ['/fonts', '/products/1abc', '/nothing'])
      t.equal((await login('GET', path)).status, 404)
    t.strictSame(seen, [])
  },
)

t.test('a login generates no token where none is stored, and a refusal does', async (t) => {
  const host = await hostThat(t, ({ headers }: FastifyRequest) =>
    headers.cookie ? { name: 'ada', scopes: ['read'] } : undefined,
  )
  await host.db
    .updateTable(host.t.options)
    .set({ option_value: '' })
    .where('option_name', '=', 'svc_api_token')
    .execute()
  const stored = () => storedOption(host, 'svc_api_token')
  t.equal((await host.login('GET', '/products', undefined, { cookie: 'a=b' })).status, 200)
  t.equal(await stored(), '')
  t.equal((await host.login('GET', '/products')).status, 401)
  t.match(await stored(), /^[0-9a-f]{64}$/)
})

const forged: [why: string, headers: Record<string, string>, admitted: boolean][] = [
  ['no browser', {}, true],
  ['a page of the same origin', { 'sec-fetch-site': 'same-origin', origin: 'http://localhost:80' }, true],
  ['an origin alone, of the same host', { origin: 'http://localhost', host: 'localhost' }, true],
  ['the user', { 'sec-fetch-site': 'none' }, true],
  [
    'a page of the site, whose API has another host',
    { 'sec-fetch-site': 'same-site', origin: 'https://shop.example' },
    true,
  ],
  ['a sibling of the site', { 'sec-fetch-site': 'same-site', origin: 'https://forum.shop.example' }, false],
  ['another site', { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }, false],
  ['another site without fetch metadata', { origin: 'https://evil.example' }, false],
  ['a page that hides its origin', { origin: 'null' }, false],
  ['a page that hides its origin, with metadata', { 'sec-fetch-site': 'cross-site', origin: 'null' }, false],
  ['a host that only begins alike', { origin: 'http://localhost.evil.example', host: 'localhost' }, false],
  ['unknown metadata', { 'sec-fetch-site': 'x' }, false],
  [
    'Basic credentials, which browsers send by themselves',
    { authorization: 'Basic eDp5', origin: 'https://evil.example' },
    false,
  ],
  [
    'a token that no form can send',
    { authorization: 'Bearer of.the.host', origin: 'https://app.example' },
    true,
  ],
]

t.test('a write of a login must not come from a page of another site; a read may', async (t) => {
  const { login } = await hostThat(t, () => ({ name: 'ada', scopes: 'all' }))
  const upload = { 'content-type': 'multipart/form-data; boundary=x' }
  for (const [why, headers, admitted] of forged) {
    const writes: [string, string, string?, object?][] = [
      ['DELETE', '/products/9'],
      ['POST', '/assets', '--x--', upload],
      ['POST', '/products'],
      ['PATCH', '/products/9'],
    ]
    for (const [method, path, body, own] of writes) {
      const { body: response } = await login(method, path, body, { ...headers, ...own })
      t.equal(response.code === 'svc_forbidden', !admitted, `${why}: ${method} ${path} is ${response.code}`)
    }
    t.equal((await login('GET', '/products', undefined, headers)).status, 200, why)
  }
})

t.test('tokens are not bound to an origin: no page can send them unless it has them', async (t) => {
  const host: TestHost = await build(t)
  const headers = { origin: 'https://app.example', 'sec-fetch-site': 'cross-site' }
  t.equal((await host.call('POST', '/products', { title: 'Mug' }, headers)).status, 201)
  const writing = as(host, await makeToken(host, 'app', ['write']))
  t.equal((await writing('POST', '/products', { title: 'Mug' }, headers)).status, 201)
})

t.test('the option must be a function', async (t) => {
  const app = Fastify()
  t.teardown(() => app.close())
  app.register(svcApi, { database: 'sqlite::memory:', authenticate: token as unknown as Authenticate })
  await t.rejects(async () => app.ready(), { message: /^authenticate: must be a function/ })
})

// The API token: which headers carry it, which stored values are one, how it is generated and replaced.
import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import t, { type Test } from 'tap'
import { svcContext, system } from '../../../plugins/index.ts'
import { contextOf } from '../../../src/app/context.ts'
import { passSecond } from '../../support/fixtures/clock.ts'
import { storeOption } from '../../support/fixtures/rows.ts'
import { build, freshAddress, type TestHost, type TestResponse, token } from '../../support/hosts/build.ts'
import { Fastify } from '../../support/hosts/fastify.ts'
import { rule, ruleOnce } from '../../support/hosts/fresh-host.ts'

const ask = (
  { call }: TestHost,
  authorization: string | undefined,
  path = '/products',
): Promise<TestResponse> => call('GET', path, undefined, { authorization })

async function storedToken({ db, t }: TestHost): Promise<string | undefined> {
  const rows = await db
    .selectFrom(t.options)
    .select('option_value')
    .where('option_name', '=', 'svc_api_token')
    .execute()
  if (rows.length > 1) throw new Error('There is more than one token.')
  return rows[0]?.option_value
}

/** Another process stores this text, and a second goes by. */
async function rotate(host: TestHost, stored: string): Promise<void> {
  await storeOption(host, 'svc_api_token', stored)
  passSecond()
}

ruleOnce('no header, another scheme or an empty token is 401 and names the scheme', async (t, host) => {
  const headers = [
    undefined,
    '',
    'Bearer',
    'Bearer ',
    'Bearer    ',
    'Basic dXNlcjpwYXNz',
    `Basic ${token}`,
    token,
  ]
  for (const header of [
    ...headers,
    `Token ${token}`,
    `Bearer${token}`,
    `Bearer:${token}`,
    `Digest ${token}`,
    ` , Bearer ${token}`,
  ]) {
    const { status, body, headers } = await ask(host, header)
    t.strictSame([status, body.code, body.data], [401, 'svc_unauthorized', { status: 401 }], String(header))
    t.equal(headers['www-authenticate'], 'Bearer')
  }
})

ruleOnce('a wrong token of whatever form is 403', async (t, host) => {
  const right = `${'abcdef'.repeat(10)}0123`
  await rotate(host, right)
  t.equal((await ask(host, `Bearer ${right}`)).status, 200)
  const wrong = [
    right.slice(1),
    `${right}0`,
    right.toUpperCase(),
    `A${right.slice(1)}`,
    `${right} `,
    `"${right}"`,
  ]
  wrong.push(`${right},${right}`, `${right} ${right}`, right.replace('0', '\u00d0'), 'x'.repeat(8000))
  for (const presented of [...wrong, '0', 'null', '%', "' or 1=1 --"]) {
    const { status, body, headers } = await ask(host, `Bearer ${presented}`)
    t.strictSame([status, body.code], [403, 'svc_forbidden'], presented.slice(0, 80))
    t.equal(headers['www-authenticate'], undefined)
  }
})

ruleOnce('the scheme’s name is case-insensitive, and whitespace after it is ignored', async (t, host) => {
  for (const scheme of ['Bearer ', 'bearer ', 'BEARER ', 'bEaReR  ']) {
    t.equal((await ask(host, scheme + token)).status, 200, scheme)
  }
})

t.test('API token: only the header counts: not the query, not the body, not another header', async (t) => {
  const host = await build(t)
  const without = { authorization: undefined }
  t.equal(
    (await host.call('GET', `/products?token=${token}&access_token=${token}`, undefined, without)).status,
    401,
  )
  t.equal(
    (await host.call('POST', '/products', { title: 'x', token, access_token: token }, without)).status,
    401,
  )
  for (const name of [
    'x-api-key',
    'redirect-http-authorization',
    'redirect_http_authorization',
    'proxy-authorization',
    'cookie',
  ]) {
    t.equal(
      (await host.call('GET', '/products', undefined, { ...without, [name]: `Bearer ${token}` })).status,
      401,
      name,
    )
  }
})

t.test('API token: two Authorization headers are malformed, even when one of them is right', async (t) => {
  const { app } = await build(t)
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  const status = (...values: string[]) =>
    new Promise<number | undefined>((resolve, reject) => {
      const headers = values.flatMap((value) => ['Authorization', value])
      request({
        port,
        host: '127.0.0.1',
        path: '/wp-json/svc/v1/products',
        headers: ['Host', 'x', ...headers] as never,
      })
        .on('response', (response) => resolve(response.resume().statusCode))
        .on('error', reject)
        .end()
    })
  t.equal(await status(`Bearer ${token}`), 200)
  t.equal(await status(`Bearer ${token}`, 'Bearer x'), 401)
  t.equal(await status('Bearer x', `Bearer ${token}`), 401)
  t.equal(await status(`Bearer ${token}`, `Bearer ${token}`), 401)
})

rule(
  'a stored value that PHP treats as empty is no token, and the next request generates one',
  async (t, host) => {
    for (const empty of ['', '0', '   ', 's:0:"";', 's:1:"0";']) {
      await rotate(host, empty)
      for (const header of ['Bearer', 'Bearer ', 'Bearer   '])
        t.equal((await ask(host, header)).status, 401, empty)
      const stored = await storedToken(host)
      t.match(stored, /^[0-9a-f]{64}$/, JSON.stringify(empty))
      t.equal((await ask(host, `Bearer ${stored}`)).status, 200)
    }
    await rotate(host, '0')
    t.equal((await ask(host, 'Bearer 0')).status, 403, 'what is stored does not open the door')
  },
)

rule('a missing row is made at the first request, which itself still fails', async (t, host) => {
  await host.db.deleteFrom(host.t.options).where('option_name', '=', 'svc_api_token').execute()
  t.equal(await storedToken(host), undefined)
  const responses = [await ask(host, undefined), await ask(host, 'Bearer ')]
  t.strictSame(
    responses.map(({ status }) => status),
    [401, 401],
  )
  const made = String(await storedToken(host))
  t.match(made, /^[0-9a-f]{64}$/)
  t.notOk(
    responses.some(({ text, headers }) => (text + JSON.stringify(headers)).includes(made)),
    'it is told to nobody',
  )
  t.equal((await ask(host, `Bearer ${made}`)).status, 200)
  await host.call('GET', '/system', undefined, { authorization: `Bearer ${made}` })
  t.equal(await storedToken(host), made, 'and it stays')
})

ruleOnce('any route makes the token, what is no route does not', async (t, host) => {
  for (const [method, path, makes] of [
    ['GET', '/nothing-here', false],
    ['GET', '/products/abc', false],
    ['OPTIONS', '/products', false],
    ['HEAD', '/system', true],
    ['DELETE', '/categories/7', true],
  ] as const) {
    await host.db.deleteFrom(host.t.options).where('option_name', '=', 'svc_api_token').execute()
    passSecond()
    await host.call(method, path, undefined, { authorization: undefined })
    t.equal((await storedToken(host)) !== undefined, makes, `${method} ${path}`)
  }
})

rule('many requests at two instances at once end up with one token', async (t, host) => {
  const both = [host, await build(t, { address: host.address, engine: host.engine })]
  await rotate(host, '')
  const asked = Array.from({ length: 40 }, (_, i) => ask(both[i % 2] ?? host, `Bearer ${token}`))
  t.ok((await Promise.all(asked)).every(({ status }) => status === 403))
  const stored = await storedToken(host)
  t.match(stored, /^[0-9a-f]{64}$/)
  for (const one of both) t.equal((await ask(one, `Bearer ${stored}`)).status, 200)
})

rule(
  'a token that another process stores works within a second, and the old one no more',
  async (t, host) => {
    t.equal((await ask(host, `Bearer ${token}`)).status, 200)
    const next = 'f'.repeat(64)
    await rotate(host, next)
    t.equal((await ask(host, `Bearer ${token}`)).status, 403)
    t.equal((await ask(host, `Bearer ${next}`)).status, 200)
  },
)

t.test('API token: a token that this process stores works at once, and the old one no more', async (t) => {
  const { ask, options } = await ownProcess(t)
  t.equal(await ask(token), 200)
  const [next, last] = ['e'.repeat(64), 'f'.repeat(64)] as const
  await options.update('svc_api_token', () => next)
  t.strictSame([await ask(token), await ask(next)], [403, 200])
  await options.update('svc_api_token', () => last)
  t.strictSame([await ask(next), await ask(last)], [403, 200])
})

const upper = `${'ABCDEF'.repeat(10)}0123`

ruleOnce('only 64 hexadecimal digits are a token, in the case in which they are stored', async (t, host) => {
  for (const stored of [upper, ` ${upper}\n`, `s:64:"${upper}";`]) {
    await rotate(host, stored)
    t.equal((await ask(host, `Bearer ${upper.toLowerCase()}`)).status, 403, stored)
    t.equal((await ask(host, `Bearer ${upper}`)).status, 200, stored)
    t.equal(await storedToken(host), stored)
  }
})

rule('any other stored value is no token: it opens nothing, and a request replaces it', async (t, host) => {
  const others = [
    'a:0:{}',
    'null',
    'false',
    '[]',
    '{}',
    'b:0;',
    'N;',
    'i:0;',
    'O:8:"stdClass":0:{}',
    'my secret',
  ]
  for (const stored of [
    ...others,
    token.slice(1),
    `${token}0`,
    `g${token.slice(1)}`,
    `s:6:"abcdef";`,
    `"${token}"`,
  ]) {
    await rotate(host, stored)
    t.equal((await ask(host, `Bearer ${stored}`)).status, 403, stored)
    const made = String(await storedToken(host))
    t.match(made, /^[0-9a-f]{64}$/, stored)
    t.equal((await ask(host, `Bearer ${made}`)).status, 200, stored)
  }
})

rule('a token that PHP stores in place of such a value at the same moment stays', async (t, host) => {
  const both = [host, await build(t, { address: host.address, engine: host.engine })]
  for (let round = 0; round < 5; round++) {
    await rotate(host, 'a:0:{}')
    const fromPhp = String(round).repeat(64)
    const asked = Array.from({ length: 10 }, (_, at) => ask(both[at % 2] ?? host, 'Bearer a:0:{}'))
    const responses = await Promise.all([...asked, storeOption(host, 'svc_api_token', fromPhp)])
    t.same(new Set(responses.slice(0, -1).map((one) => one?.status)), new Set([403]))
    passSecond()
    t.equal(await storedToken(host), fromPhp)
    t.equal((await ask(both[1] ?? host, `Bearer ${fromPhp}`)).status, 200)
  }
})

/** An app whose own services a test can use, as the settings route will. */
async function ownProcess(t: Test) {
  const app = Fastify()
  t.teardown(() => app.close())
  const database = await freshAddress(t, 'SQLite')
  await app.register(svcContext, { database, siteUrl: 'https://shop.example', migrate: true })
  await app.register(system, { prefix: '/system' })
  await app.ready()
  const { options } = contextOf(app)
  await options.update('svc_api_token', () => token)
  const ask = async (presented: string) =>
    (await app.inject({ url: '/system', headers: { authorization: `Bearer ${presented}` } })).statusCode
  return { ask, options }
}

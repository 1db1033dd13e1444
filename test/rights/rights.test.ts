// Who may do what, as a table: every operation with every scope, with none, and with tokens that no longer work.
import type { FastifyRequest } from 'fastify'
import t from 'tap'
import { type Scope, scopeNames } from '../../src/core/scopes.ts'
import { passSecond } from '../support/fixtures/clock.ts'
import { type BuildOptions, build, type Engine, engineNames, type TestHost } from '../support/hosts/build.ts'
import { as, makeToken, revokeToken } from '../support/hosts/named-tokens.ts'

interface Call {
  id: string
  method: string
  path: string
}

/** Every operation that needs a token, on rows that do not exist. */
function callsOf({ routes }: TestHost): Call[] {
  const calls = routes.flatMap(({ config, url }) => {
    const { id, method, isOpen } = config?.operation ?? {}
    if (!id || !method || isOpen || String(method) === 'HEAD') return []
    return {
      id,
      method,
      path: url
        .replace('/wp-json/svc/v1', '')
        .replace(/(.)\/$/, '$1')
        .replace(/:\w+|\*/g, '99'),
    }
  })
  return [...new Map(calls.map((call) => [call.id, call])).values()]
}

/** The rule in words of its own: the group is the first part of the path, and only GET reads. Whoever retries a job prints an order. */
function isGranted(scopes: readonly string[], { id, method, path }: Call): boolean {
  const group = id === 'retry_print_job' ? 'orders' : path.split('/')[1]?.replaceAll('-', '_')
  const rights = method === 'GET' ? ['read', 'write'] : ['write']
  return scopes.some((scope) => rights.some((right) => scope === right || scope === `${group}:${right}`))
}

const refusedFor = (body: { code?: string } | undefined) =>
  ['svc_insufficient_scope', 'svc_forbidden', 'svc_unauthorized'].find((code) => code === body?.code)

async function hostOn(t: Parameters<typeof build>[0], engine: Engine, options: BuildOptions = {}) {
  const dir = t.testdir({ uploads: {} })
  const uploads = { dir: `${dir}/uploads`, url: 'https://shop.example/uploads' }
  const host = await build(t, { engine, uploads, ...options })
  const calls = callsOf(host)
  return { host, calls }
}

async function assertTable(
  t: Parameters<typeof build>[0],
  calls: Call[],
  call: TestHost['call'],
  scopes: readonly string[],
) {
  const wrong: string[] = []
  for (const one of calls) {
    const { body, status } = await call(one.method, one.path)
    const refusal = refusedFor(body)
    if (refusal !== (isGranted(scopes, one) ? undefined : 'svc_insufficient_scope'))
      wrong.push(`${one.id}: ${status} ${body?.code}`)
  }
  t.strictSame(wrong, [], `[${scopes}]`)
}

for (const engine of engineNames) {
  const granted: string[][] =
    engine === 'SQLite'
      ? [...scopeNames.map((scope) => [scope]), ['products:read', 'orders:write'], ['read', 'fonts:write']]
      : [['read'], ['write'], ['settings:read', 'orders:write']]
  t.test(`a named token reaches exactly the operations of its scopes (${engine})`, async (t) => {
    const { host, calls } = await hostOn(t, engine)
    t.ok(calls.length >= 60, `${calls.length} operations`)
    for (const [index, scopes] of granted.entries())
      await assertTable(t, calls, as(host, await makeToken(host, `t${index}`, scopes)), scopes)
  })
}

t.test('a login of the host reaches exactly the operations of its scopes', async (t) => {
  const { host, calls } = await hostOn(t, 'SQLite', {
    authenticate: async ({ headers }: FastifyRequest) => ({
      name: 'ada',
      scopes: String(headers.cookie).split(' ').filter(Boolean) as Scope[],
    }),
  })
  for (const scope of ['', ...scopeNames]) {
    const login: TestHost['call'] = (method, path) =>
      host.call(method, path, undefined, { authorization: undefined, cookie: scope })
    await assertTable(t, calls, login, [scope])
  }
})

t.test('no token, an expired one, a revoked one and one of no scope reach nothing', async (t) => {
  const { host, calls } = await hostOn(t, 'SQLite')
  const expired = await makeToken(host, 'expired', ['write'], Math.floor(Date.now() / 1000) + 60)
  const empty = await makeToken(host, 'empty', ['write'])
  const revoked = await makeToken(host, 'revoked', ['write'])
  await revokeToken(host, 'revoked')
  const rows = host.db.updateTable(host.t.api_tokens)
  await rows.set({ expires_at: 1 }).where('name', '=', 'expired').execute()
  await rows.set({ scopes: '[]' }).where('name', '=', 'empty').execute()
  passSecond()
  for (const [sent, code] of [
    [undefined, 'svc_unauthorized'],
    [expired, 'svc_forbidden'],
    [revoked, 'svc_forbidden'],
    [empty, 'svc_insufficient_scope'],
  ] as const) {
    for (const { id, method, path } of calls)
      t.equal((await as(host, sent)(method, path)).body.code, code, id)
  }
})

t.test('the token of the installation reaches everything', async (t) => {
  const { host, calls } = await hostOn(t, 'SQLite')
  for (const { id, method, path } of calls)
    t.equal(refusedFor((await host.call(method, path)).body), undefined, id)
})

// Named tokens: how they are made and stored, how long they work, and what looking them up costs.
import { hash } from 'node:crypto'
import { sql } from 'kysely'
import t from 'tap'
import { auditEntries } from '../../../plugins/index.ts'
import { runningContext } from '../../../src/http/running-apis.ts'
import { passSecond } from '../../support/fixtures/clock.ts'
import { build } from '../../support/hosts/build.ts'
import { rule, ruleOnce } from '../../support/hosts/fresh-host.ts'
import { as, makeToken, revokeToken } from '../../support/hosts/named-tokens.ts'
import { watched } from '../../support/hosts/statements.ts'

const inSeconds = (seconds: number) => Math.floor(Date.now() / 1000) + seconds

rule('a token is shown once: its row holds a hash, its name, its scopes and its times', async (t, host) => {
  const token = await makeToken(host, 'agent', ['products:read', 'read'], inSeconds(3600))
  t.match(token, /^svct_[0-9a-f]{64}$/)
  const [row] = await host.db.selectFrom(host.t.api_tokens).selectAll().execute()
  t.match(row, { name: 'agent', token_hash: hash('sha256', token), last_used_at: 0 })
  t.notOk(JSON.stringify(row).includes(token.slice(5)))
  const [listed] = await runningContext(host.app).namedTokens.list()
  t.strictSame(listed?.scopes, ['read', 'products:read'])
  t.ok(Math.abs(Number(listed?.createdAt) - Date.now() / 1000) < 60)
  t.strictSame([listed?.lastUsedAt, listed?.expiresAt], [undefined, row?.expires_at])
})

ruleOnce(
  'names, scopes and expiries that are invalid are refused, and nothing is stored',
  async (t, host) => {
    const bad: [string, string[], number?][] = [
      ['', ['read']],
      [' agent', ['read']],
      ['agent ', ['read']],
      ['ägent', ['read']],
      ['a\nb', ['read']],
      ['x'.repeat(65), ['read']],
      ['agent', []],
      ['agent', ['all']],
      ['agent', ['products']],
      ['agent', ['products:delete']],
      ['agent', ['READ']],
      ['agent', ['read'], inSeconds(-1)],
      ['agent', ['read'], 1.5],
    ]
    for (const [name, scopes, expires] of bad)
      await t.rejects(
        makeToken(host, name, scopes, expires),
        { code: 'rest_invalid_param' },
        `${name} ${scopes}`,
      )
    t.strictSame(await runningContext(host.app).namedTokens.list(), [])
    await makeToken(host, 'x'.repeat(64), ['read'])
    await makeToken(host, 'Nightly build (2)', ['read'])
  },
)

rule('a name is unique byte by byte, and free again once its token is revoked', async (t, host) => {
  const first = await makeToken(host, 'agent', ['read'])
  await t.rejects(makeToken(host, 'agent', ['read']), { message: /is the name of another token/ })
  await makeToken(host, 'Agent', ['read'])
  t.equal(await revokeToken(host, 'agent'), true)
  t.equal(await revokeToken(host, 'agent'), false)
  const second = await makeToken(host, 'agent', ['read'])
  t.equal((await as(host, first)('GET', '/products')).status, 403)
  t.equal((await as(host, second)('GET', '/products')).status, 200)
})

rule(
  'a token works until it is revoked or expires; then it is refused like an unknown one',
  async (t, host) => {
    const [revoked, expiring, unknown] = [
      await makeToken(host, 'revoked', ['read']),
      await makeToken(host, 'expiring', ['read'], inSeconds(3600)),
      `svct_${'0'.repeat(64)}`,
    ]
    for (const token of [revoked, expiring]) t.equal((await as(host, token)('GET', '/products')).status, 200)
    await revokeToken(host, 'revoked')
    await host.db
      .updateTable(host.t.api_tokens)
      .set({ expires_at: inSeconds(-1) })
      .execute()
    passSecond()
    const refused = await as(host, unknown)('GET', '/products')
    t.match(refused, { status: 403, body: { code: 'svc_forbidden' } })
    for (const token of [revoked, expiring])
      t.strictSame((await as(host, token)('GET', '/products')).body, refused.body)
  },
)

rule('another process refuses a revoked token, and accepts a new one, within a second', async (t, host) => {
  const other = await build(t, { engine: host.engine, address: host.address })
  const token = await makeToken(host, 'agent', ['read'])
  passSecond()
  t.equal((await as(other, token)('GET', '/products')).status, 200)
  await revokeToken(host, 'agent')
  t.equal((await as(host, token)('GET', '/products')).status, 403, 'the process itself at once')
  passSecond()
  t.equal((await as(other, token)('GET', '/products')).status, 403)
})

rule('the last use is noted at most once a minute', async (t, host) => {
  const token = await makeToken(host, 'agent', ['read'])
  const { namedTokens } = runningContext(host.app)
  const noted = async () => (await namedTokens.list())[0]?.lastUsedAt
  await as(host, token)('GET', '/products')
  while ((await noted()) === undefined) await new Promise((done) => setTimeout(done, 20))
  t.ok(Math.abs(Number(await noted()) - Date.now() / 1000) < 60)
  await host.db.updateTable(host.t.api_tokens).set({ last_used_at: 1 }).execute()
  for (let i = 0; i < 5; i++) await as(host, token)('GET', '/products')
  t.equal(await noted(), 1, 'this process has noted it less than a minute ago')
})

t.test('namedTokens: a failure to note the use has no effect on the request', async (t) => {
  const host = await build(t)
  const token = await makeToken(host, 'agent', ['read'])
  await sql
    .raw(
      `create trigger no_notes before update on ${host.t.api_tokens} begin select raise(abort, 'full'); end`,
    )
    .execute(host.db)
  t.equal((await as(host, token)('GET', '/products')).status, 200)
})

rule('without the table everything works, and making a token creates it', async (t, host) => {
  await host.db.schema.dropTable(host.t.api_tokens).execute()
  const other = await build(t, { engine: host.engine, address: host.address, migrate: false })
  t.equal((await other.call('GET', '/products')).status, 200)
  t.equal((await as(other, `svct_${'0'.repeat(64)}`)('GET', '/products')).body.code, 'svc_forbidden')
  const { namedTokens } = runningContext(other.app)
  t.strictSame([await namedTokens.list(), await namedTokens.revoke('agent')], [[], false])
  const token = await makeToken(other, 'agent', ['read'])
  t.equal((await as(other, token)('GET', '/products')).status, 200)
  passSecond()
  t.equal((await as(host, token)('GET', '/products')).status, 200)

  await host.db.schema.dropTable(host.t.api_tokens).execute()
  const audited = await build(t, { engine: host.engine, address: host.address, migrate: false, audit: true })
  await makeToken(audited, 'agent', ['read'])
  t.match(await auditEntries({ database: host.address }), [{ resource: 'named_token', id: 'agent' }])
})

t.test(
  'namedTokens: the token of the installation costs no query of named tokens, nor does one of another form',
  async (t) => {
    const host = await watched(t)
    await makeToken(host, 'agent', ['read'])
    const ofTokens = async (work: () => Promise<unknown>) =>
      (await host.statementsOf(work)).filter(({ sql }) => sql.includes(host.t.api_tokens)).length
    const repeat = async (token?: string) => {
      for (let i = 0; i < 50; i++) await (token ? as(host, token) : host.call)('GET', '/openapi.json')
    }
    t.equal(await ofTokens(() => repeat()), 0)
    t.equal(await ofTokens(() => repeat('f'.repeat(64))), 0)
    const flood = await ofTokens(async () => {
      for (let i = 0; i < 300; i++)
        await as(host, `svct_${i.toString(16).padStart(64, '0')}`)('GET', '/products')
    })
    t.ok(flood <= 60, `${flood} queries in a flood of 300 wrong named tokens`)
  },
)

t.test('namedTokens: there are at most 200 named tokens', async (t) => {
  const host = await build(t)
  const row = { token_hash: 'x', scopes: '["read"]', created_at: 1, expires_at: 0, last_used_at: 0 }
  const rows = Array.from({ length: 200 }, (_, i) => ({ ...row, name: `t${i}` }))
  await host.db.insertInto(host.t.api_tokens).values(rows).execute()
  await t.rejects(makeToken(host, 'agent', ['read']), { code: 'rest_invalid_param' })
  await revokeToken(host, 't7')
  await makeToken(host, 'agent', ['read'])
})

t.test('namedTokens: a row whose scopes cannot be read grants nothing', async (t) => {
  const host = await build(t)
  const token = await makeToken(host, 'agent', ['write'])
  for (const scopes of [null, '', 'all', '"all"', '["all"]', '["admin:write", 7]', '{"0":"write"}']) {
    await host.db.updateTable(host.t.api_tokens).set({ scopes }).execute()
    passSecond()
    t.match(await as(host, token)('GET', '/products'), {
      status: 403,
      body: { code: 'svc_insufficient_scope' },
    })
  }
})

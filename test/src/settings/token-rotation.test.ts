// Rotation of named tokens: how long the previous one works, what the new one takes over, and what is reported.
import { type RawBuilder, sql } from 'kysely'
import { auditEntries } from '../../../plugins/index.ts'
import { databaseOn } from '../../../src/db/connect.ts'
import { runningContext } from '../../../src/http/running-apis.ts'
import { namedTokens } from '../../../src/settings/named-tokens.ts'
import { rotateStored } from '../../../src/settings/token-rotation.ts'
import type { TestHost } from '../../support/hosts/build.ts'
import { rule, ruleOnce } from '../../support/hosts/fresh-host.ts'
import { as, makeToken } from '../../support/hosts/named-tokens.ts'

const statusOf = async (host: TestHost, token: string) => (await as(host, token)('GET', '/products')).status

/** The tokens as a database sees them whose clock differs from the host's by so many seconds. */
async function tokensAt(host: TestHost, seconds: number) {
  const database = await databaseOn(host.connection)
  const now: RawBuilder<number> = sql`(${database.dialect.now} + ${sql.lit(seconds)})`
  return namedTokens({ ...database, dialect: { ...database.dialect, now } })
}

rule(
  'namedTokens.rotate: the new token works at once, the previous one until the overlap ends by the database',
  async (t, host) => {
    const first = await makeToken(host, 'agent', ['read', 'fonts:write'])
    const rotated = await runningContext(host.app).namedTokens.rotate('agent', '1h')
    const second = rotated?.token ?? ''
    t.match(second, /^svct_[0-9a-f]{64}$/)
    t.strictSame([await statusOf(host, first), await statusOf(host, second)], [200, 200])
    const later = await tokensAt(host, 3540)
    t.ok(later.find(await later.read(), first))
    const over = await tokensAt(host, 3660)
    t.equal(over.find(await over.read(), first), undefined)
    t.match(over.find(await over.read(), second), { name: 'agent', scopes: ['read', 'fonts:write'] })
    await host.db
      .updateTable(host.t.api_tokens)
      .set({ expires_at: 1 })
      .where('name', '=', 'agent (replaced)')
      .execute()
    runningContext(host.app).namedTokens.forget()
    t.match(await as(host, first)('GET', '/products'), { status: 403, body: { code: 'svc_forbidden' } })
    t.equal(await statusOf(host, second), 200)
  },
)

rule('namedTokens.rotate: without an overlap the previous token is refused at once', async (t, host) => {
  const first = await makeToken(host, 'agent', ['read'])
  const { namedTokens } = runningContext(host.app)
  const rotated = await namedTokens.rotate('agent', 'now')
  t.equal(rotated?.previous, undefined)
  t.strictSame([await statusOf(host, first), await statusOf(host, rotated?.token ?? '')], [403, 200])
  t.strictSame(
    (await namedTokens.list()).map(({ name }) => name),
    ['agent'],
  )
  t.equal(await namedTokens.rotate('Agent', 'now'), undefined)
})

rule('namedTokens.rotate: each previous token has another name and no longer life', async (t, host) => {
  const soon = Math.floor(Date.now() / 1000) + 600
  const tokens = [await makeToken(host, 'x'.repeat(64), ['read'], soon)]
  const { namedTokens } = runningContext(host.app)
  for (let i = 0; i < 2; i++) tokens.push((await namedTokens.rotate('x'.repeat(64), '7d'))?.token ?? '')
  for (const token of tokens) t.equal(await statusOf(host, token), 200)
  const listed = await namedTokens.list()
  t.strictSame(
    new Set(listed.map(({ name }) => name)),
    new Set(['x'.repeat(64), `${'x'.repeat(53)} (replaced)`, `${'x'.repeat(51)} (replaced 2)`]),
  )
  for (const { expiresAt } of listed) t.ok(Math.abs(Number(expiresAt) - soon) < 30)
  t.equal(await namedTokens.revoke(`${'x'.repeat(53)} (replaced)`), true)
})

rule(
  'namedTokens.rotate: of several at the same time one rotates, the others are refused',
  async (t, host) => {
    const first = await makeToken(host, 'agent', ['read'])
    const { namedTokens } = runningContext(host.app)
    const outcomes = await Promise.allSettled(
      Array.from({ length: 4 }, () => namedTokens.rotate('agent', '1d')),
    )
    const rotated = outcomes.flatMap((outcome) =>
      outcome.status === 'fulfilled' && outcome.value ? [outcome.value.token] : [],
    )
    const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))
    t.ok(rotated.length >= 1)
    for (const error of refused) t.match(error, { code: 'svc_precondition_failed' })
    for (const token of [first, ...rotated]) t.equal(await statusOf(host, token), 200)
    t.equal((await namedTokens.list()).length, 1 + rotated.length)
  },
)

rule(
  'rotateStored: 412 for a token that was revoked after it was read, and nothing is stored',
  async (t, host) => {
    await makeToken(host, 'agent', ['read'])
    const database = await databaseOn(host.connection)
    const [stored] = await host.db.selectFrom(host.t.api_tokens).selectAll().execute()
    await runningContext(host.app).namedTokens.revoke('agent')
    for (const overlap of ['now', '1d'] as const) {
      const old = { ...stored, now: 1_800_000_000 } as Parameters<typeof rotateStored>[1]
      const rotation = { token: `svct_${overlap}`, overlap, names: new Set<string>() }
      await t.rejects(rotateStored(database, old, rotation), { code: 'svc_precondition_failed' })
    }
    t.same(await host.db.selectFrom(host.t.api_tokens).selectAll().execute(), [])
  },
)

ruleOnce(
  'namedTokens.rotate: the audit trail has the new token and the renamed or deleted one',
  async (t, host) => {
    await makeToken(host, 'agent', ['read'])
    const { namedTokens } = runningContext(host.app)
    await namedTokens.rotate('agent', '1d')
    await namedTokens.rotate('agent', 'now')
    const entries = await auditEntries({ database: host.address, resource: 'named_token' })
    t.strictSame(
      entries.map(({ id, action }) => `${action} ${id}`),
      ['created agent', 'deleted agent', 'created agent', 'updated agent (replaced)', 'created agent'],
    )
  },
  { audit: true },
)

ruleOnce('namedTokens.rotate: 400 with an overlap when there are 200 tokens', async (t, host) => {
  const row = { token_hash: 'x', scopes: '["read"]', created_at: 1, expires_at: 0, last_used_at: 0 }
  const rows = Array.from({ length: 200 }, (_, i) => ({ ...row, name: `t${i}`, token_hash: `x${i}` }))
  await host.db.insertInto(host.t.api_tokens).values(rows).execute()
  const { namedTokens } = runningContext(host.app)
  await t.rejects(namedTokens.rotate('t7', '1d'), { code: 'rest_invalid_param' })
  t.equal(await statusOf(host, (await namedTokens.rotate('t7', 'now'))?.token ?? ''), 200)
})

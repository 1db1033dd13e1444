// The settings screen reports what it changes, without saying which session of the administrator it was.
import { hash } from 'node:crypto'
import t from 'tap'
import { auditEntries, type Change } from '../../../plugins/index.ts'
import { onEachDialect } from '../../support/hosts/build.ts'
import { as } from '../../support/hosts/named-tokens.ts'
import { buildScreen } from '../../support/hosts/screen.ts'
import { rows, webhookSecret } from '../../support/hosts/webhooks.ts'

t.test('each setting that is saved, and the token that is cleared, is one change by the screen', (t) =>
  onEachDialect(t, async (t, engine) => {
    const seen: Change[] = []
    const { host, client } = await buildScreen(t, {
      engine,
      onChange: (change) => seen.push(change),
      audit: true,
    })
    await client.save('general', { svc_rulerUnit: 'cm' })
    await client.save('general', { svc_rulerUnit: 'cm' })
    await client.submit(await client.get('clear-token'), 'clear-token')
    const by = { operation: 'settings_screen', principal: { kind: 'host', name: 'settings screen' } }
    t.match(seen, [
      { resource: 'setting', action: 'updated', id: 'svc_rulerUnit', ...by },
      { resource: 'setting', action: 'updated', id: 'svc_api_token', ...by },
    ])
    t.equal(seen.length, 2)
    t.equal((await auditEntries({ database: host.address })).length, 2)
  }),
)

t.test('a named token that is made or revoked is one change, which never says the token', (t) =>
  onEachDialect(t, async (t, engine) => {
    const seen: Change[] = []
    const { host, client } = await buildScreen(t, {
      engine,
      onChange: (change) => seen.push(change),
      audit: true,
      webhooks: [{ url: 'https://127.0.0.1:9/', secret: webhookSecret, events: ['named_token.*'] }],
    })
    const make = async (name: string) =>
      client.submit(await client.get('named-tokens'), 'named-tokens', {
        name,
        scopes: 'products:read',
        expires: '2999-01-31',
      })
    const made = await make('7')
    const token = made.document.querySelector<HTMLInputElement>('#made')?.value ?? ''
    t.equal((await as(host, token)('GET', '/products')).status, 200)
    t.equal((await make('7')).status, 400, 'the name is taken')
    const question = await client.get('revoke-token?name=7')
    await client.submit(question, 'revoke-token')
    await client.submit(question, 'revoke-token')
    const by = { operation: 'settings_screen', principal: { kind: 'host', name: 'settings screen' } }
    t.match(seen, [
      { resource: 'named_token', action: 'created', id: '7', ...by },
      { resource: 'named_token', action: 'deleted', id: '7', ...by },
    ])
    t.equal(seen.length, 2)
    const entries = await auditEntries({ database: host.address, resource: 'named_token', id: '7' })
    t.same(
      entries.reverse().map(({ at: _, ...change }) => change),
      seen,
    )
    const events = await rows(host)
    t.same(
      events.map(({ type }) => type),
      ['named_token.created', 'named_token.deleted'],
    )
    const text = JSON.stringify([seen, entries, events.map(({ payload }) => payload)])
    for (const secret of [token, token.slice(5), hash('sha256', token)]) t.notMatch(text, secret)
  }),
)

t.test('a token whose entry cannot be written is not made', (t) =>
  onEachDialect(t, async (t, engine) => {
    const { host, client } = await buildScreen(t, { engine, audit: true })
    await host.db.schema.alterTable(host.t.api_audit).dropColumn('request_id').execute()
    const page = await client.get('named-tokens')
    const { status } = await client.submit(page, 'named-tokens', { name: 'agent', scopes: 'read' })
    t.equal(status, 500)
    t.same(await host.db.selectFrom(host.t.api_tokens).selectAll().execute(), [])
  }),
)

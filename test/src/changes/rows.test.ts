// The rows of the audit trail and of the outbox: what they say of a change, and what is read back.
import t from 'tap'
import { auditEntries, replayWebhooks, webhookEvents } from '../../../plugins/index.ts'
import { auditTrail } from '../../../src/changes/audit.ts'
import { endpointsOf } from '../../../src/changes/endpoints.ts'
import { outbox } from '../../../src/changes/outbox.ts'
import { outboxEvents } from '../../../src/changes/outbox-events.ts'
import type { Change } from '../../../src/core/change.ts'
import { build, onEachEngine, type TestHost } from '../../support/hosts/build.ts'
import { rows, webhookSecret as secret } from '../../support/hosts/webhooks.ts'

const change = (more: Partial<Change>): Change => ({
  operation: 'update_product',
  resource: 'product',
  action: 'updated',
  id: 7,
  principal: { kind: 'token', name: 'erp' },
  request_id: 'req-1',
  before_etag: '"a"',
  after_etag: '"b"',
  ...more,
})

async function written({ db }: TestHost, inserts: Iterable<Parameters<TestHost['db']['executeQuery']>[0]>) {
  for (const insert of inserts) await db.executeQuery(insert)
}

t.test('the audit trail gives back what was written, newest first, with ids of their type', (t) =>
  onEachEngine(t, async (t, engine) => {
    const host = await build(t, { engine, audit: true })
    const trail = auditTrail(host.connection)
    const nobody = { principal: null, request_id: null, before_etag: null, after_etag: null }
    const changes = [
      change({}),
      change({ resource: 'product', action: 'created', id: 12 }),
      change({ resource: 'color_library', id: null, ...nobody }),
      ...(['asset', 'font', 'setting', 'named_token'] as const).map((resource) =>
        change({ resource, id: '12' }),
      ),
    ]
    for (const each of changes) await written(host, trail.inserts([each]))
    const listed = await trail.list({})
    t.match(listed[0]?.at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
    t.strictSame(listed.map(({ at: _at, ...entry }) => entry).reverse(), changes)
    const found = async (query: Parameters<typeof trail.list>[0]) =>
      (await trail.list(query)).map(({ resource, id }) => [resource, id])
    t.strictSame(await found({ resource: 'font' }), [['font', '12']])
    t.strictSame(await found({ id: 12, limit: 1 }), [['named_token', '12']])
    t.equal((await trail.list({ id: 12 })).length, 5)
    t.equal((await trail.list({ since: new Date(Date.now() - 60_000) })).length, changes.length)
    t.equal((await trail.list({ since: new Date(Date.now() + 60_000) })).length, 0)
  }),
)

t.test('entries that depend on each other are about one subject, others each about their own', (t) =>
  onEachEngine(t, async (t, engine) => {
    const host = await build(t, { engine, webhooks: [{ url: 'https://127.0.0.1:9/', secret }] })
    const endpoints = endpointsOf([
      { url: 'https://erp.example/a', secret },
      { url: 'https://crm.example/', secret, events: ['product.*'] },
    ])
    const changes = [
      change({}),
      change({ id: 8 }),
      change({ action: 'deleted' }),
      ...[1, 2].map((id) => change({ resource: 'text_template', id })),
      ...[1, null].map((id) => change({ resource: 'color_library', id })),
    ]
    await written(host, outbox(host.connection).inserts(changes, endpoints))
    const events = await rows(host)
    const [erp, crm] = endpoints.map(({ id }) => events.filter(({ endpoint }) => endpoint === id))
    t.same(
      new Set(events.map(({ origin }) => origin)),
      new Set(['https://erp.example', 'https://crm.example']),
    )
    t.same(
      erp?.map(({ type, payload }) => [type, JSON.parse(String(payload)).data]),
      changes.map((each) => [`${each.resource}.${each.action}`, each]),
    )
    t.same(
      crm?.map(({ event_id }) => event_id),
      erp?.slice(0, 3).map(({ event_id }) => event_id),
    )
    const subjects = erp?.map(({ subject }) => subject) ?? []
    const first = subjects.map((subject) => subjects.indexOf(subject))
    t.same(first, [0, 1, 0, 3, 3, 5, 5])
  }),
)

t.test('old rows are removed, of any number', (t) =>
  onEachEngine(t, async (t, engine) => {
    const host = await build(t, { engine, audit: true, webhooks: [{ url: 'https://127.0.0.1:9/', secret }] })
    const { db, t: names, connection } = host
    const trail = auditTrail(connection)
    const now = Math.floor(Date.now() / 1000)
    const day = 86_400
    await written(host, trail.inserts(Array.from({ length: 1001 }, (_, id) => change({ id: id + 1 }))))
    await db
      .updateTable(names.api_audit)
      .set({ at: now - 10 * day - 60 })
      .execute()
    await written(host, trail.inserts([change({ id: 2000 })]))
    await db
      .updateTable(names.api_audit)
      .set({ at: now - 10 * day + 60 })
      .where('resource_id', '=', '2000')
      .execute()
    await trail.sweep(10)
    t.same(
      (await trail.list({})).map(({ id }) => id),
      [2000],
    )

    const queue = outbox(connection)
    const endpoints = endpointsOf([{ url: 'https://erp.example/', secret }])
    const [endpoint] = endpoints
    await written(
      host,
      queue.inserts(
        [1, 2, 3, 4, 5, 6].map((id) => change({ id })),
        endpoints,
      ),
    )
    const states = [
      ['delivered', 7, 60],
      ['delivered', 7, -60],
      ['dead', 30, 60],
      ['dead', 30, -60],
    ] as const
    const ids = (await rows(host)).map(({ ID }) => ID)
    for (const [at, [state, days, seconds]] of states.entries()) {
      const done = { state, done_at: now - days * day - seconds }
      await db
        .updateTable(names.api_outbox)
        .set(done)
        .where('ID', '=', ids[at] ?? 0)
        .execute()
    }
    const written3 = { created_at: now - 3 * day - 60 }
    await db
      .updateTable(names.api_outbox)
      .set(written3)
      .where('ID', '=', ids[4] ?? 0)
      .execute()
    await queue.sweep([endpoint?.id ?? ''])
    const left = async () => (await rows(host)).map(({ ID, state }) => [ids.indexOf(ID), state])
    t.same(await left(), [
      [1, 'delivered'],
      [3, 'dead'],
      [4, 'pending'],
      [5, 'pending'],
    ])
    await queue.sweep([])
    t.same(await left(), [
      [1, 'delivered'],
      [3, 'dead'],
      [4, 'dead'],
      [5, 'pending'],
    ])
  }),
)

t.test('a question that is no option is refused before the database is asked', async (t) => {
  const database = 'mysql://127.0.0.1:9/nobody'
  const refused = { message: /^limit: must be a number of rows/ }
  await t.rejects(auditEntries({ database, limit: 0 }), refused)
  await t.rejects(webhookEvents({ database, limit: 0 }), refused)
  await t.rejects(replayWebhooks({ database, id: '' }), { message: /^id: must be the id of an event/ })
})

t.test('an event is due at a time as long as it waits', (t) =>
  onEachEngine(t, async (t, engine) => {
    const host = await build(t, { engine, webhooks: [{ url: 'https://127.0.0.1:9/', secret }] })
    const endpoints = endpointsOf([{ url: 'https://erp.example/', secret }])
    await written(host, outbox(host.connection).inserts([change({}), change({ id: 8 })], endpoints))
    const [first] = await rows(host)
    const dead = { state: 'dead', next_at: 1_800_000_000 }
    await host.db
      .updateTable(host.t.api_outbox)
      .set(dead)
      .where('ID', '=', first?.ID ?? 0)
      .execute()
    const [over, waiting] = await outboxEvents(host.connection).list({})
    t.match(over, { state: 'dead', next_at: null })
    t.match(waiting, { state: 'pending', endpoint: 'https://erp.example', attempts: 0, error: null })
    t.equal(waiting?.next_at, waiting?.queued_at)
  }),
)

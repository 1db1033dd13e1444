// Audit entries and events are written with the change itself: in the same round trips where the database allows it.
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { createPool, type PoolConnection, type PoolOptions } from 'mysql2/promise'
import t, { type Test } from 'tap'
import type { SqlSpan } from '../../src/trace.ts'
import { build, freshAddress, onEachEngine, type TestHost } from '../support/build.ts'

const webhooks = [
  { url: 'https://127.0.0.1:9/', secret: `whsec_${Buffer.alloc(24, 7).toString('base64')}`, events: ['*.*'] },
]
interface Query {
  sql: string
}

const minimal = { prefer: 'return=minimal' }

async function withView(host: TestHost): Promise<TestHost> {
  await host.call('POST', '/products', { title: 'Mug' })
  await host.call('POST', '/products/1/views', { title: 'Front' })
  return host
}

/** A host with an audit trail on a mysql2 pool of its own. */
async function onPool(t: Test, options: PoolOptions) {
  const address = await freshAddress(t, 'MariaDB')
  const pool = createPool({ uri: address, charset: 'utf8mb4', ...options })
  t.teardown(() => pool.end())
  const host = await withView(await build(t, { engine: 'MariaDB', address, database: pool, audit: true }))
  return { host, pool }
}

/** The round trips to tables of the shop during `work`. */
async function roundTrips(t: Test, { t: tables }: TestHost, work: () => Promise<unknown>): Promise<string[]> {
  const seen: string[] = []
  const record = (span: unknown) => {
    const { statement } = span as SqlSpan
    const isDelivery = statement.includes(tables.api_outbox) && !statement.includes('insert')
    if (!statement.includes(tables.options) && !isDelivery) seen.push(statement)
  }
  subscribe('svc-api:sql', record)
  t.teardown(() => unsubscribe('svc-api:sql', record))
  await work()
  unsubscribe('svc-api:sql', record)
  return seen
}

const entriesOf = ({ db, t }: TestHost) =>
  db
    .selectFrom(t.api_audit)
    .select(['operation', 'resource_id', 'after_etag'])
    .where('resource', '=', 'view')
    .where('action', '=', 'updated')
    .orderBy('ID')
    .execute()

t.test('a PATCH of plain columns takes no round trip more than without audit trail and webhooks', (t) =>
  onEachEngine(t, async (t, engine) => {
    const address = await freshAddress(t, engine)
    const host = await withView(await build(t, { engine, address, database: address, audit: true, webhooks }))
    const patched = async (body: object, headers?: Record<string, string>) => {
      let etag: string | undefined
      const sent = await roundTrips(t, host, async () => {
        const response = await host.call('PATCH', '/views/1', body, headers)
        t.equal(response.status, 200)
        etag = response.headers.etag
      })
      // MySQL has no compound statements.
      if (engine === 'MySQL') return { etag }
      t.match(sent[0], /^update .*/, 'shown without what begins the transaction')
      return { sent: sent.length, etag }
    }
    const trips = (sent: number) => (engine === 'MySQL' ? {} : { sent })
    t.match(await patched({ title: 'Back' }, minimal), trips(1))
    t.match(await patched({ title: 'Back' }, minimal), trips(1), 'also if it changes nothing')
    const { etag, ...rest } = await patched({ title: 'Side', elements: [1] })
    t.strictSame(rest, trips(2))
    t.strictSame(await entriesOf(host), [
      { operation: 'update_view', resource_id: '1', after_etag: '' },
      { operation: 'update_view', resource_id: '1', after_etag: '' },
      { operation: 'update_view', resource_id: '1', after_etag: etag },
    ])
    const events = await host.db
      .selectFrom(host.t.api_outbox)
      .select('ID')
      .where('type', '=', 'view.updated')
      .execute()
    t.equal(events.length, 3)
    t.match((await host.call('GET', '/views/1')).body.data, { title: 'Side', elements: [1] })
    for (const headers of [minimal, {}])
      t.equal((await host.call('PATCH', '/views/2', { title: 'Back' }, headers)).status, 404)
    t.equal((await entriesOf(host)).length, 3, 'no entry for a view that does not exist')
  }),
)

t.test('a value too large for a shared round trip is written with its entry', (t) =>
  onEachEngine(t, async (t, engine) => {
    const host = await withView(await build(t, { engine, audit: true }))
    const elements = [{ text: 'ä'.repeat(400_000) }]
    for (const headers of [minimal, {}])
      t.equal((await host.call('PATCH', '/views/1', { elements }, headers)).status, 200)
    t.equal((await entriesOf(host)).length, 2)
    t.strictSame((await host.call('GET', '/views/1')).body.data.elements, elements)
  }),
)

t.test('on a pool that counts changed rows only, a PATCH that changes nothing has no entry', async (t) => {
  const { host } = await onPool(t, { flags: ['-FOUND_ROWS'] })
  t.equal((await host.call('PATCH', '/views/1', { title: 'Front' }, minimal)).status, 200)
  t.equal((await entriesOf(host)).length, 0)
  t.equal((await host.call('PATCH', '/views/1', { title: 'Back' }, minimal)).status, 200)
  t.equal((await entriesOf(host)).length, 1)
})

t.test(
  'a write whose entry cannot be stored is not done, and leaves its connection without transaction',
  (t) =>
    onEachEngine(t, async (t, engine) => {
      const host = await withView(await build(t, { engine, audit: true }))
      await host.db.schema.alterTable(host.t.api_audit).renameTo('moved').execute()
      for (const headers of [minimal, {}])
        t.ok((await host.call('PATCH', '/views/1', { title: 'Back' }, headers)).status >= 500)
      await host.db.schema.alterTable('moved').renameTo(host.t.api_audit).execute()
      t.equal((await host.call('GET', '/views/1')).body.data.title, 'Front')
      // On every connection of the pool, one after another and at once.
      const all = Array.from({ length: 12 }, (_, i) => host.call('PATCH', '/views/1', { title: `Side ${i}` }))
      for (const { status } of await Promise.all(all)) t.equal(status, 200)
      t.equal((await entriesOf(host)).length, 12)
    }),
)

t.test('a server that does not know compound statements gets one statement after another', async (t) => {
  const { host, pool } = await onPool(t, { connectionLimit: 1 })
  const connection = (await pool.getConnection()) as PoolConnection
  const core = connection.connection as unknown as {
    execute(query: Query, done: (error: unknown) => void): void
  }
  const execute = core.execute.bind(core)
  let refused = 0
  core.execute = (query, done) => {
    if (!query.sql.includes('begin not atomic')) return execute(query, done)
    refused++
    return done(Object.assign(new Error('You have an error in your SQL syntax'), { errno: 1064 }))
  }
  connection.release()
  for (const headers of [minimal, {}]) {
    t.equal((await host.call('PATCH', '/views/1', { title: 'Back' }, headers)).status, 200)
    t.equal((await host.call('PATCH', '/views/2', { title: 'Back' }, headers)).status, 404)
  }
  t.equal(refused, 1, 'which it is asked once')
  t.equal((await entriesOf(host)).length, 2)
  const [[session]] = (await pool.query('select @@in_transaction as open')) as unknown as [[{ open: number }]]
  t.equal(session.open, 0)
})

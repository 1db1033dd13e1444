// Audit entries and events are written with the change itself, also where the write alone would be a single statement.
import t from 'tap'
import { build, onEachEngine, type TestHost } from '../../support/hosts/build.ts'

const webhooks = [
  { url: 'https://127.0.0.1:9/', secret: `whsec_${Buffer.alloc(24, 7).toString('base64')}`, events: ['*.*'] },
]

const minimal = { prefer: 'return=minimal' }

async function withView(host: TestHost): Promise<TestHost> {
  await host.call('POST', '/products', { title: 'Mug' })
  await host.call('POST', '/products/1/views', { title: 'Front' })
  return host
}

const entriesOf = ({ db, t }: TestHost) =>
  db
    .selectFrom(t.api_audit)
    .select(['operation', 'resource_id', 'before_etag', 'after_etag'])
    .where('resource', '=', 'view')
    .where('action', '=', 'updated')
    .orderBy('ID')
    .execute()

t.test('a PATCH of plain columns has its entry and event, and none if nothing changes', (t) =>
  onEachEngine(t, async (t, engine) => {
    const host = await withView(await build(t, { engine, audit: true, webhooks }))
    const patched = async (body: object, headers?: Record<string, string>) => {
      const response = await host.call('PATCH', '/views/1', body, headers)
      t.equal(response.status, 200)
      return response.headers.etag
    }
    const before = (await host.call('GET', '/views/1')).headers.etag
    const first = await patched({ title: 'Back' })
    await patched({ title: 'Back' })
    await patched({ title: 'Left' }, minimal)
    const last = await patched({ title: 'Side', elements: [1] })
    t.match(await entriesOf(host), [
      { operation: 'update_view', resource_id: '1', before_etag: before, after_etag: first },
      { operation: 'update_view', resource_id: '1', before_etag: first, after_etag: '' },
      { operation: 'update_view', resource_id: '1', after_etag: last },
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

t.test('a value that is too long for a text of SQL is written with its entry', (t) =>
  onEachEngine(t, async (t, engine) => {
    const host = await withView(await build(t, { engine, audit: true }))
    const elements = [{ text: 'ä'.repeat(400_000) }]
    t.equal((await host.call('PATCH', '/views/1', { elements })).status, 200)
    t.equal((await entriesOf(host)).length, 1)
    t.strictSame((await host.call('GET', '/views/1')).body.data.elements, elements)
  }),
)

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

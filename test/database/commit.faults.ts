// Connections that are lost in the middle of a write: its outcome is found out, never assumed.
import t from 'tap'
import { png } from '../support/fixtures/make-png.ts'
import { chaosProxy, type Fault } from '../support/hostile/chaos-proxy.ts'
import { build, freshAddress } from '../support/hosts/build.ts'
import {
  type FaultyHost,
  faultyHost,
  hostPool,
  isUnavailable,
  onEachKind,
  onEachPool,
} from '../support/hosts/faults.ts'
import { upload } from '../support/hosts/form.ts'
import { dropboxRows, saveRows } from '../support/hosts/remote-shop.ts'
import { dropboxServer } from '../support/peers/dropbox.ts'

const keyed = (key: string) => ({ 'idempotency-key': key })
const titles = async ({ db, t: names }: FaultyHost) =>
  (await db.selectFrom(names.categories).select('title').orderBy('ID').execute()).map((row) => row.title)

const unwritten: [name: string, fault: Fault][] = [
  [
    'between two statements',
    { kind: 'at', text: 'insert into `wp_svc_cat', forwarded: false, next: 'break' },
  ],
  [
    'after a statement is through',
    { kind: 'at', text: 'insert into `wp_svc_cat', forwarded: true, next: 'break' },
  ],
  ['before COMMIT is through', { kind: 'at', text: 'commit', forwarded: false, next: 'break' }],
  ['by silence before COMMIT', { kind: 'at', text: 'commit', forwarded: false, next: 'hang' }],
]

for (const [name, fault] of unwritten) {
  t.test(`a connection lost ${name} writes nothing and gives 503, and the next request is served`, (t) =>
    onEachKind(t, async (t, kind, engine) => {
      const host = await faultyHost(t, kind, { engine })
      await host.call('POST', '/categories', { title: 'First' })
      host.proxy.suffer(fault)
      await isUnavailable(t, () => host.call('POST', '/categories', { title: 'Lost' }))
      t.equal(host.proxy.strikes, 1)
      t.same(await titles(host), ['First'])
      t.equal((await host.call('POST', '/categories', { title: 'Next' })).status, 201)
      t.same(await titles(host), ['First', 'Next'])
    }),
  )
}

for (const next of ['break', 'hang'] as const) {
  t.test(
    `a write whose COMMIT got through counts as done, although the response was lost by a ${next}`,
    (t) =>
      onEachKind(t, async (t, kind, engine) => {
        const host = await faultyHost(t, kind, { engine })
        const { call, proxy } = host
        const lost = async (...request: Parameters<typeof call>) => {
          proxy.suffer({ kind: 'at', text: 'commit', forwarded: true, next })
          const response = await call(...request)
          t.equal(proxy.strikes, 1)
          return response
        }
        const made = await lost('POST', '/categories', { title: 'Mugs' })
        t.match(made, { status: 201, body: { data: { title: 'Mugs' } } })
        t.same(await titles(host), ['Mugs'])
        const { id } = made.body.data
        t.match(await lost('PATCH', `/categories/${id}`, { title: 'Cups' }), {
          status: 200,
          body: { data: { title: 'Cups' } },
        })
        // Each hang takes seconds.
        if (next === 'hang') return
        t.equal((await lost('DELETE', `/categories/${id}`)).status, 200)
        t.same(await titles(host), [])
        t.equal((await lost('POST', '/products', { title: 'Mug' })).status, 201)
        t.equal((await lost('PATCH', '/products/1', { options: { a: 1 } })).status, 200)
        t.equal((await lost('POST', '/products/1/views', { title: 'Front' })).status, 201)
        t.equal((await lost('POST', '/views/1/duplicate', {})).status, 201)
        t.equal((await lost('DELETE', '/views/1')).status, 200)
        const order = await lost('POST', '/shortcode-orders', { views: [{}] })
        t.equal((await lost('DELETE', `/shortcode-orders/${order.body.data.id}`)).status, 200)
        const other = await call('POST', '/shortcode-orders', { views: [{}] })
        t.equal((await lost('DELETE', `/orders/${other.body.data.id}`)).status, 200)
        const job = { guid: 'job', details: '{}', data: null, status: 'completed' }
        await host.db.insertInto(host.t.print_jobs).values(job).execute()
        t.equal((await lost('DELETE', '/print-jobs/job')).status, 200)
        t.equal((await call('GET', '/products/1/views')).body.meta.total, 1)
      }),
  )
}

t.test(
  'an upload to a remote storage whose COMMIT got through is listed, although the response was lost',
  (t) =>
    onEachKind(t, async (t, kind, engine) => {
      const dropbox = await dropboxServer()
      t.teardown(() => dropbox.close())
      const uploads = { dir: t.testdir({}), url: 'https://shop.example/uploads' }
      const storage = { dropbox: { urls: dropbox.options.urls } }
      const host = await faultyHost(t, kind, { engine, uploads, storage })
      await saveRows(host, dropboxRows)
      host.proxy.suffer({ kind: 'at', text: 'commit', forwarded: true, next: 'break' })
      const { status, body } = await upload(host, '/assets', 'a.png', png())
      t.same([status, host.proxy.strikes], [201, 1])
      t.match((await host.call('GET', '/assets')).body.data, [{ key: body.data.key }])
    }),
)

t.test(
  'a COMMIT that Group Replication gave up counts as done if it shows, and else its outcome is unknown',
  (t) =>
    onEachKind(t, async (t, kind, engine) => {
      const host = await faultyHost(t, kind, { engine })
      const { call, proxy } = host
      const fail = (forwarded: boolean) =>
        proxy.suffer({ kind: 'at', text: 'commit', forwarded, next: { errno: 3100 } })
      fail(true)
      t.equal((await call('POST', '/categories', { title: 'Mugs' })).status, 201)
      fail(false)
      t.match(await call('POST', '/categories', { title: 'Cups' }), {
        status: 503,
        body: { code: 'svc_unavailable', data: { outcome: 'unknown' } },
      })
      t.equal(proxy.strikes, 1)
      t.same(await titles(host), ['Mugs'])
    }),
)

t.test('a connection whose COMMIT was interrupted goes to nobody else, since its session may be ended', (t) =>
  onEachPool(t, async (t, kind, engine) => {
    const address = await freshAddress(t, engine)
    const proxy = await chaosProxy(t, address)
    const { pool, database } = hostPool(t, kind, proxy.through(address), 1)
    let opened = 0
    pool.on('connection', () => opened++)
    const { call } = await build(t, { address, database })
    await call('GET', '/categories')
    const before = opened
    proxy.suffer({ kind: 'at', text: 'commit', forwarded: true, next: { errno: 1317 } })
    t.equal((await call('POST', '/categories', { title: 'Mugs' })).status, 201)
    t.equal(proxy.strikes, 1)
    t.equal((await call('GET', '/categories')).body.data.length, 1)
    t.equal(opened, before + 1)
  }),
)

t.test(
  'without reading back, a lost COMMIT counts as done if the new row proves it, else the response is 503',
  (t) =>
    onEachKind(t, async (t, kind, engine) => {
      const host = await faultyHost(t, kind, { engine })
      const minimal = { prefer: 'return=minimal' }
      const lose = (forwarded: boolean) =>
        host.proxy.suffer({ kind: 'at', text: 'commit', forwarded, next: 'break' })
      lose(true)
      t.match(await host.call('POST', '/categories', { title: 'Mugs' }, minimal), {
        status: 201,
        body: { data: { id: 1 } },
      })
      lose(true)
      await isUnavailable(t, () => host.call('PATCH', '/categories/1', { title: 'Cups' }, minimal))
      lose(false)
      await isUnavailable(t, () => host.call('PATCH', '/categories/1', { title: 'Jars' }, minimal))
      t.same(await titles(host), ['Cups'])
    }),
)

t.test(
  'when the database stays away after COMMIT, the response is 503, and a repeat with the key creates nothing',
  (t) =>
    onEachKind(t, async (t, kind, engine) => {
      const host = await faultyHost(t, kind, { engine })
      const { call, proxy, db, t: names } = host
      await call('GET', '/system')
      proxy.suffer({ kind: 'at', text: 'commit', forwarded: true, next: 'break' })
      const first = call('POST', '/products', { title: 'Mug' }, keyed('k1'))
      while (proxy.strikes === 0) await new Promise(setImmediate)
      proxy.suffer({ kind: 'refuse' })
      await isUnavailable(t, () => first)
      proxy.suffer({ kind: 'none' })
      const again = await call('POST', '/products', { title: 'Mug' }, keyed('k1'))
      t.match(again, { status: 201, headers: { 'idempotency-replayed': 'true' }, body: { data: { id: 1 } } })
      t.equal((await db.selectFrom(names.products).select('ID').execute()).length, 1)
    }),
)

t.test('a key whose request failed before COMMIT is free for the repeat, which makes one', (t) =>
  onEachKind(t, async (t, kind, engine) => {
    const host = await faultyHost(t, kind, { engine })
    for (const next of ['break', 'hang'] as const) {
      host.proxy.suffer({ kind: 'at', text: 'commit', forwarded: false, next })
      await isUnavailable(t, () => host.call('POST', '/categories', { title: next }, keyed(next)))
      t.equal((await host.call('POST', '/categories', { title: next }, keyed(next))).status, 201)
    }
    t.same(await titles(host), ['break', 'hang'])
  }),
)

t.test('work whose time is up is not written later, when the database is back', (t) =>
  onEachKind(t, async (t, kind, engine) => {
    const host = await faultyHost(t, kind, { engine })
    await host.call('GET', '/system')
    // Each statement for itself is in time; all of them together are not.
    host.proxy.suffer({ kind: 'delay', ms: 900 })
    await isUnavailable(t, () => host.call('POST', '/categories', { title: 'Late' }))
    host.proxy.suffer({ kind: 'none' })
    t.equal((await host.call('POST', '/categories', { title: 'Late' })).status, 201)
    t.same(await titles(host), ['Late'])
  }),
)

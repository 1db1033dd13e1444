// POST with an Idempotency-Key: the first request runs, others get its response, and processes that die leave no key behind.
import t from 'tap'
import { build, onEachEngine } from '../support/hosts/build.ts'

const keyed = (key: string) => ({ 'idempotency-key': key })

t.test('a repeated request with the same key creates one product and gets the same response', (t) =>
  onEachEngine(t, async (t, engine) => {
    const { call, db, t: names } = await build(t, { engine })
    const first = await call('POST', '/products', { title: 'Mug', options: { a: 1, b: 2 } }, keyed('k1'))
    const again = await call('POST', '/products', { title: 'Mug', options: { a: 1, b: 2 } }, keyed('k1'))
    t.equal(again.status, 201)
    t.equal(again.headers['idempotency-replayed'], 'true')
    t.same(
      [again.body, again.headers.location, again.headers.etag],
      [first.body, first.headers.location, first.headers.etag],
    )
    t.equal((await db.selectFrom(names.products).select('ID').execute()).length, 1)
  }),
)

t.test('a key of another request gives 422, on another route too', (t) =>
  onEachEngine(t, async (t, engine) => {
    const { call } = await build(t, { engine })
    await call('POST', '/categories', { title: 'Mugs' }, keyed('k1'))
    const other = await call('POST', '/categories', { title: 'Cups' }, keyed('k1'))
    t.match(other, { status: 422, body: { code: 'svc_idempotency_key_reused' } })
    t.equal((await call('POST', '/products', { title: 'Mugs' }, keyed('k1'))).status, 422)
  }),
)

t.test('a refused request leaves the key free: repeated, it is tried again', (t) =>
  onEachEngine(t, async (t, engine) => {
    const { call } = await build(t, { engine })
    await call('POST', '/categories', { title: 'Mugs' })
    t.equal((await call('POST', '/categories', { title: 'mugs' }, keyed('k1'))).status, 409)
    await call('DELETE', '/categories/1')
    t.equal((await call('POST', '/categories', { title: 'mugs' }, keyed('k1'))).status, 201)
  }),
)

t.test(
  'of twenty concurrent requests with one key, one creates a category; the others get the same response, or 409 with Retry-After',
  (t) =>
    onEachEngine(t, async (t, engine) => {
      const host = await build(t, { engine })
      const second = await build(t, { engine, address: host.address })
      const responses = await Promise.all(
        Array.from({ length: 20 }, (_, i) =>
          (i % 2 ? host : second).call('POST', '/categories', { title: 'Mugs' }, keyed('k1')),
        ),
      )
      t.ok(responses.some(({ status }) => status === 201))
      for (const { status, headers } of responses)
        t.ok(status === 201 || (status === 409 && headers['retry-after']))
      t.equal((await host.db.selectFrom(host.t.categories).select('ID').execute()).length, 1)
    }),
)

t.test('the key of a dead process is free once its time is over, and an expired key is new', (t) =>
  onEachEngine(t, async (t, engine) => {
    const { call, db, t: names } = await build(t, { engine })
    await call('POST', '/categories', { title: 'Mugs' }, keyed('k1'))
    await db.updateTable(names.idempotency).set({ made: null, running_until: 0 }).execute()
    await call('DELETE', '/categories/1')
    t.equal((await call('POST', '/categories', { title: 'Mugs' }, keyed('k1'))).status, 201)
    await db.updateTable(names.idempotency).set({ expires_at: 1 }).execute()
    t.equal((await call('POST', '/categories', { title: 'Cups' }, keyed('k1'))).status, 201)
  }),
)

t.test('a key whose request still runs elsewhere gives 409 with Retry-After', (t) =>
  onEachEngine(t, async (t, engine) => {
    const { call, db, t: names } = await build(t, { engine })
    await call('POST', '/categories', { title: 'Mugs' }, keyed('k1'))
    for (const [seconds, most] of [
      [2, 3],
      [60, 5],
    ] as const) {
      const running_until = Math.ceil(Date.now() / 1000) + seconds
      await db.updateTable(names.idempotency).set({ made: null, running_until }).execute()
      const { status, body, headers } = await call('POST', '/categories', { title: 'Mugs' }, keyed('k1'))
      t.strictSame([status, body.code], [409, 'svc_idempotency_key_running'])
      const after = Number(headers['retry-after'])
      t.ok(after >= 1 && after <= most, `${after} of ${seconds} seconds`)
    }
  }),
)

t.test(
  'an empty or too long key gives 400, and a body that is refused before the work leaves the key free',
  async (t) => {
    const { call, db, t: names } = await build(t)
    t.match(await call('POST', '/categories', { title: 'Mugs' }, keyed('x'.repeat(256))), {
      status: 400,
      body: { data: { params: { 'Idempotency-Key': /255/ } } },
    })
    t.equal((await call('POST', '/categories', { title: '' }, keyed('k1'))).status, 400)
    t.same(await db.selectFrom(names.idempotency).selectAll().execute(), [])
  },
)

t.test('copies, new views and clear also run once', async (t) => {
  const { call } = await build(t)
  await call('POST', '/products', { title: 'Mug' })
  await call('POST', '/categories', { title: 'Mugs' })
  for (const [path, body] of [
    ['/products/1/views', { title: 'Front' }],
    ['/views/1/duplicate', {}],
    ['/categories/1/clear', undefined],
  ] as const) {
    const first = await call('POST', path, body, keyed(path))
    const again = await call('POST', path, body, keyed(path))
    t.same([again.status, again.body], [first.status, first.body], path)
    t.equal(again.headers['idempotency-replayed'], 'true')
  }
  t.equal((await call('GET', '/products/1/views')).body.meta.total, 2)
})

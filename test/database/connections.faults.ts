// A database that is away: refused, silent, slow or lost in the middle, and what comes after.
import t from 'tap'
import type { Fault } from '../support/hostile/chaos-proxy.ts'
import { build, freshAddress } from '../support/hosts/build.ts'
import { faultyHost, hostPool, isUnavailable, onEachKind, onEachPool } from '../support/hosts/faults.ts'

const away: [name: string, fault: Fault][] = [
  ['refuses connections', { kind: 'refuse' }],
  ['accepts everything and never responds', { kind: 'swallow' }],
  ['receives everything and its responses never arrive', { kind: 'swallow', direction: 'down' }],
  ['breaks connections on the way to it', { kind: 'cut', direction: 'up', after: 1 }],
  ['breaks connections in its greeting', { kind: 'cut', direction: 'down', after: 20 }],
]

for (const [name, fault] of away) {
  t.test(`a database that ${name} gives 503, and the first request after it is back is served`, (t) =>
    onEachKind(t, async (t, kind, engine) => {
      const { call, proxy, ready, db, t: names } = await faultyHost(t, kind, { engine })
      t.equal((await call('POST', '/categories', { title: 'Before' })).status, 201)
      t.equal(await ready(), 200)
      proxy.suffer(fault)
      await Promise.all([
        ...Array.from({ length: 12 }, () => isUnavailable(t, () => call('GET', '/products'))),
        isUnavailable(t, () => call('POST', '/categories', { title: 'While' })),
        ready().then((status) => t.equal(status, 503, 'not ready')),
      ])
      await isUnavailable(t, () => call('PATCH', '/categories/1', { title: 'Changed' }))
      proxy.suffer({ kind: 'none' })
      t.equal((await call('POST', '/categories', { title: 'After' })).status, 201)
      t.equal(await ready(), 200)
      const rows = await db.selectFrom(names.categories).select('title').orderBy('ID').execute()
      t.same(
        rows.map((row) => row.title),
        ['Before', 'After'],
      )
    }),
  )
}

t.test('a slow database is waited for', (t) =>
  onEachKind(t, async (t, kind, engine) => {
    const { call, proxy } = await faultyHost(t, kind, { engine })
    for (const fault of [
      { kind: 'delay', ms: 40 } as const,
      { kind: 'throttle', bytesPerSecond: 20_000 } as const,
    ]) {
      proxy.suffer(fault)
      t.equal((await call('POST', '/products', { title: fault.kind })).status, 201)
      t.equal((await call('GET', '/products')).status, 200)
    }
  }),
)

t.test('a pool that the host holds empty gives 503, and the host gets its connections back', (t) =>
  onEachPool(t, async (t, kind, engine) => {
    const address = await freshAddress(t, engine)
    const { pool, database } = hostPool(t, kind, address, 1)
    const { call, app } = await build(t, { address, database, readinessPath: '/ready' })
    const held = await pool.promise().getConnection()
    await isUnavailable(t, () => call('POST', '/products', { title: 'Mug' }))
    t.equal((await app.inject('/ready')).statusCode, 503)
    held.release()
    t.equal((await call('POST', '/products', { title: 'Mug' })).body.data.id, 1)
    t.equal((await app.inject('/ready')).statusCode, 200)
    await app.close()
    t.equal((await pool.promise().query('select 1')).length, 2, 'the pool of the host stays open')
  }),
)

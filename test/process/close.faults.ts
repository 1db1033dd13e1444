// The end of an app under load and with a database that is away: in time, and nothing of ours stays open.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import t from 'tap'
import { chaosProxy, type Fault } from '../support/hostile/chaos-proxy.ts'
import { build, freshAddress } from '../support/hosts/build.ts'
import { faultyHost, hostPool, onEachKind, onEachPool } from '../support/hosts/faults.ts'
import { onServers } from '../support/hosts/fresh-host.ts'

const faults: Fault[] = [
  { kind: 'none' },
  { kind: 'swallow' },
  { kind: 'refuse' },
  { kind: 'delay', ms: 500 },
]

for (const fault of faults) {
  t.test(`an app with 50 requests under way closes within ten seconds (database: ${fault.kind})`, (t) =>
    onEachKind(t, async (t, kind, engine) => {
      const { app, call, proxy } = await faultyHost(t, kind, { engine })
      await call('GET', '/system')
      proxy.suffer(fault)
      const responses = Array.from({ length: 50 }, (_, i) =>
        i % 2 ? call('GET', '/products') : call('POST', '/categories', { title: `Category ${i}` }),
      )
      const since = performance.now()
      await app.close()
      t.ok(performance.now() - since < 10_000)
      for (const { status } of await Promise.all(responses)) t.ok([200, 201, 503].includes(status))
    }),
  )
}

t.test('a pool that the host handed in is not closed with the app', (t) =>
  onEachPool(t, async (t, kind, engine) => {
    const address = await freshAddress(t, engine)
    const { pool, database } = hostPool(t, kind, address)
    const { app } = await build(t, { address, database })
    await app.close()
    const [rows] = await pool.promise().query('select 1 as one')
    t.same(rows, [{ one: 1 }])
  }),
)

for (const fault of ['none', 'swallow', 'refuse'] as const) {
  onServers(`a process ends by itself after SIGTERM under load (database: ${fault})`, async (t, engine) => {
    const address = await freshAddress(t, engine)
    const { call } = await build(t, { address })
    await call('GET', '/system')
    const proxy = await chaosProxy(t, address)
    const child = spawn(
      process.execPath,
      [join(import.meta.dirname, '../support/hosts/serving.ts'), proxy.through(address)],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    )
    t.teardown(() => child.kill('SIGKILL'))
    const [url] = (await once(createInterface(child.stdout), 'line')) as [string]
    const get = () => fetch(`${url}/wp-json/svc/v1/products`).then((response) => response.status)
    t.equal(await get(), 401)
    proxy.suffer({ kind: fault })
    const requests = Array.from({ length: 20 }, () => get().catch(() => 'closed'))
    const ended = once(child, 'exit')
    const since = performance.now()
    child.kill('SIGTERM')
    t.same(await ended, [0, null])
    t.ok(performance.now() - since < 10_000)
    await Promise.all(requests)
    t.equal(proxy.open, 0, 'no connection to the database is left')
  })
}

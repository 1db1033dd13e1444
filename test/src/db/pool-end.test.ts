// A host ends its own pool whenever it likes: sessions that we are about to kill neither fail that nor hold it up.
import { setTimeout as delay } from 'node:timers/promises'
import { CompiledQuery, Kysely } from 'kysely'
import { createConnection, createPool, type Pool } from 'mysql2/promise'
import type { Test } from 'tap'
import { within } from '../../../src/core/deadline.ts'
import { mysql2Dialect } from '../../../src/db/mysql.ts'
import { timeouts } from '../../../src/db/timeouts.ts'
import { chaosProxy } from '../../support/hostile/chaos-proxy.ts'
import { freshAddress, type ServerEngine } from '../../support/hosts/build.ts'
import { onServers } from '../../support/hosts/fresh-host.ts'
import { otherSessions } from '../../support/peers/database-server.ts'

/** A pool of a host behind a proxy, with a session that is open. */
async function hostPool(t: Test, engine: ServerEngine) {
  const address = await freshAddress(t, engine)
  const proxy = await chaosProxy(t, address)
  const pool = createPool({ uri: proxy.through(address), connectionLimit: 2 })
  const dialect = mysql2Dialect(pool.pool as unknown as Parameters<typeof mysql2Dialect>[0])
  const db = new Kysely<object>({ dialect })
  const rows = async (text: string) => (await db.executeQuery(CompiledQuery.raw(text))).rows
  await rows('select 1 as n')
  const watcher = await createConnection(address)
  t.teardown(() => watcher.end())
  return { pool, proxy, watcher, abandon: () => within(100, () => rows('select sleep(100)')) }
}

/** Milliseconds until the pool has ended; rejects if that fails. */
async function ended(pool: Pool): Promise<number> {
  // What is to be run has been sent.
  await delay(30)
  const since = performance.now()
  await pool.end()
  return performance.now() - since
}

/** Milliseconds; without an end, it takes 100 s or forever. */
const ceiling = 20_000

const tooLate = { message: /deadline|in time/ }

/** For tests whose server responds, however busy the machine is. */
function patientKill(t: Test): void {
  const { kill } = timeouts
  t.teardown(() => Object.assign(timeouts, { kill }))
  timeouts.kill = 20_000
}

onServers('a pool that ends while a session is being killed ends with it', async (t, engine) => {
  patientKill(t)
  const { pool, watcher, abandon } = await hostPool(t, engine)
  await t.rejects(abandon(), tooLate)
  await ended(pool)
  const running = (await otherSessions(watcher)).filter(({ Info }) => Info?.endsWith('sleep(100)'))
  t.same(running, [], 'nothing runs at the server any more')
})

onServers('a pool that ends before a statement is given up ends with it', async (t, engine) => {
  patientKill(t)
  const { pool, abandon } = await hostPool(t, engine)
  const [, time] = await Promise.all([t.rejects(abandon(), tooLate), ended(pool)])
  t.ok(time < timeouts.kill)
})

onServers('a pool ends although the server went silent', async (t, engine) => {
  const { pool, proxy, abandon } = await hostPool(t, engine)
  proxy.suffer({ kind: 'swallow' })
  await t.rejects(abandon(), tooLate)
  t.ok((await ended(pool)) < ceiling)
})

onServers(
  'a pool ends although the server went silent before a statement was given up',
  async (t, engine) => {
    const { pool, proxy, abandon } = await hostPool(t, engine)
    proxy.suffer({ kind: 'swallow' })
    const [, time] = await Promise.all([t.rejects(abandon(), tooLate), ended(pool)])
    t.ok(time < ceiling)
  },
)

onServers('a pool ends although its server breaks connections', async (t, engine) => {
  const { pool, proxy, abandon } = await hostPool(t, engine)
  const given = t.rejects(abandon(), tooLate)
  await given
  const end = ended(pool)
  proxy.suffer({ kind: 'refuse' })
  t.ok((await end) < ceiling)
})

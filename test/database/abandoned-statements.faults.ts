// Statements that nobody waits for any more are ended: sessions do not pile up at the database, and nothing is written later.
import { setTimeout as delay } from 'node:timers/promises'
import { type Connection, createConnection } from 'mysql2/promise'
import t, { type Test } from 'tap'
import { timeouts } from '../../src/db/timeouts.ts'
import { type Engine, freshAddress } from '../support/hosts/build.ts'
import { type FaultyHost, faultyHost, type Kind } from '../support/hosts/faults.ts'
import { otherSessions } from '../support/peers/database-server.ts'

const poolSize = 10
const clients = 20
/** How long the obstacle stays, in milliseconds. */
const time = Number(process.env.SVC_TEST_HINDERED ?? 12_000)

interface Shop extends FaultyHost {
  /** A client of the same database. */
  other(): Promise<Connection>
  /** How many sessions the database has beside those. */
  sessions(): Promise<number>
}

async function shop(t: Test, engine: Engine, kind: Kind): Promise<Shop> {
  const address = await freshAddress(t, engine)
  const host = await faultyHost(t, kind, { address })
  await host.call('POST', '/products', { title: 'Mug' })
  await host.call('POST', '/products/1/views', { title: 'Front' })
  await host.connection.close()
  const others: Connection[] = []
  async function other() {
    const connection = await createConnection(address)
    t.teardown(() => connection.destroy())
    others.push(connection)
    return connection
  }
  const watcher = await other()
  return {
    ...host,
    other,
    // All but the watcher, and those of the test.
    sessions: async () => (await otherSessions(watcher)).length + 1 - others.length,
  }
}

interface Load {
  /** The most sessions of the pool at a time. */
  most: number
  statuses: number[]
  /** Titles whose responses said that nobody knows what became of them. */
  unknown: Set<unknown>
}

/** Writes by many clients until the time is up. */
async function load({ call, sessions }: Shop): Promise<Load> {
  const until = performance.now() + time
  const statuses = new Set<number>()
  const unknown = new Set<unknown>()
  let most = 0
  const watching = (async () => {
    for (; performance.now() < until; await delay(100)) most = Math.max(most, await sessions())
  })()
  const writers = Array.from({ length: clients }, async (_, i) => {
    for (let n = 1; performance.now() < until; n++) {
      const title = `Late ${i}.${n}`
      const { status, body } = await call('PATCH', '/views/1', { title })
      statuses.add(status)
      if (body.data?.outcome === 'unknown') unknown.add(title)
    }
  })
  await Promise.all([watching, ...writers])
  return { most, statuses: [...statuses], unknown }
}

async function untilIdle(watcher: Connection): Promise<void> {
  for (;;) {
    if ((await otherSessions(watcher)).every(({ Command }) => Command === 'Sleep')) return
    await delay(20)
  }
}

const obstacles: Record<string, (shop: Shop) => Promise<() => Promise<unknown>>> = {
  async 'one locked row'({ other, t: names }) {
    const holder = await other()
    await holder.query('begin')
    await holder.query(`select * from ${names.views} for update`)
    return () => holder.query('rollback')
  },
  async 'LOCK TABLES'({ other, t: names }) {
    const holder = await other()
    await holder.query(`lock tables ${names.views} write`)
    return () => holder.query('unlock tables')
  },
  async 'a waiting ALTER'({ other, t: names }) {
    const [holder, altering] = [await other(), await other()]
    await holder.query('begin')
    await holder.query(`select * from ${names.views}`)
    const altered = altering.query(`alter table ${names.views} add column note int`)
    await delay(200)
    return async () => {
      await holder.query('rollback')
      await altered
    }
  },
}

async function keepsToItsPool(t: Test, engine: Engine, kind: Kind, obstacle: string): Promise<void> {
  const host = await shop(t, engine, kind)
  const free = await obstacles[obstacle]?.(host)
  const { most, statuses, unknown } = await load(host)
  t.ok(most <= poolSize, `${most} sessions`)
  t.same(statuses, [503])
  const watcher = await host.other()
  await free?.()
  await untilIdle(watcher)
  const [rows] = await watcher.query(`select title from ${host.t.views}`)
  const title = (rows as { title: string }[])[0]?.title
  t.ok(title === 'Front' || unknown.has(title), `what was refused is not written later: ${title}`)
  t.equal((await host.call('PATCH', '/views/1', { title: 'Back' })).status, 200)
}

for (const engine of ['MariaDB', 'MySQL'] as const) {
  for (const name of Object.keys(obstacles)) {
    t.test(`${engine}: ${clients} clients at ${name} take no more sessions than the pool has`, async (t) => {
      t.jobs = 2
      await Promise.all(
        (['an address', 'a mysql2 pool of the host'] as const).map((kind) =>
          t.test(kind, { buffered: true }, (t) => keepsToItsPool(t, engine, kind, name)),
        ),
      )
    })
  }
}

t.test('a session that is not ended in time, on a busy machine, keeps its place in the pool', async (t) => {
  const { kill } = timeouts
  t.teardown(() => Object.assign(timeouts, { kill }))
  timeouts.kill = 1
  await keepsToItsPool(t, 'MySQL', 'a mysql2 pool of the host', 'LOCK TABLES')
})

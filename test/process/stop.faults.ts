// app.close() under load: running requests get their responses or a 503, and nothing is left behind.
import { request } from 'node:http'
import { createPool } from 'mysql2'
import { createConnection, type RowDataPacket } from 'mysql2/promise'
import type { Test } from 'tap'
import { newCategory } from '../support/fixtures/rows.ts'
import { listen } from '../support/hostile/raw-http.ts'
import { type BuildOptions, build, freshAddress, type ServerEngine, token } from '../support/hosts/build.ts'
import { onServers } from '../support/hosts/fresh-host.ts'
import { otherSessions } from '../support/peers/database-server.ts'

/** Every request is responded to within ten seconds, so that closing can take no longer. */
const ceiling = 10_000
const writers = 40
const readers = 40

/** The status; 0 where the connection ends without an response. Each request has a connection of its own. */
function statusOf(port: number, method: string, path: string, body?: object): Promise<number> {
  return new Promise((resolve) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const options = { port, method, path: `/wp-json/svc/v1${path}`, headers, agent: false }
    request(options, (response) => response.resume().on('end', () => resolve(response.statusCode ?? 0)))
      .on('error', () => resolve(0))
      .end(body && JSON.stringify(body))
  })
}

/** An app full of requests, of which all that write wait behind a lock that the test holds. */
async function busyHost(t: Test, engine: ServerEngine, options: BuildOptions = {}) {
  const address = options.address ?? (await freshAddress(t, engine))
  const allArrived = Promise.withResolvers<void>()
  let arrived = 0
  const host = await build(t, {
    ...options,
    engine,
    address,
    before: (app) => {
      app.addHook('onRequest', async (request) => {
        if (request.headers.host?.startsWith('localhost:') && ++arrived === writers + readers)
          allArrived.resolve()
      })
    },
  })
  await newCategory(host, 'The guard row is there from now on')
  arrived = 0
  const locker = await createConnection(address)
  t.teardown(() => locker.destroy())
  await locker.query('begin')
  await locker.query(`select * from ${host.t.options} where option_name = 'svc_guard_catalog' for update`)

  const port = await listen(host.app)
  const writing = Array.from({ length: writers }, (_, i) =>
    statusOf(port, 'POST', '/categories', { title: `New ${i}` }),
  )
  const reading = Array.from({ length: readers }, () => statusOf(port, 'GET', '/products'))
  await allArrived.promise
  return { ...host, locker, statuses: Promise.all([...writing, ...reading]), writing: Promise.all(writing) }
}

/** Connections to the test's database beside its own two, once the server has had time to notice who is gone. */
async function connectionsLeft({
  locker,
  connection,
}: Awaited<ReturnType<typeof busyHost>>): Promise<number> {
  await connection.close()
  const deadline = performance.now() + ceiling
  for (;;) {
    const { length } = await otherSessions(locker)
    if (length === 0 || performance.now() > deadline) return length
  }
}

onServers(
  'requests that run when the app closes get responses, and what these report as created exists',
  async (t, engine) => {
    const host = await busyHost(t, engine)
    const closed = host.app.close()
    await host.locker.query('commit')
    await closed
    const [statuses, written] = [await host.statuses, await host.writing]
    t.strictSame(
      statuses.filter((status) => ![200, 201, 503].includes(status)),
      [],
    )
    const rows = await host.db.selectFrom(host.t.categories).select('ID').execute()
    t.equal(rows.length - 1, written.filter((status) => status === 201).length)
    t.notOk(host.app.server.listening)
    t.equal(await connectionsLeft(host), 0)
  },
)

onServers(
  'an app closes in time although the database does not get on, and nothing is half written',
  async (t, engine) => {
    const host = await busyHost(t, engine)
    const started = performance.now()
    await host.app.close()
    t.ok(performance.now() - started < ceiling)
    t.strictSame(
      (await host.writing).filter((status) => status !== 503),
      [],
    )
    await host.locker.query('commit')
    t.equal((await host.db.selectFrom(host.t.categories).select('ID').execute()).length, 1)
    t.equal(await connectionsLeft(host), 0)
  },
)

onServers("a host's own pool stays open, with all its connections free", async (t, engine) => {
  const address = await freshAddress(t, engine)
  const pool = createPool({ uri: address, charset: 'utf8mb4', connectionLimit: 3 })
  const host = await busyHost(t, engine, { address, database: pool })
  const closed = host.app.close()
  await host.locker.query('commit')
  await closed
  await host.statuses
  const all = await Promise.all([1, 2, 3].map(() => pool.promise().getConnection()))
  for (const connection of all) {
    const [rows] = await connection.query<RowDataPacket[]>(
      'select count(*) as open from information_schema.innodb_trx where trx_mysql_thread_id = connection_id()',
    )
    t.equal(rows[0]?.open, 0)
    connection.release()
  }
  await pool.promise().end()
})

// A server that lives and cannot do what is asked: read-only, full, restarting, deadlocked, not ready.
import { createConnection } from 'mysql2/promise'
import t, { type Test } from 'tap'
import { freshAddress, ownServer, type ServerEngine } from '../support/hosts/build.ts'
import { faultyHost, isUnavailable, onEachKind } from '../support/hosts/faults.ts'
import type { DatabaseServer } from '../support/peers/database-server.ts'

/** A server of the test's own and a database on it, whose user may do everything there and nothing to the server. */
async function shopServer(
  t: Test,
  engine: ServerEngine,
  flags: string[] = [],
): Promise<{ server: DatabaseServer; address: string }> {
  const server = await ownServer(t, engine, { flags })
  await asRoot(
    server,
    'create database shop character set utf8mb4',
    "create user shop@'%' identified by 'secret'",
    "grant all on shop.* to shop@'%'",
  )
  return { server, address: `mysql://shop:secret@127.0.0.1:${server.port}/shop` }
}

async function asRoot(server: DatabaseServer, ...statements: string[]): Promise<void> {
  const connection = await createConnection({ socketPath: server.socket, user: 'root' })
  for (const statement of statements) await connection.query(statement)
  await connection.end()
}

t.test(
  'POST /categories, GET /ready: 503 on a server that turned read-only, while reads go on; a new connection finds the primary',
  (t) =>
    onEachKind(t, async (t, kind, engine) => {
      const { server, address } = await shopServer(t, engine)
      const { call, proxy, app } = await faultyHost(t, kind, { address })
      const ready = async () => (await app.inject('/ready')).statusCode
      const title = (part: string) => ({ title: `${kind} ${part}` })
      t.equal((await call('POST', '/categories', title('before'))).status, 201)
      const before = proxy.opened
      t.equal(await ready(), 200)
      // As a recovering member of a group does, which takes no writes of administrators either.
      const readOnly = engine === 'MySQL' ? 'super_read_only' : 'read_only'
      await asRoot(server, `set global ${readOnly} = 1`)
      await isUnavailable(t, () => call('POST', '/categories', title('while')), 'database-read-only')
      t.equal((await call('GET', '/categories')).status, 200)
      t.equal(await ready(), 503)
      await asRoot(server, 'set global read_only = 0')
      t.equal(await ready(), 200)
      t.equal((await call('POST', '/categories', title('after'))).status, 201)
      t.ok(proxy.opened > before, 'the connection to the read-only server was dropped')
    }),
)

t.test('a server with too many connections gives 503 until one is free', (t) =>
  onEachKind(t, async (t, kind, engine) => {
    const { address } = await shopServer(t, engine, ['--max-connections=11'])
    const { call, proxy, connection, app } = await faultyHost(t, kind, { address })
    await connection.close()
    // Its pool has lost all connections when others take the places.
    proxy.suffer({ kind: 'refuse' })
    await isUnavailable(t, () => call('GET', '/products'))
    proxy.suffer({ kind: 'none' })
    const others = []
    for (;;) {
      const other = await createConnection(address).catch(() => undefined)
      if (!other) break
      others.push(other)
    }
    await isUnavailable(t, () => call('GET', '/products'))
    await Promise.all(others.map((other) => other.end()))
    // The server lets go of a connection a moment after the goodbye.
    while ((await app.inject('/ready')).statusCode !== 200) await new Promise(setImmediate)
    t.equal((await call('GET', '/products')).status, 200)
  }),
)

t.test(
  'a server restarted under load: responses or 503, no hang, and what was reported as created exists once',
  (t) =>
    onEachKind(t, async (t, kind, engine) => {
      const { server, address } = await shopServer(t, engine, ['--innodb-flush-log-at-trx-commit=1'])
      const { call, ready } = await faultyHost(t, kind, { address })
      const made: string[] = []
      const statuses = new Set<number>()
      let isOver = false
      const writers = Array.from({ length: 6 }, async (_, writer) => {
        for (let i = 0; !isOver; i++) {
          const title = `${kind} ${writer}.${i}`
          const since = performance.now()
          const response = await call('POST', '/categories', { title })
          if (performance.now() - since > 10_000) t.fail('A request took longer than ten seconds.')
          if (response.status === 201) made.push(title)
          statuses.add(response.status)
          // Refusals come at once: without a pause nothing else would run.
          if (response.status === 503) await new Promise((resolve) => setTimeout(resolve, 20))
        }
      })
      while (made.length < 20) await new Promise(setImmediate)
      await server.kill()
      await isUnavailable(t, () => call('POST', '/categories', { title: `${kind} down` }))
      t.equal(await ready(), 503)
      await server.restart()
      t.equal((await call('POST', '/categories', { title: `${kind} first` })).status, 201)
      t.equal(await ready(), 200)
      const count = made.length
      while (made.length < count + 20) await new Promise(setImmediate)
      isOver = true
      await Promise.all(writers)
      t.same([...statuses].toSorted(), [201, 503])
      const stored: string[] = (await call('GET', '/categories')).body.data.map(
        (row: { title: string }) => row.title,
      )
      t.equal(new Set(stored).size, stored.length, 'nothing is there twice')
      t.same(
        made.filter((title) => !stored.includes(title)),
        [],
        'nothing is lost',
      )
    }),
)

t.test('a write that meets a lock waits for it, and gives 503 when it is not freed in time', (t) =>
  onEachKind(t, async (t, kind, engine) => {
    const address = await freshAddress(t, engine)
    const { call } = await faultyHost(t, kind, { address })
    await call('POST', '/products', { title: 'Mug' })
    const other = await createConnection(address)
    t.teardown(() => other.end())
    await other.query('begin')
    await other.query('update wp_svc_products set title = "Theirs" where ID = 1')
    await isUnavailable(t, () => call('PATCH', '/products/1', { title: 'Ours' }))
    const waiting = call('PATCH', '/products/1', { thumbnail: '/mug.png' })
    await other.query('commit')
    t.match(await waiting, { status: 200, body: { data: { title: 'Theirs', thumbnail: '/mug.png' } } })
  }),
)

const errors: [name: string, errno: number][] = [
  ['deadlocks', 1213],
  ['lock wait timeouts', 1205],
]
for (const [name, errno] of errors) {
  t.test(`a write survives four ${name}, and gives 503 after five, with nothing written`, (t) =>
    onEachKind(t, async (t, kind, engine) => {
      const address = await freshAddress(t, engine)
      const { call, db, t: names } = await faultyHost(t, kind, { address })
      const sql = await createConnection(address)
      t.teardown(() => sql.end())
      // Each try is rolled back, but its number is not given again.
      await sql.query('create table tries (n int not null auto_increment primary key)')
      await sql.query(`create trigger fail before insert on wp_svc_categories for each row begin
        insert into tries values (null);
        if last_insert_id() < 5 then signal sqlstate '40001' set mysql_errno = ${errno}; end if;
      end`)
      const first = await call('POST', '/categories', { title: 'Mugs' })
      t.equal(first.status, 201, 'the fifth try got through')
      await sql.query('drop trigger fail')
      await sql.query(`create trigger fail before insert on wp_svc_categories for each row
        signal sqlstate '40001' set mysql_errno = ${errno}`)
      await isUnavailable(t, () => call('POST', '/categories', { title: 'Cups' }))
      await sql.query('drop trigger fail')
      const rows = await db.selectFrom(names.categories).select('title').execute()
      t.same(rows, [{ title: 'Mugs' }])
    }),
  )
}

t.test('a node that is not ready gives 503, and serves when it is', (t) =>
  onEachKind(t, async (t, kind, engine) => {
    const address = await freshAddress(t, engine)
    const { call } = await faultyHost(t, kind, { address })
    const sql = await createConnection(address)
    t.teardown(() => sql.end())
    await sql.query(`create trigger fail before insert on wp_svc_categories for each row
      signal sqlstate '08S01' set mysql_errno = 1047`)
    await isUnavailable(t, () => call('POST', '/categories', { title: 'Mugs' }))
    await sql.query('drop trigger fail')
    t.equal((await call('POST', '/categories', { title: 'Mugs' })).status, 201)
  }),
)

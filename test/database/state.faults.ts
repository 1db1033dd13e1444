// A server that is full, in offline mode, or ends idle sessions: the error says so, and the next requests are served.
import { setTimeout as delay } from 'node:timers/promises'
import { createConnection } from 'mysql2/promise'
import t from 'tap'
import { build, freshAddress, onEachServer, ownServer } from '../support/hosts/build.ts'
import { hostPool, isRefused } from '../support/hosts/faults.ts'

t.test('a table that is full gives 503 that says so, and nothing of the write is stored', (t) =>
  onEachServer(t, async (t, engine) => {
    const flags = ['--innodb-file-per-table=0', '--innodb-data-file-path=ibdata1:12M;ibdata2:20M']
    const server = await ownServer(t, engine, { flags })
    const root = await createConnection(server.url())
    t.teardown(() => root.end())
    await root.query('create database shop character set utf8mb4')
    const { call, db, t: names } = await build(t, { address: server.url('shop') })
    await call('POST', '/products', { title: 'Mug' })
    const view = { title: 'Front', elements: ['x'.repeat(2 ** 20)] }
    let stored = 0
    let response = await call('POST', '/products/1/views', view)
    for (; response.status === 201 && stored < 50; stored++)
      response = await call('POST', '/products/1/views', view)
    isRefused(t, response, '1114')
    t.match(response.body.message, /has no room/)
    t.ok(stored > 2, `${stored} fit`)
    t.equal((await db.selectFrom(names.views).select('ID').execute()).length, stored)
    t.equal((await call('GET', '/products/1/views')).status, 200)
  }),
)

t.test('MySQL in offline mode gives 503, and serves when it is back', async (t) => {
  const server = await ownServer(t, 'MySQL')
  const root = await createConnection(server.url())
  t.teardown(() => root.end())
  await root.query('create database shop character set utf8mb4')
  await root.query("create user shop@'%' identified by 'secret'")
  await root.query("grant all on shop.* to shop@'%'")
  const address = `mysql://shop:secret@127.0.0.1:${server.port}/shop`
  const { call } = await build(t, { address })
  t.equal((await call('GET', '/products')).status, 200)
  await root.query('set global offline_mode = 1')
  for (let i = 0; i < 3; i++) isRefused(t, await call('GET', '/products'), 'offline')
  await root.query('set global offline_mode = 0')
  t.equal((await call('GET', '/products')).status, 200)
})

t.test('connections that the server closed because nobody used them are replaced', (t) =>
  onEachServer(t, async (t, engine) => {
    const address = await freshAddress(t, engine)
    const { pool, database } = hostPool(t, 'a mysql2 pool of the host', address)
    pool.on('connection', (connection) => connection.query('set session wait_timeout = 1'))
    const { call } = await build(t, { address, database })
    for (let i = 0; i < 2; i++) {
      await delay(1500)
      t.equal((await call('GET', '/products')).status, 200)
    }
  }),
)

// Statements of hot paths are prepared on the server, and run as text wherever it refuses that.
import { setTimeout as delay } from 'node:timers/promises'
import { CompiledQuery, Kysely } from 'kysely'
import { createPool, type Pool } from 'mysql2/promise'
import type { Test } from 'tap'
import { within } from '../../../src/core/deadline.ts'
import { mysql2Dialect } from '../../../src/db/mysql.ts'
import { build, freshAddress, ownServer, type TestHost } from '../../support/hosts/build.ts'
import { onServers } from '../../support/hosts/fresh-host.ts'

/** A host with one view on a pool with a single connection, whose counters then belong to this test alone. */
async function hostOn(t: Test, address: string): Promise<{ host: TestHost; pool: Pool }> {
  const pool = createPool({ uri: address, charset: 'utf8mb4', connectionLimit: 1 })
  t.teardown(() => pool.end())
  const host = await build(t, { engine: 'MariaDB', address, database: pool })
  await host.call('POST', '/products', { title: 'Mug' })
  await host.call('POST', '/products/1/views', { title: 'Front', elements: [1] })
  await host.call('GET', '/views/1')
  return { host, pool }
}

async function counted(pool: Pool, name: string): Promise<number> {
  const [rows] = await pool.query(`show session status like '${name}'`)
  return Number(Reflect.get(Object(rows)[0], 'Value'))
}

const read = { status: 200, body: { data: { id: 1, title: 'Front', elements: [1], order: 0 } } }

onServers('a view is read by a statement that the server has prepared once', async (t, engine) => {
  const { host, pool } = await hostOn(t, await freshAddress(t, engine))
  const [prepared, executed] = [
    await counted(pool, 'Com_stmt_prepare'),
    await counted(pool, 'Com_stmt_execute'),
  ]
  for (let i = 0; i < 3; i++) t.match(await host.call('GET', '/views/1'), read)
  t.equal(await counted(pool, 'Com_stmt_prepare'), prepared)
  t.ok((await counted(pool, 'Com_stmt_execute')) >= executed + 3)
})

onServers('an object is no parameter: the driver would make SQL of it', async (t, engine) => {
  const pool = createPool({ uri: await freshAddress(t, engine), charset: 'utf8mb4', connectionLimit: 1 })
  t.teardown(() => pool.end())
  const db = new Kysely<object>({
    dialect: mysql2Dialect(pool.pool as unknown as Parameters<typeof mysql2Dialect>[0]),
  })
  const select = (value: unknown) => db.executeQuery(CompiledQuery.raw('select ? as value', [value]))
  for (const value of [{ '`password`': 1 }, [1], new Date(0)])
    await t.rejects(select(value), /must be a scalar/, JSON.stringify(value))
  for (const value of ['x', null, Buffer.from('x')]) await t.resolves(select(value))
})

onServers(
  'a prepared statement that the server does not know any more is prepared anew',
  async (t, engine) => {
    const { host, pool } = await hostOn(t, await freshAddress(t, engine))
    const connection = await pool.getConnection()
    const statements: Map<string, { close(): void }> = Reflect.get(connection.connection, '_statements')
    t.ok([...statements.keys()].some((key) => key.includes('svc_views')))
    for (const statement of statements.values()) statement.close()
    connection.release()
    t.match(await host.call('GET', '/views/1'), read)
    t.match(await host.call('GET', '/views/1'), read)
  },
)

onServers('a prepared statement survives a change of its table', async (t, engine) => {
  const { host, pool } = await hostOn(t, await freshAddress(t, engine))
  await pool.query('alter table wp_svc_views modify title varchar(300), add note int first')
  t.match(await host.call('GET', '/views/1'), read)
  t.equal((await host.call('PATCH', '/views/1', { title: 'Back' })).status, 200)
})

onServers('a server that keeps no prepared statements serves all the same', async (t, engine) => {
  const server = await ownServer(t, engine, { flags: ['--max-prepared-stmt-count=0'] })
  const root = createPool(server.url())
  await root.query('create database shop character set utf8mb4')
  await root.end()
  const { host } = await hostOn(t, server.url('shop'))
  t.match(await host.call('GET', '/views/1'), read)
  t.match(await host.call('PATCH', '/views/1', { title: 'Back' }), {
    status: 200,
    body: { data: { title: 'Back' } },
  })
  t.equal((await host.call('GET', '/views/2')).status, 404)
  // Short for a prepared statement, and large enough for one with its bytes kept as JSON.
  for (const length of [20_000, 200_000]) {
    const elements = [{ title: '\\ \' " ä \n'.repeat(length) }]
    t.equal((await host.call('PATCH', '/views/1', { elements })).status, 200)
    t.same((await host.call('GET', '/views/1')).body.data.elements, elements)
  }
})

onServers('a value that only a prepared statement could carry gives 413 without one', async (t, engine) => {
  const flags = ['--max-prepared-stmt-count=0', '--max-allowed-packet=2M']
  const server = await ownServer(t, engine, { flags })
  const root = createPool(server.url())
  await root.query('create database shop character set utf8mb4')
  await root.end()
  const { host } = await hostOn(t, server.url('shop'))
  // Each of them is doubled in a text.
  for (const quotes of [1.2, 1.6]) {
    const response = await host.call('PATCH', '/views/1', { elements: ["'".repeat(quotes * 2 ** 20)] })
    t.match(response, { status: 413, body: { code: 'svc_body_too_large', message: /in one statement/ } })
  }
  t.match(await host.call('GET', '/views/1'), read)
  t.equal((await host.call('PATCH', '/views/1', { elements: ['x'.repeat(1.2 * 2 ** 20)] })).status, 200)
})

onServers(
  'a statement that waits for a connection has its own deadline, not that of an earlier one',
  async (t, engine) => {
    const pool = createPool({ uri: await freshAddress(t, engine), connectionLimit: 1 })
    t.teardown(() => pool.end())
    const dialect = mysql2Dialect(pool.pool as unknown as Parameters<typeof mysql2Dialect>[0])
    const db = new Kysely<object>({ dialect })
    const rows = async (text: string) => (await db.executeQuery(CompiledQuery.raw(text))).rows
    // Opens the connection, whose events keep the context of this request.
    await within(2000, () => rows('select 1 as n'))
    await delay(2050)
    const results = await Promise.all([1, 2, 3].map((n) => rows(`select sleep(0.02) * 0 + ${n} as n`)))
    t.match(results, [[{ n: 1 }], [{ n: 2 }], [{ n: 3 }]])
    await t.rejects(
      within(100, () => rows('select sleep(5)')),
      { message: /deadline|in time/ },
      'the deadline of the request itself holds',
    )
  },
)

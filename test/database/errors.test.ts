// What becomes of the errors of a server: some are tried again, others say that the database is away, full, or set up wrongly.
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { createConnection } from 'mysql2/promise'
import t, { type Test } from 'tap'
import type { SqlSpan } from '../../src/core/trace.ts'
import { full, mixedEngines, retryable, unavailable } from '../../src/db/mysql-errors.ts'
import {
  build,
  freshAddress,
  onEachServer,
  serverNames,
  type TestHost,
  type TestResponse,
} from '../support/hosts/build.ts'
import { isRefused } from '../support/hosts/faults.ts'

async function shop(t: Test, address: string) {
  const host = await build(t, { address })
  const sql = await createConnection(address)
  t.teardown(() => sql.end())
  return { ...host, sql }
}

const made = ({ db, t: names }: TestHost) => db.selectFrom(names.categories).select('title').execute()

/** How often rows of categories were to be inserted during `work`. */
async function triesDuring(t: Test, work: () => Promise<unknown>): Promise<number> {
  let tries = 0
  const count = (span: unknown) => {
    if ((span as SqlSpan).statement.startsWith('insert into `wp_svc_categories`')) tries++
  }
  subscribe('svc-api:sql', count)
  t.teardown(() => unsubscribe('svc-api:sql', count))
  await work()
  unsubscribe('svc-api:sql', count)
  return tries
}

t.test(
  'each error that a server may signal is tried again or at once 503, and nothing is written',
  async (t) => {
    for (const engine of serverNames) {
      const { sql, ...host } = await shop(t, await freshAddress(t, engine))
      await sql.query('create table signals (n int)')
      // MariaDB's library of files: a file could not be read, written or deleted.
      const files = [2, 3, 6]
      const signalled = [...retryable, ...unavailable, ...full, ...files]
      const cases = signalled.map(
        (errno) => `when ${errno} then signal sqlstate 'HY000' set mysql_errno = ${errno};`,
      )
      await sql.query(`create trigger fail before insert on wp_svc_categories for each row
      case (select n from signals limit 1) ${cases.join('\n')} end case`)
      for (const errno of signalled) {
        await sql.query('delete from signals')
        await sql.query(`insert into signals values (${errno})`)
        let response: TestResponse | undefined
        const tries = await triesDuring(t, async () => {
          response = await host.call('POST', '/categories', { title: 'Mugs' })
        })
        const name = `${engine}, error ${errno}`
        isRefused(t, response as TestResponse, name)
        t.equal(tries, retryable.has(errno) ? 5 : 1, name)
        const reason = response?.body.data.reason
        t.match(reason, /^[a-z-]+$/, name)
        if (full.has(errno)) t.equal(reason, 'database-full', name)
        if (files.includes(errno)) t.equal(reason, 'database-failed', name)
      }
      t.same(await made(host), [])
      await sql.query('drop trigger fail')
      t.equal((await host.call('POST', '/categories', { title: 'Mugs' })).status, 201)
    }
  },
)

t.test('an account with too few connections gives 503 or waits, never 500', (t) =>
  onEachServer(t, async (t, engine) => {
    const address = await freshAddress(t, engine)
    await (await build(t, { address })).app.close()
    const root = await createConnection(address)
    const user = `few_${process.pid}_${engine}`
    await root.query(`create user ${user}@'%' identified by 'secret' with max_user_connections 2`)
    t.teardown(async () => {
      await root.query(`drop user ${user}@'%'`)
      await root.end()
    })
    await root.query(`grant all on \`${new URL(address).pathname.slice(1)}\`.* to ${user}@'%'`)
    const way = Object.assign(new URL(address), { username: user, password: 'secret' }).href
    const { call } = await build(t, { address, database: way, migrate: false })
    const responses = await Promise.all(Array.from({ length: 12 }, () => call('GET', '/products')))
    t.ok(responses.some(({ status }) => status === 200))
    for (const response of responses.filter(({ status }) => status !== 200)) isRefused(t, response, 'refused')
  }),
)

t.test('the reasons of offline mode that MySQL 9 reports give 503, too', async (t) => {
  const { sql, ...host } = await shop(t, await freshAddress(t, 'MySQL'))
  // 6400: a plugin has set it, such as Group Replication for a member that left; 6401: a user of MySQL 9.0 has.
  for (const errno of [6400, 6401]) {
    await sql.query(`create trigger fail before insert on wp_svc_categories for each row
      signal sqlstate 'HY000' set mysql_errno = ${errno}`)
    isRefused(t, await host.call('POST', '/categories', { title: 'Mugs' }), String(errno))
    await sql.query('drop trigger fail')
  }
  t.same(await made(host), [])
  t.equal((await host.call('POST', '/categories', { title: 'Mugs' })).status, 201)
})

t.test(
  'tables without transactions beside others are refused by MySQL with the change that helps',
  async (t) => {
    const { sql, ...host } = await shop(t, await freshAddress(t, 'MySQL'))
    await sql.query('alter table wp_svc_views engine=MyISAM')
    const { call } = await build(t, { address: host.address })
    await call('POST', '/products', { title: 'Mug' })
    const response = await call('POST', '/products/1/views', { title: 'Front' })
    isRefused(t, response, String(mixedEngines))
    t.match(response.body.message, /ALTER TABLE wp_svc_views ENGINE=InnoDB\./)
    await sql.query('alter table wp_svc_views engine=InnoDB')
    t.equal((await call('POST', '/products/1/views', { title: 'Front' })).status, 201)
  },
)

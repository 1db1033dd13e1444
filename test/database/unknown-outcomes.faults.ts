// Writes whose end the database does not confirm in time: it is found out whether they are saved, or the response says that
// nobody knows. None is called refused that happens later.
import { setTimeout as delay } from 'node:timers/promises'
import { createConnection } from 'mysql2/promise'
import t, { type Test } from 'tap'
import { build, type TestHost, type TestResponse } from '../support/hosts/build.ts'
import { hostPool, type Kind } from '../support/hosts/faults.ts'
import { startMariadb } from '../support/peers/mariadb.ts'
import { startMysql } from '../support/peers/mysql.ts'

const kinds: Kind[] = ['an address', 'a mysql2 pool of the host', "the host's Kysely"]
const patience = 12_000

/** A server that confirms a COMMIT only once a replica has it, or after `patience`. */
const semiSynchronous = {
  MariaDB: () => startMariadb({ flags: ['--log-bin=binlog', '--server-id=1'] }),
  MySQL: () => startMysql({ flags: ['--plugin-load-add=semisync_source.so'] }),
}
const settings = {
  MariaDB: ['rpl_semi_sync_master_timeout', 'rpl_semi_sync_master_enabled'],
  MySQL: ['rpl_semi_sync_source_timeout', 'rpl_semi_sync_source_enabled'],
}

type Write = [kind: Kind, request: Parameters<TestHost['call']>]
const writes: Write[] = kinds.flatMap((kind): Write[] => [
  [kind, ['PATCH', '/views/1', { title: 'New' }]],
  [kind, ['PATCH', '/views/1', { title: 'New' }, { prefer: 'return=minimal' }]],
  [kind, ['PATCH', '/views/1', { options: { a: 1 } }]],
  [kind, ['POST', '/categories', { title: 'New' }]],
])

for (const engine of ['MariaDB', 'MySQL'] as const) {
  t.test(`a write that no replica of ${engine} confirms is unknown or done, never refused`, async (t) => {
    const server = await semiSynchronous[engine]()
    t.teardown(() => server.stop())
    const root = await createConnection(server.url())
    t.teardown(() => root.end())
    const one = async (t: Test, kind: Kind, i: number) => {
      await root.query(`create database shop${i} character set utf8mb4`)
      const address = server.url(`shop${i}`)
      const database = kind === 'an address' ? address : hostPool(t, kind, address).database
      const host = await build(t, { address, database })
      await host.call('POST', '/products', { title: 'Mug' })
      await host.call('POST', '/products/1/views', { title: 'Front' })
      await host.call('GET', '/views/1')
      return host
    }
    const hosts: TestHost[] = []
    for (const [i, [kind]] of writes.entries()) hosts.push(await one(t, kind, i))
    const [timeout, enabled] = settings[engine]
    await root.query(`set global ${timeout} = ${patience}`)
    await root.query(`set global ${enabled} = 1`)
    const before = performance.now()
    const responses = await Promise.all(
      hosts.map(async (host, i): Promise<TestResponse> => host.call(...(writes[i] as Write)[1])),
    )
    t.ok(performance.now() - before < 10_000, 'in time')
    await root.query(`set global ${enabled} = 0`)
    await delay(1000)
    for (const [i, { status, body, text }] of responses.entries()) {
      const [kind, [method, path]] = writes[i] as Write
      const { db, t: names } = hosts[i] as TestHost
      const view = await db.selectFrom(names.views).select(['title', 'options']).executeTakeFirstOrThrow()
      const categories = await db.selectFrom(names.categories).select('title').execute()
      const isSaved = view.title === 'New' || view.options === '{"a":1}' || categories.length > 0
      t.comment(`${kind}, ${method} ${path}: ${status} ${body.data?.outcome ?? ''}, saved: ${isSaved}`)
      const isUnknown = status === 503 && body.data.outcome === 'unknown' && /unknown/.test(body.message)
      t.ok(
        isUnknown || (status < 300 && isSaved) || (status === 503 && !isSaved),
        `${kind} ${method} ${path} ${text}`,
      )
    }
  })
}

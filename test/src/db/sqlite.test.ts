// The embedded database: transactions of one process have their turns, and a lock of another process ends in 503.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { CompiledQuery, Kysely } from 'kysely'
import t, { type Test } from 'tap'
import { within } from '../../../src/core/deadline.ts'
import { nodeSqlite } from '../../../src/db/sqlite.ts'
import { build, type TestHost } from '../../support/hosts/build.ts'

/** Another process that takes and frees the write lock. */
async function lockHolder(t: Test, { address }: TestHost) {
  const child = fork(
    join(import.meta.dirname, '../../support/hostile/lock-holder.ts'),
    [address.slice('sqlite:'.length)],
    {
      execArgv: [],
    },
  )
  t.teardown(() => child.kill())
  await once(child, 'spawn')
  return async () => {
    child.send('next')
    await once(child, 'message')
  }
}

t.test('a write waits for the lock of another process, and reading goes on', async (t) => {
  const host = await build(t)
  const next = await lockHolder(t, host)
  await next()
  const order: string[] = []
  const write = host.call('POST', '/categories', { title: 'Cups' }).then(({ status }) => {
    order.push('written')
    return status
  })
  t.equal((await host.call('GET', '/categories')).status, 200)
  order.push('read')
  await next()
  t.equal(await write, 201)
  t.strictSame(order, ['read', 'written'], 'reading does not wait for the lock')
})

t.test('other work goes on while a statement waits for a lock', async (t) => {
  const host = await build(t)
  const next = await lockHolder(t, host)
  await next()
  const db = new Kysely({ dialect: nodeSqlite(host.address.slice('sqlite:'.length)) })
  t.teardown(() => db.destroy())
  let turns = 0
  const timer = setInterval(() => turns++, 10)
  t.teardown(() => clearInterval(timer))
  await t.rejects(
    db.connection().execute((one) => one.executeQuery(CompiledQuery.raw('begin immediate'))),
    {
      message: 'database is locked',
    },
  )
  t.ok(turns > 10, `${turns} turns of a timer`)
  await next()
  await db.connection().execute((one) => one.executeQuery(CompiledQuery.raw('begin immediate')))
})

t.test('opening a file waits for another process that has it for itself', async (t) => {
  const path = join(t.testdir(), 'shop.sqlite')
  const held = `const { parentPort, workerData } = require('node:worker_threads')
    const { DatabaseSync } = require('node:sqlite')
    const file = new DatabaseSync(workerData)
    file.exec('begin exclusive')
    parentPort.postMessage('held')
    setTimeout(() => file.close(), 50)`
  await once(new Worker(held, { eval: true, workerData: path }), 'message')
  const db = new Kysely({ dialect: nodeSqlite(path) })
  t.teardown(() => db.destroy())
  const { rows } = await db.executeQuery(CompiledQuery.raw('pragma journal_mode'))
  t.strictSame(rows, [{ journal_mode: 'wal' }])
})

t.test('statements that take long give other requests turns', async (t) => {
  const db = new Kysely({ dialect: nodeSqlite(':memory:') })
  t.teardown(() => db.destroy())
  const slow =
    'with recursive n(i) as (select 1 union all select i + 1 from n where i < 1000000) select count(*) from n'
  let turns = 0
  await db.connection().execute(async (connection) => {
    for (const expected of [1, 2]) {
      setImmediate(() => turns++)
      await connection.executeQuery(CompiledQuery.raw(slow))
      t.equal(turns, expected)
    }
  })
})

t.test('a lock that stays gives 503 in time, and nothing is written', async (t) => {
  const host = await build(t)
  const next = await lockHolder(t, host)
  await next()
  const started = performance.now()
  const writes = await Promise.all([
    host.call('POST', '/categories', { title: 'Cups' }),
    host.call('POST', '/products', { title: 'Shirt' }),
  ])
  const time = performance.now() - started
  for (const { status, headers, body } of writes) {
    t.strictSame([status, body.code, headers['retry-after']], [503, 'svc_unavailable', '2'])
    t.match(body.message, /^The database is busy with other writers/)
  }
  t.ok(time < 20_000, `503 after ${Math.round(time)} ms`)
  t.equal((await host.call('GET', '/categories')).body.meta.total, 0)
  await next()
  t.equal((await host.call('POST', '/categories', { title: 'Cups' })).status, 201, 'the next one is served')
})

t.test('transactions of one process have their turns, and none sees the other half done', async (t) => {
  const host = await build(t)
  const titles = Array.from({ length: 30 }, (_, i) => `Product ${i}`)
  const made = await Promise.all(
    titles.map((title) => host.call('POST', '/products', { title, categories: [] })),
  )
  t.ok(made.every(({ status }) => status === 201))
  t.equal((await host.call('GET', '/products?limit=100')).body.data.length, titles.length)
})

t.test('closing leaves one file, which contains all that was written', async (t) => {
  const folder = t.testdir({})
  const { db, add, titles } = await withCups(t, `${folder}/own.sqlite`)
  await add('Mug')
  t.same(await titles(), ['Mug'])
  t.ok(readdirSync(folder).length > 1, 'the log is beside it')
  await db.destroy()
  t.strictSame(readdirSync(folder), ['own.sqlite'])
})

interface Cups {
  cups: { title: string }
}

async function withCups(t: Test, path: string) {
  const db = new Kysely<Cups>({ dialect: nodeSqlite(path) })
  t.teardown(() => db.destroy())
  await db.executeQuery(CompiledQuery.raw('create table cups (title text)'))
  const add = (title: string, executor = db) => executor.insertInto('cups').values({ title }).execute()
  const titles = async () => (await db.selectFrom('cups').select('title').execute()).map(({ title }) => title)
  return { db, add, titles }
}

t.test('an open transaction never sees statements of another request', async (t) => {
  for (const path of [':memory:', `${t.testdir({})}/own.sqlite`]) {
    const { db, add, titles } = await withCups(t, path)
    const order: string[] = []
    const failing = db.transaction().execute(async (trx) => {
      await add('half', trx)
      order.push('begun')
      await pause(50)
      order.push('ended')
      throw new RangeError('enough')
    })
    while (order.length === 0) await pause(1)
    const others = Promise.all([
      add('alone').then(() => order.push('alone')),
      db
        .transaction()
        .execute((trx) => add('other', trx))
        .then(() => order.push('other')),
    ])
    await t.rejects(failing, new RangeError('enough'))
    await others
    t.same(await titles(), ['alone', 'other'])
    t.same(order, ['begun', 'ended', 'alone', 'other'])
  }
})

t.test('a statement whose caller gave up while it waited for its turn is never run', async (t) => {
  const { db, add, titles } = await withCups(t, ':memory:')
  await db.transaction().execute(async (trx) => {
    await add('first', trx)
    await t.rejects(within(20, () => add('late')))
    await t.rejects(within(20, () => db.transaction().execute((other) => add('later', other))))
  })
  await pause(50)
  t.same(await titles(), ['first'])
  await add('next')
  t.same(await titles(), ['first', 'next'])
})

t.test('a connection that is given back with an open transaction leaves nothing of it', async (t) => {
  const { db, add, titles } = await withCups(t, ':memory:')
  await db.connection().execute(async (connection) => {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'))
    await add('half', connection)
  })
  t.same(await titles(), [])
})

t.test('many statements at once leave turns of the event loop to others', async (t) => {
  const db = new Kysely<unknown>({ dialect: nodeSqlite(`${t.testdir()}/shop.sqlite`) })
  t.teardown(() => db.destroy())
  const count = (limit: number) =>
    CompiledQuery.raw(
      'select count(*) as n from (with recursive r(i) as (select 1 union all select i + 1 from r where i < ?) select i from r)',
      [limit],
    )
  await db.executeQuery(count(1))
  let ticks = 0
  const timer = setInterval(() => ticks++, 1)
  const results = await Promise.all(
    Array.from({ length: 60 }, (_, i) => db.executeQuery<{ n: number }>(count(20_000 + i))),
  )
  clearInterval(timer)
  t.same(
    results.map(({ rows }) => rows[0]?.n),
    Array.from({ length: 60 }, (_, i) => 20_000 + i),
  )
  t.ok(ticks >= 5, `${ticks} ticks`)
})

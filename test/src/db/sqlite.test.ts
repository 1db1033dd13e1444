// The embedded database: neither its work nor anybody's wait for a lock holds up the event loop.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Worker } from 'node:worker_threads'
import { CompiledQuery, Kysely } from 'kysely'
import t, { type Test } from 'tap'
import { nodeSqlite } from '../../../src/db/sqlite.ts'
import { build, type TestHost } from '../../support/build.ts'

const threads: Worker[] = []
process.on('worker', (thread: Worker) => threads.push(thread))

/** Another process that takes and frees the write lock. */
async function lockHolder(t: Test, { address }: TestHost) {
  const child = fork(
    join(import.meta.dirname, '../../support/lock-holder.ts'),
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

/** The longest time between two turns of its event loop while `work` runs, in milliseconds. */
async function standstill<T>(work: Promise<T>): Promise<{ result: T; longest: number }> {
  let longest = 0
  let last = performance.now()
  const timer = setInterval(() => {
    const now = performance.now()
    longest = Math.max(longest, now - last)
    last = now
  }, 5)
  try {
    return { result: await work, longest }
  } finally {
    clearInterval(timer)
  }
}

t.test('a write waits for the lock of another process without holding up the event loop', async (t) => {
  const host = await build(t)
  const next = await lockHolder(t, host)
  await next()
  const write = host.call('POST', '/categories', { title: 'Cups' })
  const read = await standstill(host.call('GET', '/categories'))
  t.equal(read.result.status, 200, 'reading goes on meanwhile')
  const waited = await standstill(pause(1000))
  t.ok(waited.longest < 1000, `the event loop stood still for ${Math.round(waited.longest)} ms at most`)
  await next()
  t.equal((await write).status, 201)
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

t.test('the event loop turns while a statement runs', async (t) => {
  const db = new Kysely<object>({ dialect: nodeSqlite(':memory:') })
  t.teardown(() => db.destroy())
  let turns = 0
  const timer = setInterval(() => turns++, 10)
  t.teardown(() => clearInterval(timer))
  const count = `with recursive n(i) as (select 1 union all select i + 1 from n where i < 4000000) select count(*) as n from n`
  const { rows } = await db.executeQuery(CompiledQuery.raw(count))
  t.strictSame(rows, [{ n: 4_000_000 }])
  t.ok(turns >= 3, `${turns} turns`)
})

t.test('reads do not wait for the end of a transaction, and see what is committed', async (t) => {
  const db = new Kysely<{ cups: { title: string } }>({ dialect: nodeSqlite(`${t.testdir({})}/own.sqlite`) })
  t.teardown(() => db.destroy())
  await db.executeQuery(CompiledQuery.raw('create table cups (title text)'))
  const titles = (executor = db) => executor.selectFrom('cups').select('title').execute()
  await db.transaction().execute(async (trx) => {
    await trx.insertInto('cups').values({ title: 'Mug' }).execute()
    t.strictSame(await titles(), [], 'others')
    t.strictSame(await titles(trx), [{ title: 'Mug' }], 'the transaction itself')
  })
  t.strictSame(await titles(), [{ title: 'Mug' }])
})

t.test(
  'large strings come back as they were stored, whatever stands around them in the statement',
  async (t) => {
    const db = new Kysely<{ 'odd?': { 'na?me': string; 'blob"?': string } }>({
      dialect: nodeSqlite(':memory:'),
    })
    t.teardown(() => db.destroy())
    await db.executeQuery(CompiledQuery.raw('create table "odd?" ("na?me" text, "blob""?" text)'))
    const large = '€ä\u0000\u{1f455}"?\''.repeat(100_000)
    await db.insertInto('odd?').values({ 'na?me': "it's ?", 'blob"?': large }).execute()
    const [row] = await db.selectFrom('odd?').selectAll().where('blob"?', '=', large).execute()
    t.equal(row?.['na?me'], "it's ?")
    t.ok(row?.['blob"?'] === large)
  },
)

t.test(
  'when the database thread has exited, its requests get 503 and the next ones are served',
  async (t) => {
    const host = await build(t)
    const writes = ['Cups', 'Mugs', 'Bags'].map((title) => host.call('POST', '/categories', { title }))
    await threads.at(-1)?.terminate()
    for (const { status } of await Promise.all(writes)) t.match(String(status), /201|503/)
    t.equal((await host.call('POST', '/categories', { title: 'Caps' })).status, 201)
    t.equal((await host.call('PATCH', '/categories/1', { title: 'Hats' })).status, 200)
  },
)

// The embedded database beside other processes: nobody's wait holds up the event loop.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { build, type TestHost } from '../../support/build.ts'

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

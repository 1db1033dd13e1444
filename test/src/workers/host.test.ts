// Jobs in child processes: whatever happens to one, the next one works.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { type HostOptions, JobEnded, type Limits, workerHost } from '../../../src/workers/host.ts'

const script = new URL('../../support/hostile/odd-worker.ts', import.meta.url)
const generous: Limits = { seconds: 60, cpuSeconds: 30, megabytes: 1000 }

function hostFor(t: Test, options: Partial<HostOptions> = {}) {
  const host = workerHost({ script, maxChildren: 1, heap: 64, ...options })
  t.teardown(() => host.close())
  const run = (job: string, limits: Partial<Limits> = {}, input: () => unknown = () => 'four') =>
    host.run(job, input, { limits: { ...generous, ...limits } })
  /** Why the job's child ended. */
  const ended = (job: string, limits: Partial<Limits> = {}, input?: () => unknown) =>
    run(job, limits, input).then(
      () => 'returned',
      (error: JobEnded) => error.reason,
    )
  return { host, run, ended }
}

/** Whether a process has ended; waits for a while. */
async function isGone(pid: number): Promise<boolean> {
  for (let looks = 0; looks < 500; looks++) {
    try {
      process.kill(pid, 0)
    } catch {
      return true
    }
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  return false
}

t.test('workerHost: a child is used again, without the environment of its host', async (t) => {
  const { run } = hostFor(t)
  const first = await run('pid')
  t.type(first, 'number')
  t.not(first, process.pid)
  t.equal(await run('pid'), first)
  t.notMatch(await run('environment'), ['PATH'])
})

t.test('workerHost: a job that crashes its child fails, and the next one works in a new child', async (t) => {
  const { run, ended } = hostFor(t)
  for (const signal of ['SIGSEGV', 'SIGBUS', 'SIGILL', 'SIGABRT', 'SIGFPE', 'SIGTRAP', 'SIGSYS']) {
    t.equal(await ended('crash', {}, () => signal), 'crashed', `a fault of native code: ${signal}`)
  }
  t.equal(await ended('crash', {}, () => 'SIGTERM'), 'interrupted', 'ended by somebody')
  t.equal(await ended('exit'), 'interrupted', 'not the fault of the job')
  t.equal(await run('length'), 4)
})

t.test('workerHost: an error of a job arrives with its message, and its child stays', async (t) => {
  const { run } = hostFor(t)
  const child = await run('pid')
  await t.rejects(run('throw'), { message: 'a fault' })
  await t.rejects(run('missing'), /no-such-module/)
  t.equal(await run('pid'), child)
})

t.test('workerHost: a job ends at its limit of time, of CPU time and of memory', async (t) => {
  const { run, ended } = hostFor(t)
  t.equal(await ended('loop', { cpuSeconds: 0.2 }), 'time', 'long before the limit by the clock')
  t.equal(await ended('loop', { seconds: 1 }), 'time')
  t.equal(await ended('heap'), 'memory', 'the heap')
  t.equal(await ended('native', { megabytes: 300 }), 'memory', 'what lies beside it')
  t.equal(await run('length'), 4)
})

t.test('workerHost: why a child ended is not taken from what an earlier job wrote', async (t) => {
  const { run, ended } = hostFor(t)
  await run('write', {}, () => 'heap out of memory')
  // What it wrote may arrive after its result.
  t.equal(await ended('exit', {}, () => delay(100)), 'interrupted')
})

t.test('workerHost: CPU time counts from the start of each job', async (t) => {
  const { run } = hostFor(t)
  for (let jobs = 0; jobs < 3; jobs++) t.equal(await run('length', { cpuSeconds: 0.5 }), 4)
})

t.test(
  'workerHost: a limit of CPU time beyond 24 days, the largest that is watched, is far away',
  async (t) => {
    const { run } = hostFor(t)
    for (const cpuSeconds of [3_000_000, Number.POSITIVE_INFINITY])
      t.equal(await run('busy', { cpuSeconds }, () => '500'), 'done')
  },
)

t.test('workerHost: a child ends after so many jobs, and when it keeps too much memory', async (t) => {
  const counted = hostFor(t, { maxJobs: 2 })
  const [first, second, third] = [
    await counted.run('pid'),
    await counted.run('pid'),
    await counted.run('pid'),
  ]
  t.equal(first, second)
  t.not(second, third)
  const large = hostFor(t, { maxIdleMegabytes: 1 })
  t.not(await large.run('pid'), await large.run('pid'))
})

t.test('workerHost: a child without a job ends after a while', async (t) => {
  const { run } = hostFor(t, { idle: 1 })
  t.ok(await isGone(Number(await run('pid'))))
  t.equal(await run('length'), 4)
})

t.test('as many jobs run at once as there are children, and the others have not begun', async (t) => {
  const { run } = hostFor(t, { maxChildren: 2 })
  let reading = 0
  let most = 0
  const slow = async () => {
    most = Math.max(most, ++reading)
    await new Promise((resolve) => setImmediate(resolve))
    reading--
    return 'four'
  }
  await Promise.all(Array.from({ length: 6 }, () => run('length', {}, slow)))
  t.equal(most, 2)
})

t.test('workerHost: an input that cannot be had fails its own job only', async (t) => {
  const { run } = hostFor(t)
  await t.rejects(
    run('length', {}, () => Promise.reject(new Error('gone'))),
    /gone/,
  )
  t.equal(await run('length'), 4)
})

t.test('workerHost: questions of a job are answered', async (t) => {
  const { host } = hostFor(t)
  const answer = async (question: string) => `${question}!`
  t.equal(await host.run('ask', () => 'why', { limits: generous, answer }), 'why!')
  const refuse = async () => Promise.reject(new Error('no answer'))
  await t.rejects(
    host.run('ask', () => 'why', { limits: generous, answer: refuse }),
    /no answer/,
  )
})

t.test('workerHost: a message that no job sends ends its child, and never the host', async (t) => {
  const { ended, run } = hostFor(t)
  for (const message of [null, 7, 'text', [], {}, { result: 1 }, { error: 1, megabytes: '1' }])
    t.equal(await ended('send', {}, () => message), 'crashed', JSON.stringify(message))
  t.equal(await run('length'), 4)
})

t.test('workerHost: a signal ends the job, and closing the host all of them', async (t) => {
  const { host, run } = hostFor(t, { maxChildren: 2 })
  const pid = Number(await run('pid'))
  const stop = new AbortController()
  const stopped = host.run('loop', () => '', { limits: generous, signal: stop.signal })
  const looping = run('loop')
  setTimeout(() => stop.abort(new Error('stopped')), 100)
  await t.rejects(stopped, /stopped/)
  host.close()
  await t.rejects(looping, new JobEnded('interrupted'))
  t.ok(await isGone(pid))
})

t.test('workerHost: a script that cannot start is not the fault of the job', async (t) => {
  const { ended } = hostFor(t, { script: new URL('../../support/no-such-worker.ts', import.meta.url) })
  t.equal(await ended('length'), 'interrupted')
})

t.test('children end with their host, the busy one and the idle one, and keep no host alive', async (t) => {
  const code = `
    import { workerHost } from ${JSON.stringify(new URL('../../../src/workers/host.ts', import.meta.url).href)}
    const host = workerHost({ script: new URL(${JSON.stringify(script.href)}), maxChildren: 2, heap: 64 })
    const limits = { seconds: 600, megabytes: 1000 }
    const [idle, busy] = await Promise.all([1, 2].map(() => host.run('pid', () => '', { limits })))
    process.send([idle, busy])
    if (process.argv[2] === 'loop') host.run('loop', () => '', { limits })`
  for (const then of ['loop', 'end']) {
    const host = fork('-', [then], {
      execArgv: ['--input-type=module', '-e', `process.argv[2] = '${then}'\n${code}`],
    })
    const [pids] = await once(host, 'message')
    if (then === 'loop') {
      setTimeout(() => host.kill('SIGKILL'), 300)
    } else host.disconnect()
    await once(host, 'exit')
    for (const pid of pids) t.ok(await isGone(pid), then)
  }
})

// The queue runs a few jobs at once, and clients take turns.
import t, { type Test } from 'tap'
import { fairQueue } from '../../../src/workers/fair-queue.ts'

/** A job that finishes on demand. */
function job(started: string[], name: string) {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const run = () => {
    started.push(name)
    return promise
  }
  return { run, resolve, reject }
}

const turn = () => new Promise((resolve) => setImmediate(resolve))

t.test(
  'fairQueue: no more jobs run at once than there are places, and the others start in the order in which they came',
  async (t) => {
    const pass = fairQueue(2)
    const started: string[] = []
    const [a, b, c, d] = [job(started, 'a'), job(started, 'b'), job(started, 'c'), job(started, 'd')]
    const done = [a, b, c, d].map(({ run }) => pass(run))
    await turn()
    t.strictSame(started, ['a', 'b'])
    b.resolve()
    await turn()
    t.strictSame(started, ['a', 'b', 'c'])
    for (const each of [a, c, d]) each.resolve()
    await Promise.all(done)
    t.strictSame(started, ['a', 'b', 'c', 'd'])
  },
)

/** A queue of one place on a clock of its own: which jobs started, and a function that adds one of so many milliseconds. */
function timed(t: Test) {
  let now = 0
  t.intercept(performance, 'now', { value: () => now })
  const pass = fairQueue(1)
  const started: string[] = []
  /** The name is that of the client and a digit. */
  const add = (name: string, milliseconds: number, meanwhile = () => {}) =>
    pass(
      async () => {
        started.push(name)
        now += milliseconds
        meanwhile()
      },
      name.slice(0, -1),
    )
  return { started, add }
}

t.test('fairQueue: a client with slow jobs delays only its own jobs', async (t) => {
  const { started, add } = timed(t)
  const jobs = ['slow1', 'slow2', 'slow3', 'slow4'].map((name) => add(name, 40))
  jobs.push(...['quick1', 'quick2', 'quick3'].map((name) => add(name, 1)))
  await Promise.all(jobs)
  t.strictSame(started, ['slow1', 'quick1', 'quick2', 'quick3', 'slow2', 'slow3', 'slow4'])
})

t.test('fairQueue: a new client has no advantage over those that wait', async (t) => {
  const { started, add } = timed(t)
  const late: Promise<void>[] = []
  const arrive = () => late.push(...['new1', 'new2', 'new3'].map((name) => add(name, 15)))
  await Promise.all([add('old1', 20), add('old2', 20, arrive), add('old3', 20)])
  await Promise.all(late)
  t.strictSame(started, ['old1', 'old2', 'new1', 'new2', 'old3', 'new3'])
})

t.test('fairQueue: what a client used counts while others wait, and no longer', async (t) => {
  const { started, add } = timed(t)
  await Promise.all([add('a1', 40), add('b1', 50), add('c1', 10), add('b2', 1), add('a2', 1), add('c2', 1)])
  t.strictSame(started, ['a1', 'b1', 'c1', 'c2', 'a2', 'b2'])
  await Promise.all([add('x1', 1), add('b3', 1), add('a3', 1), add('c3', 1)])
  t.strictSame(started.slice(6), ['x1', 'b3', 'a3', 'c3'], 'in the order in which they came')
})

t.test('fairQueue: a new client waits at most for the running job', async (t) => {
  const pass = fairQueue(1)
  const started: string[] = []
  const [first, second, late] = [job(started, 'first'), job(started, 'second'), job(started, 'late')]
  const done = [pass(first.run, 'a'), pass(second.run, 'a'), pass(second.run, 'b')]
  first.resolve()
  await turn()
  done.push(pass(late.run, 'c'))
  second.resolve()
  late.resolve()
  await Promise.all(done)
  t.strictSame(started, ['first', 'second', 'late', 'second'])
})

t.test('fairQueue: a failed job frees its slot', async (t) => {
  const pass = fairQueue(1)
  await t.rejects(
    pass(async () => {
      throw new Error('broken')
    }),
    /broken/,
  )
  t.equal(await pass(async () => 'next'), 'next')
})

t.test('fairQueue: a job that exceeds the queue limit fails immediately', async (t) => {
  const pass = fairQueue(1, 1)
  const started: string[] = []
  const [a, b] = [job(started, 'a'), job(started, 'b')]
  const done = [pass(a.run), pass(b.run)]
  await t.rejects(
    pass(async () => {}),
    /Too many/,
  )
  a.resolve()
  b.resolve()
  await Promise.all(done)
})

t.test('fairQueue: 500 jobs wait, again and again', async (t) => {
  const pass = fairQueue(1)
  for (const _ of [1, 2]) {
    const jobs = Array.from({ length: 502 }, () => pass(async () => {}))
    const results = await Promise.allSettled(jobs)
    t.strictSame(
      results.flatMap(({ status }, i) => (status === 'rejected' ? i : [])),
      [501],
    )
  }
})

t.test('if one client fills the queue, its newest job makes room for another client', async (t) => {
  const pass = fairQueue(1, 2)
  const started: string[] = []
  const [a, b, c, d] = [job(started, 'a'), job(started, 'b'), job(started, 'c'), job(started, 'd')]
  const done = [pass(a.run, 'many'), pass(b.run, 'many')]
  const lost = pass(c.run, 'many')
  done.push(pass(d.run, 'one'))
  await t.rejects(lost, /Too many/)
  for (const each of [a, b, d]) each.resolve()
  await Promise.all(done)
  t.notMatch(started, ['c'])
})

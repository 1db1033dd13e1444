// The queue runs a few jobs at once, and clients take turns.
import t from 'tap'
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
  'no more jobs run at once than there are places, and the others start in the order in which they came',
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

t.test('a client with slow jobs delays only its own jobs', async (t) => {
  const pass = fairQueue(1)
  const started: string[] = []
  const run = (name: string, milliseconds: number) =>
    pass(
      async () => {
        started.push(name)
        const end = performance.now() + milliseconds
        while (performance.now() < end);
      },
      name.slice(0, -1),
    )
  const jobs = ['slow1', 'slow2', 'slow3', 'slow4'].map((name) => run(name, 40))
  jobs.push(...['quick1', 'quick2', 'quick3'].map((name) => run(name, 1)))
  await Promise.all(jobs)
  t.strictSame(started, ['slow1', 'quick1', 'quick2', 'quick3', 'slow2', 'slow3', 'slow4'])
})

t.test('a new client waits at most for the running job', async (t) => {
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

t.test('a failed job frees its slot', async (t) => {
  const pass = fairQueue(1)
  await t.rejects(
    pass(async () => {
      throw new Error('broken')
    }),
    /broken/,
  )
  t.equal(await pass(async () => 'next'), 'next')
})

t.test('a job that exceeds the queue limit fails immediately', async (t) => {
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

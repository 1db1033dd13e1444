// The semaphore lets a few jobs run at once, in order.
import t from 'tap'
import { FileCheckFailed } from '../../../src/files/rejected.ts'
import { semaphore } from '../../../src/files/semaphore.ts'

/** A job that ends when told to. */
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
    const pass = semaphore(2)
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

t.test('a job that fails gives its place free', async (t) => {
  const pass = semaphore(1)
  await t.rejects(
    pass(async () => {
      throw new Error('broken')
    }),
    /broken/,
  )
  t.equal(await pass(async () => 'next'), 'next')
})

t.test('a job beyond the longest queue fails at once instead of waiting', async (t) => {
  const pass = semaphore(1, 1)
  const started: string[] = []
  const [a, b] = [job(started, 'a'), job(started, 'b')]
  const done = [pass(a.run), pass(b.run)]
  await t.rejects(
    pass(async () => {}),
    FileCheckFailed,
  )
  a.resolve()
  b.resolve()
  await Promise.all(done)
})

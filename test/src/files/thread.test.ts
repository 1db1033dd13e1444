// A check in its thread: whatever becomes of it, the next one works.
import t from 'tap'
import { fileChecks } from '../../../src/files/accept.ts'
import { FileCheckFailed, FileRejected } from '../../../src/files/rejected.ts'
import { thread } from '../../../src/files/thread.ts'

const ODD = new URL('../../support/odd-worker.ts', import.meta.url)
const read = async () => Buffer.from('four')

t.test('a thread that dies fails that check as one to try again, and the next check runs', async (t) => {
  const odd = thread(ODD)
  t.teardown(() => odd.close())
  for (const end of ['exit', 'throw', 'fail']) {
    await t.rejects(odd.run(end, read), FileCheckFailed, end)
    t.equal(await odd.run('length', read), 4)
  }
})

t.test('a check that does not end is stopped and the file refused', async (t) => {
  const odd = thread(ODD, { deadline: 2000 })
  t.teardown(() => odd.close())
  const [looping, waiting] = [odd.run('loop', read), odd.run('length', read)]
  await t.rejects(looping, new FileRejected('The file takes too long to check.'))
  t.equal(await waiting, 4)
})

t.test('a check that eats memory is stopped and the file refused', async (t) => {
  const odd = thread(ODD, { heap: 32 })
  t.teardown(() => odd.close())
  await t.rejects(odd.run('memory', read), new FileRejected('The file takes too much memory to check.'))
  t.equal(await odd.run('length', read), 4)
})

t.test('files wait for their turn before they are read', async (t) => {
  const odd = thread(ODD)
  t.teardown(() => odd.close())
  let reading = 0
  let most = 0
  const slow = async () => {
    most = Math.max(most, ++reading)
    await new Promise((resolve) => setImmediate(resolve))
    reading--
    return Buffer.from('four')
  }
  await Promise.all(Array.from({ length: 5 }, () => odd.run('length', slow)))
  t.equal(most, 1)
})

t.test('a file that cannot be read fails its own check only', async (t) => {
  const odd = thread(ODD)
  t.teardown(() => odd.close())
  await t.rejects(
    odd.run('length', async () => {
      throw new Error('gone')
    }),
    /gone/,
  )
  t.equal(await odd.run('length', read), 4)
})

t.test(
  'the sanitiser killed in the middle of a drawing fails that one, and the next drawing is taken',
  async (t) => {
    const checks = fileChecks()
    t.teardown(() => checks.close())
    const open = '<svg xmlns="http://www.w3.org/2000/svg">'
    const upload = (content: string) => ({
      name: 'a.svg',
      read: async () => Buffer.from(`${open}${content}</svg>`),
    })
    process.once('worker', (worker) => worker.once('online', () => worker.terminate()))
    await t.rejects(checks.asset(upload('<rect/>'.repeat(20_000))), FileCheckFailed)
    t.match(await checks.asset(upload('<rect/>')), { type: 'svg' })
  },
)

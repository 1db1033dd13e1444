// Who waits for a job, who wakes them, and what it costs.
import { setTimeout as delay } from 'node:timers/promises'
import t from 'tap'
import { jobWaiters } from '../../../src/print/job-waiters.ts'

const never = new AbortController().signal
const day = 86_400_000

/** Waiters of jobs of which none has ended yet; `looks` are the ids of each look. */
function waitersOf({ max = 10, interval = day } = {}) {
  const looks: number[][] = []
  const over = new Set<number>()
  const waiters = jobWaiters({
    max,
    interval,
    ended: async (ids) => {
      looks.push(ids)
      return ids.filter((id) => over.has(id))
    },
  })
  return { waiters, looks, over }
}

const isOpen = async (promise: Promise<void>) =>
  (await Promise.race([promise.then(() => 'over'), delay(20, 'open')])) === 'open'

t.test('jobWaiters: all who wait for a job are woken at once, and nobody else', async (t) => {
  const { waiters } = waitersOf()
  const [one, two, other] = [1, 1, 2].map((id) => waiters.wait(id, day, never)) as [
    Promise<void>,
    Promise<void>,
    Promise<void>,
  ]
  waiters.wake(1)
  await Promise.all([one, two])
  t.ok(await isOpen(other))
  waiters.stop()
  await other
})

t.test('jobWaiters: one look asks for all jobs, and finds what others have ended', async (t) => {
  const { waiters, looks, over } = waitersOf({ interval: 10 })
  const waits = [1, 2, 2, 3].map((id) => waiters.wait(id, day, never))
  while (!looks.some((ids) => ids.length === 3)) await delay(1)
  for (const id of [1, 2, 3]) over.add(id)
  await Promise.all(waits)
  t.same(looks.at(-1)?.toSorted(), [1, 2, 3])
  const { length } = looks
  await delay(50)
  t.equal(looks.length, length, 'nobody waits, nobody looks')
})

t.test('jobWaiters: a job that ended just before is found by the first look', async (t) => {
  const { waiters, over } = waitersOf()
  over.add(7)
  await waiters.wait(7, day, never)
  t.pass()
})

t.test('jobWaiters: a wait ends with its time, with its client and with the server', async (t) => {
  const { waiters } = waitersOf()
  await waiters.wait(1, 5, never)
  const gone = new AbortController()
  const left = waiters.wait(1, day, gone.signal)
  gone.abort()
  await left
  await waiters.wait(1, day, gone.signal)
  const stopped = waiters.wait(1, day, never)
  waiters.stop()
  await stopped
  await waiters.wait(1, day, never)
  t.pass()
})

t.test('who comes when too many wait does not wait, and has his place when one has gone', async (t) => {
  const { waiters } = waitersOf({ max: 2 })
  const waits = [1, 2].map((id) => waiters.wait(id, day, never))
  await waiters.wait(3, day, never)
  waiters.wake(1)
  await waits[0]
  const next = waiters.wait(3, day, never)
  t.ok(await isOpen(next))
  waiters.stop()
  await Promise.all([...waits, next])
})

t.test('jobWaiters: a look that fails or takes long is not the end, and never two run at once', async (t) => {
  let running = 0
  let max = 0
  let looks = 0
  const waiters = jobWaiters({
    interval: 1,
    ended: async (ids) => {
      max = Math.max(max, ++running)
      await delay(10)
      running--
      if (++looks < 3) throw new Error('The database is gone.')
      return ids
    },
  })
  await waiters.wait(1, day, never)
  t.equal(max, 1)
  t.equal(looks, 3)
})

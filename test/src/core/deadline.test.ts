// The deadline of a request holds for everything that the request waits for, and for nothing else.
import { setTimeout } from 'node:timers/promises'
import t from 'tap'
import {
  assertInTime,
  DeadlineExceeded,
  timeLeft,
  within,
  withOpenOutcome,
  withoutDeadline,
} from '../../../src/core/deadline.ts'

const never = () => new Promise<never>(() => {})

t.test('within: outside of a request every wait may take its own time', (t) => {
  t.equal(timeLeft(1234), 1234)
  t.doesNotThrow(assertInTime)
  t.end()
})

t.test('within: a wait takes what is left of the request, at most its own time', async (t) => {
  await within(60_000, async () => {
    t.equal(timeLeft(5), 5)
    const left = timeLeft(1_000_000)
    t.ok(left > 50_000 && left <= 60_000 && Number.isInteger(left), String(left))
    t.equal(
      withoutDeadline(() => timeLeft(1_000_000)),
      1_000_000,
    )
    t.doesNotThrow(assertInTime)
  })
})

t.test('within: after the deadline nothing waits, and work that nobody awaits has no effect', async (t) => {
  const after = Promise.withResolvers<[left: number, error: unknown]>()
  const late = within(5, async () => {
    await setTimeout(20)
    try {
      assertInTime()
    } catch (error) {
      after.resolve([timeLeft(1000), error])
    }
  })
  t.match(await late.catch((error) => error), { name: 'DeadlineExceeded', isOutcomeOpen: false })
  const [left, error] = await after.promise
  t.equal(left, 0)
  t.ok(error instanceof DeadlineExceeded)
})

t.test('within: results and errors come before the deadline, and leave no timer', async (t) => {
  t.equal(await within(60_000, async () => 'done'), 'done')
  await t.rejects(
    within(60_000, () => Promise.reject(new Error('Broken.'))),
    { message: 'Broken.' },
  )
  t.notOk(process.getActiveResourcesInfo().includes('Timeout'))
})

t.test('within: a deadline that passes while a write ends leaves its outcome open', async (t) => {
  const open = within(5, () => withOpenOutcome(never))
  t.match(await open.catch((error) => error), { name: 'DeadlineExceeded', isOutcomeOpen: true })
  const ended = within(5, async () => {
    t.equal(await withOpenOutcome(async () => 'saved'), 'saved')
    await withOpenOutcome(() => Promise.reject(new Error('Refused.'))).catch(() => {})
    return never()
  })
  t.match(await ended.catch((error) => error), { name: 'DeadlineExceeded', isOutcomeOpen: false })
  t.equal(await withOpenOutcome(async () => 'no request'), 'no request')
})

t.test('within: work that throws at once rejects, and its deadline rejects nothing later', async (t) => {
  const thrown = within(5, () => {
    throw new Error('Broken.')
  })
  await t.rejects(thrown, { message: 'Broken.' })
  // An unhandled rejection would fail the test.
  await setTimeout(20)
})

// When a receiver of webhooks counts as failing and as back, and when an event is sent to it early.
import t, { type Test } from 'tap'
import { receiverHealth } from '../../../src/changes/receiver-health.ts'

/** The health of a receiver, on a clock that moves by calls of `pass` alone. */
function healthOf(t: Test) {
  const now = performance.now.bind(performance)
  let time = 1000
  performance.now = () => time
  t.teardown(() => {
    performance.now = now
  })
  const pass = (seconds: number) => (time += seconds * 1000)
  return { health: receiverHealth(), pass }
}

t.test('receiverHealth.failed: only the first failure since a success is news', async (t) => {
  const { health } = healthOf(t)
  t.same([health.failed(1, 0, false), health.failed(2, 0, false)], [true, false])
  t.same(health.succeeded(0, false).wasFailing, true)
  t.same(health.succeeded(0, false).wasFailing, false)
  t.equal(health.failed(1, 0, false), true)
})

t.test(
  'receiverHealth.succeeded: it is back if several events failed and one of them, or an early one, was accepted',
  async (t) => {
    const { health, pass } = healthOf(t)
    const isBack = (failedAttempts: number, isEarly: boolean, failed: number[], retryAfter = 0) => {
      for (const id of failed) health.failed(id, retryAfter, false)
      pass(1)
      return health.succeeded(failedAttempts, isEarly).isBack
    }
    t.equal(isBack(1, false, [1, 2]), true)
    t.equal(isBack(0, false, [1, 2]), false, 'an event that had not failed proves nothing')
    t.equal(isBack(1, false, [1, 1]), false, 'the receiver may never accept a single event')
    t.equal(isBack(0, true, [1]), true)
    t.equal(isBack(1, false, [1, 2], 60), false, 'it asked for a pause')
  },
)

t.test(
  'receiverHealth.mayProbe: after a third of the time for which events wait, 15 to 300 seconds',
  async (t) => {
    const { health, pass } = healthOf(t)
    const waits = (seconds: number) => {
      pass(seconds - 1)
      const isEarlier = health.mayProbe()
      pass(1)
      return !isEarlier && health.mayProbe()
    }
    health.failed(1, 0, false)
    t.equal(waits(15), true)
    t.equal(waits(15), true)
    t.equal(waits(15), true)
    // Events have waited for 45 seconds now.
    pass(100)
    t.equal(health.mayProbe(), true)
    pass(50)
    t.equal(health.mayProbe(), false)
    pass(3600)
    t.equal(health.mayProbe(), true)
    t.equal(waits(300), true)
  },
)

t.test(
  'receiverHealth.mayProbe: not before the end of Retry-After, also that of an early attempt',
  async (t) => {
    const { health, pass } = healthOf(t)
    health.failed(1, 100, false)
    pass(99)
    t.equal(health.mayProbe(), false)
    pass(1)
    t.equal(health.mayProbe(), true)
    health.failedEarly(200)
    pass(199)
    t.equal(health.mayProbe(), false)
    pass(1)
    t.equal(health.mayProbe(), true)
  },
)

t.test('receiverHealth.failed: an event that is given up does not lengthen the interval', async (t) => {
  const { health, pass } = healthOf(t)
  health.failed(1, 0, false)
  pass(3600)
  health.failed(1, 0, true)
  t.equal(health.mayProbe(), true)
  pass(15)
  t.equal(health.mayProbe(), true)
})

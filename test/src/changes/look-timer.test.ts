// When a delivery loop looks for due events.
import { mock } from 'node:test'
import t, { type Test } from 'tap'
import { lookTimer } from '../../../src/changes/look-timer.ts'

/** Looks that take `lookMs` of a clock that moves by calls of `pass` alone, each ended by `endLook`. */
function timerOf(t: Test) {
  mock.timers.enable({ apis: ['setTimeout', 'setInterval'] })
  const now = performance.now.bind(performance)
  let time = 1000
  performance.now = () => time
  t.teardown(() => {
    performance.now = now
    mock.timers.reset()
  })
  const looks: PromiseWithResolvers<void>[] = []
  const timer = lookTimer(() => {
    const look = Promise.withResolvers<void>()
    looks.push(look)
    return look.promise
  })
  const pass = (milliseconds: number) => {
    time += milliseconds
    mock.timers.tick(milliseconds)
  }
  const endLook = async () => {
    looks.at(-1)?.resolve()
    await new Promise((resolve) => setImmediate(resolve))
  }
  return { timer, looks, pass, endLook }
}

t.test(
  'lookTimer: one look for all requests until it begins, and one more for those during it',
  async (t) => {
    const { timer, looks, pass, endLook } = timerOf(t)
    timer.schedule(50)
    timer.schedule(50)
    pass(49)
    t.equal(looks.length, 0)
    pass(1)
    t.equal(looks.length, 1)
    timer.schedule(0)
    timer.schedule(0)
    pass(10)
    t.equal(looks.length, 1, 'never two at a time')
    await endLook()
    pass(50)
    t.equal(looks.length, 2, 'after five times the duration of the last one')
    await endLook()
    pass(1000)
    t.equal(looks.length, 2)
  },
)

t.test('lookTimer: a pause of five times the duration follows each look', async (t) => {
  const { timer, looks, pass, endLook } = timerOf(t)
  timer.schedule(0)
  pass(1)
  pass(100)
  await endLook()
  timer.schedule(0)
  pass(499)
  t.equal(looks.length, 1)
  pass(1)
  t.equal(looks.length, 2)
})

t.test('lookTimer: it looks every two seconds, until it is stopped', async (t) => {
  const { timer, looks, pass, endLook } = timerOf(t)
  pass(2000)
  pass(1)
  t.equal(looks.length, 1)
  await endLook()
  pass(2000)
  pass(1)
  t.equal(looks.length, 2)
  const ended = timer.ended()
  timer.schedule(0)
  timer.stop()
  await endLook()
  await ended
  pass(10_000)
  timer.schedule(0)
  pass(10_000)
  t.equal(looks.length, 2)
})

// Cached totals of lists: how long they are kept.
import t from 'tap'
import { totals } from '../../../src/db/totals.ts'

/** A cache on a clock of the test, and how often it counted. */
function counting(t: { clock: { advance(ms: number): unknown } }, number: unknown) {
  const cache = totals<unknown>()
  let counts = 0
  return async (milliseconds = 0) => {
    t.clock.advance(milliseconds)
    await cache.get('a', async () => {
      counts++
      return number
    })
    return counts
  }
}

t.test('totals.get: counts anew after a second, large numbers after ten', async (t) => {
  const now = performance.now.bind(performance)
  let time = 0
  performance.now = () => time
  t.teardown(() => {
    performance.now = now
  })
  const clock = { advance: (ms: number) => (time += ms) }
  for (const [number, kept, over] of [
    [19_999, 800, 200],
    [20_000, 9900, 200],
    [{ products: 3, views: 900_000 }, 9900, 200],
    [{ products: 3 }, 800, 200],
  ] as const) {
    const count = counting({ clock }, number)
    t.same([await count(), await count(kept), await count(over)], [1, 1, 2], JSON.stringify(number))
  }
})

t.test('totals.forget: a large number is counted anew, too', async (t) => {
  const cache = totals()
  let counts = 0
  const get = () => cache.get('a', async () => 1e6 + ++counts)
  t.same([await get(), await get()], [1e6 + 1, 1e6 + 1])
  cache.forget()
  t.equal(await get(), 1e6 + 2)
})

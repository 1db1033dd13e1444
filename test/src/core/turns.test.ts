// Work in slices: its order, its results, and that it ends with its request.
import t from 'tap'
import { DeadlineExceeded, within } from '../../../src/core/deadline.ts'
import { mapInTurns } from '../../../src/core/turns.ts'

const items = Array.from({ length: 40 }, (_, i) => i)

function busy(milliseconds: number): void {
  const end = performance.now() + milliseconds
  while (performance.now() < end);
}

t.test('items are mapped in order, and timers run in between', async (t) => {
  let ticks = 0
  const timer = setInterval(() => ticks++, 1)
  const results = await mapInTurns(items, (item) => {
    busy(5)
    return 2 * item
  })
  clearInterval(timer)
  t.same(
    results,
    items.map((item) => 2 * item),
  )
  t.ok(ticks >= 5, `${ticks} ticks`)
})

t.test('work that nobody waits for any longer ends', async (t) => {
  let mapped = 0
  let ended: unknown
  const work = () =>
    mapInTurns(items, () => {
      mapped++
      busy(20)
    }).catch((error) => {
      ended = error
      throw error
    })
  await t.rejects(within(100, work), DeadlineExceeded)
  // Longer than all of the work.
  await new Promise((resolve) => setTimeout(resolve, 1000))
  t.ok(ended instanceof DeadlineExceeded)
  t.ok(mapped < items.length, `${mapped} items`)
})

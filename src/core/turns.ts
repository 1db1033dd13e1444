// Long work in slices: other requests get a turn of the event loop in between.
import { setImmediate } from 'node:timers/promises'
import { assertInTime } from './deadline.ts'

/** Longest time of work before others get a turn, in milliseconds. */
const maxSlice = 8

/**
 * A clock for one piece of work, which awaits it after each step: it waits only when the slice is used up, and ends work
 * that nobody waits for.
 * @throws DeadlineExceeded after the deadline of the request
 */
export function turns(): () => Promise<void> | undefined {
  let start = performance.now()
  const next = async () => {
    await setImmediate()
    assertInTime()
    start = performance.now()
  }
  return () => (performance.now() - start < maxSlice ? undefined : next())
}

/**
 * Like `items.map(map)`, for items that are large together, such as rows with their blobs. One after the other.
 * @throws DeadlineExceeded after the deadline of the request
 */
export async function mapInTurns<Item, Result>(
  items: readonly Item[],
  map: (item: Item) => Result | Promise<Result>,
): Promise<Result[]> {
  const turn = turns()
  const results: Result[] = []
  for (const item of items) {
    results.push(await map(item))
    await turn()
  }
  return results
}

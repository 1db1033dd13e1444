// Splits long work on the main thread into slices, so that other requests get turns of the event loop in between.
import { setImmediate } from 'node:timers/promises'
import { assertInTime } from './deadline.ts'

/** Milliseconds of work after which other requests get a turn. */
const maxSlice = 8

/**
 * A function for one piece of work, which must await it after each step. It waits only if the slice is used up.
 * @throws DeadlineExceeded after the deadline of the request, which ends the work
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
 * `items.map(map)`, one after the other, in slices: for many or large items, such as rows with their blobs.
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

// A state that requests need first, read from the database at most once a second. At most one second old.
import { requestTime, within } from '../core/deadline.ts'

/** Milliseconds. Below one second, so that a change takes effect within one. */
const maxAge = 900

export function recent<T>(query: () => Promise<T>) {
  let cached: { state: T; since: number } | undefined
  let reading: Promise<T> | undefined
  let generation = 0

  async function load(): Promise<T> {
    // The age counts from before the query, whose result may lack changes made while it runs.
    const since = performance.now()
    const started = generation
    const state = await query()
    if (started === generation) cached = { state, since }
    return state
  }

  function current(): Promise<T> {
    if (!reading) {
      // Has its own deadline, so that a hanging query does not block later requests.
      const running = within(requestTime.gate, load).finally(() => {
        if (reading === running) reading = undefined
      })
      reading = running
    }
    return reading
  }

  return {
    /** The cached state, if it is recent enough. */
    fresh: (): T | undefined =>
      cached && performance.now() - cached.since < maxAge ? cached.state : undefined,
    /** Reads the state; concurrent requests share one query. */
    // A request that joined an earlier query retries if that fails, because the database may be back.
    read: (): Promise<T> => (reading ? reading.catch(current) : current()),
    /** Drops the cached state, after writes of our own. */
    forget(): void {
      generation++
      cached = undefined
      reading = undefined
    },
  }
}

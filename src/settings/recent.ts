// Caches a state that every request needs, such as the tokens: it is read at most once a second, and is at most one second old.
import { requestTime, within } from '../core/deadline.ts'

/** Milliseconds. Below one second, so that a change takes effect within one. */
const maxAge = 900

/** Caches the result of the query. */
export function recent<T>(query: () => Promise<T>) {
  /** The last state, and when its query began, by `performance.now()`. */
  let cached: { state: T; since: number } | undefined
  /** The query that runs. */
  let reading: Promise<T> | undefined
  /** Counts the calls of `forget`: a query that began before one must not fill the cache. */
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
    /** The cached state; undefined if it is too old, and must be read. */
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

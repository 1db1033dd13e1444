// Caches the result of a query that every request needs, such as that for the tokens. The query runs at most about once a second.
import { requestTime, within } from '../core/deadline.ts'

/** Milliseconds for which a result is used. Below one second, so that a change by another process takes effect within one second. */
const maxAge = 900

/**
 * Caches the result of `query`. Callers use `fresh()`, and `await read()` if that is undefined.
 * @param query runs with a deadline of its own, because several requests may wait for it, and so that one that hangs does not block
 *   later requests
 */
export function cachedQuery<T>(query: () => Promise<T>) {
  /** The last result, and when its query began, by `performance.now()`; undefined before the first one and after `forget`. */
  let cached: { state: T; since: number } | undefined
  /** The running query; undefined if none runs. */
  let reading: Promise<T> | undefined
  /** Counts the calls of `forget`: a query that began before one must not fill the cache. */
  let generation = 0

  /** Runs the query and caches its result, unless `forget` was called meanwhile. */
  async function load(): Promise<T> {
    // The age counts from before the query, whose result may lack changes made while it runs.
    const since = performance.now()
    const started = generation
    const state = await query()
    if (started === generation) cached = { state, since }
    return state
  }

  /** The running query, or a new one. */
  function current(): Promise<T> {
    if (!reading) {
      const running = within(requestTime.gate, load).finally(() => {
        if (reading === running) reading = undefined
      })
      reading = running
    }
    return reading
  }

  return {
    /** The cached result; undefined if there is none that is new enough, so that it must be read. */
    fresh: (): T | undefined =>
      cached && performance.now() - cached.since < maxAge ? cached.state : undefined,
    /**
     * Runs the query; concurrent calls share one. A call that joined a running query runs a new one if that fails, because the
     * database may be back.
     */
    read: (): Promise<T> => (reading ? reading.catch(current) : current()),
    /** Drops the cached result. Call it after this process has changed what the query reads. */
    forget(): void {
      generation++
      cached = undefined
      reading = undefined
    },
  }
}

// One clock per request: everything that a request waits for shares the time it has left.
import { AsyncLocalStorage } from 'node:async_hooks'

/** Milliseconds for the two parts of a request's work; together, with the way there and back, less than ten seconds. */
export const answerTime = { gate: 3500, handler: 6000 }

/**
 * Milliseconds of an upload, before the handler's own time: for its bytes to come, to be checked (or wait for that), and to
 * be pushed to a remote storage.
 */
export const uploadTime = { receive: 60_000, check: 60_000, push: 60_000 }

/** The time of a request is up. */
export class OutOfTime extends Error {
  override readonly name = 'OutOfTime'
}

const deadlines = new AsyncLocalStorage<number>()

/** Milliseconds that a wait of at most `longest` may take; 0 when the time is up. Outside a request it is `longest`. */
export function timeLeft(longest: number): number {
  const deadline = deadlines.getStore()
  return deadline === undefined
    ? longest
    : Math.max(0, Math.min(longest, Math.floor(deadline - performance.now())))
}

/** @throws OutOfTime when nobody waits for the request's work any more, so that it ends without effect */
export function assertInTime(): void {
  if (timeLeft(1) === 0) throw new OutOfTime('The time for this request is up.')
}

/**
 * Runs `work` with `budget` milliseconds for all that it awaits.
 * @throws OutOfTime when it is not done by then; what it waits for is given up, not waited for
 */
export function within<T>(budget: number, work: () => Promise<T>): Promise<T> {
  return deadlines.run(performance.now() + budget, () => {
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    const timer = setTimeout(() => reject(new OutOfTime('The time for this request is up.')), budget)
    work()
      .then(resolve, reject)
      .finally(() => clearTimeout(timer))
    return promise
  })
}

/** Runs `work` that goes on after the request that happens to start it. */
export function beyondRequests<T>(work: () => T): T {
  return deadlines.exit(work)
}

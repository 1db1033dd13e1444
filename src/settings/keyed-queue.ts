// Queues work with the same key within this process, such as the writers of one row.
import { within } from '../core/deadline.ts'

/** Maximum wait in milliseconds. */
const maxWait = 1000

/**
 * Returns a function that runs the work after earlier work with the same key has ended, and returns its result. It saves the
 * writers of one process most failed compare-and-swaps. No rule depends on it: other processes do not queue, and after the
 * maximum wait the work runs in any case.
 */
export function keyedQueue() {
  /** The last work that was queued for each key. */
  const queued = new Map<string, Promise<unknown>>()

  return async <T>(key: string, work: () => Promise<T>): Promise<T> => {
    const previous = queued.get(key)
    const running = (async () => {
      // A failure of the previous work is reported to its caller alone.
      if (previous) await within(maxWait, () => previous).catch(() => {})
      return work()
    })()
    queued.set(key, running)
    try {
      return await running
    } finally {
      if (queued.get(key) === running) queued.delete(key)
    }
  }
}

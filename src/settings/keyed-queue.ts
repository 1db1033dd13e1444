// Queues the writers of one row within this process.
import { within } from '../core/deadline.ts'

/** Maximum wait in milliseconds. */
const maxWait = 1000

/**
 * Saves the writers of one process most failed compare-and-swaps. No rule depends on it: other processes do not queue, and
 * after the maximum wait the work runs in any case.
 */
export function keyedQueue() {
  const last = new Map<string, Promise<unknown>>()

  return async <T>(key: string, work: () => Promise<T>): Promise<T> => {
    const before = last.get(key)
    const turn = (async () => {
      if (before) await within(maxWait, () => before).catch(() => {})
      return work()
    })()
    last.set(key, turn)
    try {
      return await turn
    } finally {
      if (last.get(key) === turn) last.delete(key)
    }
  }
}

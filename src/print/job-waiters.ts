// Lets requests wait until a print job has ended: they continue at once if it ends in this process, otherwise within a second.
import { startContext } from '../core/deadline.ts'

export interface WaiterServices {
  /** Which of the jobs have ended or were deleted; called once a second while there are waiters. */
  ended: (ids: number[]) => Promise<number[]>
  /** Maximum number of waiters; further ones do not wait. */
  max?: number
  interval?: number
}

/** The waiters of one context. */
export function jobWaiters({ ended, max = 100, interval = 1000 }: WaiterServices) {
  /** Functions that release the waiters of each job. */
  const waiting = new Map<number, Set<() => void>>()
  let count = 0
  let timer: NodeJS.Timeout | undefined
  let isPolling = false
  let isStopped = false

  function wake(id: number): void {
    for (const release of waiting.get(id) ?? []) release()
  }

  const inStartContext = startContext()

  async function pollOnce(): Promise<void> {
    // Polls do not overlap when the database is slow.
    if (isPolling || waiting.size === 0) return
    isPolling = true
    try {
      for (const id of await ended([...waiting.keys()])) wake(id)
    } catch {
      // The next poll may succeed; each waiter has its own deadline.
    } finally {
      isPolling = false
    }
  }

  const poll = () => inStartContext(pollOnce)

  return {
    /**
     * Waits until the job has ended, `milliseconds` have passed, or `signal` aborts; holds no connection meanwhile.
     * Returns at once if the server stops or there are too many waiters.
     */
    async wait(id: number, milliseconds: number, signal: AbortSignal): Promise<void> {
      if (isStopped || signal.aborted || milliseconds <= 0 || count >= max) return
      const { promise, resolve } = Promise.withResolvers<void>()
      const release = () => resolve()
      const releases = waiting.get(id) ?? new Set()
      waiting.set(id, releases.add(release))
      count++
      timer ??= setInterval(poll, interval)
      const limit = setTimeout(release, milliseconds)
      signal.addEventListener('abort', release)
      // It may have ended since the last poll.
      void poll()
      await promise
      signal.removeEventListener('abort', release)
      clearTimeout(limit)
      count--
      releases.delete(release)
      if (releases.size === 0) waiting.delete(id)
      if (count === 0) {
        clearInterval(timer)
        timer = undefined
      }
    },

    wake,

    /** Releases all waiters, permanently. */
    stop(): void {
      isStopped = true
      for (const id of waiting.keys()) wake(id)
    },
  }
}

export type JobWaiters = ReturnType<typeof jobWaiters>

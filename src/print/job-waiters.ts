// Requests that wait until a print job has ended: woken at once by this process, within a second by any other.
import { AsyncLocalStorage } from 'node:async_hooks'

export interface WaiterServices {
  /** Those of the jobs that have ended or were deleted; called once a second while there are waiters. */
  ended: (ids: number[]) => Promise<number[]>
  /** Maximum number of waiters; further ones do not wait. */
  most?: number
  /** Milliseconds between two looks. */
  interval?: number
}

export function jobWaiters({ ended, most = 100, interval = 1000 }: WaiterServices) {
  /** Functions that release the waiters of each job. */
  const waiting = new Map<number, Set<() => void>>()
  let count = 0
  let timer: NodeJS.Timeout | undefined
  let isLooking = false
  let isStopped = false

  function wake(id: number): void {
    for (const letGo of waiting.get(id) ?? []) letGo()
  }

  /** Not in the context of the request that happens to start the clock. */
  const look = AsyncLocalStorage.bind(async (): Promise<void> => {
    // A slow database is not asked twice at once.
    if (isLooking || waiting.size === 0) return
    isLooking = true
    try {
      for (const id of await ended([...waiting.keys()])) wake(id)
    } catch {
      // The next look may find out; who waits has a deadline of his own.
    } finally {
      isLooking = false
    }
  })

  return {
    /**
     * Waits until the job has ended, or for so many milliseconds, or until `signal` aborts; holds nothing meanwhile.
     * Returns at once when the server stops, or too many wait.
     */
    async wait(id: number, milliseconds: number, signal: AbortSignal): Promise<void> {
      if (isStopped || signal.aborted || milliseconds <= 0 || count >= most) return
      const { promise, resolve } = Promise.withResolvers<void>()
      const letGo = () => resolve()
      const mine = waiting.get(id) ?? new Set()
      waiting.set(id, mine.add(letGo))
      count++
      timer ??= setInterval(look, interval)
      const limit = setTimeout(letGo, milliseconds)
      signal.addEventListener('abort', letGo)
      // It may have ended between the last look at it and now.
      void look()
      await promise
      signal.removeEventListener('abort', letGo)
      clearTimeout(limit)
      count--
      mine.delete(letGo)
      if (mine.size === 0) waiting.delete(id)
      if (count === 0) {
        clearInterval(timer)
        timer = undefined
      }
    },

    /** Releases all waiters of this job. */
    wake,

    /** Releases all waiters, permanently. */
    stop(): void {
      isStopped = true
      for (const id of waiting.keys()) wake(id)
    },
  }
}

export type JobWaiters = ReturnType<typeof jobWaiters>

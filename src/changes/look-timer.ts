// Decides when a delivery loop looks for due events: at intervals and on request, one look at a time, with pauses in between.
import { withoutDeadline } from '../core/deadline.ts'

/** Milliseconds between two looks for events of other processes and for retries. */
const interval = 2000
/** After a look, this many times its duration pass until the next one: a long queue must not keep the database busy. */
const pauseFactor = 5

/** Starts the polling; see `schedule` for looks on request. @param look never rejects */
export function lookTimer(look: () => Promise<void>) {
  let isStopped = false
  let running: Promise<void> | undefined
  /** Whether another look was requested while one runs. */
  let isRequested = false
  /** The timer of the next look, which begins at `earliest` or later. */
  let scheduled: NodeJS.Timeout | undefined
  let earliest = 0

  async function run(): Promise<void> {
    const startedAt = performance.now()
    await look()
    const now = performance.now()
    earliest = now + pauseFactor * (now - startedAt)
    running = undefined
    if (isRequested) schedule(0)
    isRequested = false
  }

  function start(): void {
    scheduled = undefined
    if (!isStopped) running = withoutDeadline(run)
  }

  function schedule(milliseconds: number): void {
    if (isStopped) return
    if (running) isRequested = true
    else {
      const pause = Math.max(milliseconds, earliest - performance.now())
      scheduled ??= withoutDeadline(() => setTimeout(start, pause).unref())
    }
  }

  const polling = setInterval(() => schedule(0), interval).unref()

  return {
    /** Looks in so many milliseconds at the earliest; once, however often it is called until then. */
    schedule,

    /** No look begins after this. */
    stop(): void {
      isStopped = true
      clearInterval(polling)
      clearTimeout(scheduled)
    },

    /** Resolves when no look runs. */
    async ended(): Promise<void> {
      await running
    },
  }
}

// The loop of automatic printing: runs work one at a time, and once more if that was requested meanwhile.
import { reportingAs } from '../core/change.ts'
import { outsideRequests } from '../core/deadline.ts'

/**
 * @param work one run
 * @param warn logs the first of consecutive runs that fail
 */
export function autoPrintLoop(work: () => Promise<void>, warn: (details: object, message: string) => void) {
  let isStopped = false
  /** Whether the last run failed. */
  let isFailing = false
  /** Whether another run was requested while one runs. */
  let isRequested = false
  let running: Promise<void> | undefined

  /** Never rejects. */
  async function runAll(): Promise<void> {
    do {
      isRequested = false
      try {
        await reportingAs('auto_print', work)
        isFailing = false
      } catch (error) {
        if (!isFailing && !isStopped) warn({ err: error }, 'Orders could not be printed automatically.')
        isFailing = true
      }
    } while (isRequested && !isStopped)
    running = undefined
  }

  return {
    /** Begins a run; if one runs, another one follows it. */
    run(): void {
      if (isStopped) return
      if (running) isRequested = true
      else running = outsideRequests(runAll)
    },

    /** No run begins after this. */
    stop(): void {
      isStopped = true
    },

    isStopped: () => isStopped,

    /** Resolves when no run is requested or running. */
    async ended(): Promise<void> {
      await running
    },
  }
}

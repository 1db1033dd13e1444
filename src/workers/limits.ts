// What one job in a child process may take, and how a job fails whose child had to end.

export interface Limits {
  /** By the clock, with the time that the child takes to start. */
  seconds: number
  /** CPU time of the job, so that a busy machine fails no good one. Default: as many seconds as by the clock. */
  cpuSeconds?: number
  /** Resident memory of the whole child. */
  megabytes: number
}

/** Why the child ended: the limit it exceeded, a crash of its own, or anything that was not the job's fault. */
type Reason = 'time' | 'memory' | 'crashed' | 'interrupted'

/** The child ended without a result. What it wrote is only for the log. */
export class JobEnded extends Error {
  override readonly name = 'JobEnded'
  readonly reason: Reason

  constructor(reason: Reason, written = '') {
    super(`The child process ended (${reason}). ${written}`.trim())
    this.reason = reason
  }
}

/** A line that a child writes before it ends itself: the limit that it exceeded. */
export const limitLine = 'svc-api limit: '

/** Signals of faults in native code; V8 ends in one of them when its heap is full. */
const faults = new Set(['SIGSEGV', 'SIGBUS', 'SIGILL', 'SIGABRT', 'SIGFPE', 'SIGTRAP', 'SIGSYS'])

/** @param written the end of the child's error output */
export function reasonOf(signal: NodeJS.Signals | null, written: string): Reason {
  if (written.includes(`${limitLine}time`)) return 'time'
  if (written.includes(`${limitLine}memory`) || written.includes('heap out of memory')) return 'memory'
  return signal !== null && faults.has(signal) ? 'crashed' : 'interrupted'
}

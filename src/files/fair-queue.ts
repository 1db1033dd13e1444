// Lets a fixed number of jobs run at once. Who has used the least time is next, so that a client whose files are slow waits
// behind its own and not before those of others.
import { FileCheckFailed } from './rejected.ts'

/** Runs the job when it is its client's turn; jobs without a client share one. */
export type FairQueue = <T>(job: () => Promise<T>, client?: string) => Promise<T>

interface Waiting {
  start(): void
  fail(error: Error): void
}

/**
 * `places` jobs run at once, at most `longest` wait; of more, the newest of the client with the most waiting jobs fails with
 * FileCheckFailed at once instead of piling up.
 */
export function fairQueue(concurrency: number, maxWaiting = 500): FairQueue {
  let free = concurrency
  let length = 0
  const waiting = new Map<string, Waiting[]>()
  /** Milliseconds by client. One who comes anew begins where those who wait are, and not with an advantage. */
  const used = new Map<string, number>()
  let clock = 0

  const usedBy = (client: string) => Math.max(used.get(client) ?? 0, clock)

  /** The client of whom `measure` is smallest, the one who came first among equals. */
  const clientWithLeast = (measure: (client: string, jobs: Waiting[]) => number) => {
    let found: string | undefined
    let smallest = Number.POSITIVE_INFINITY
    for (const [client, jobs] of waiting) {
      const size = measure(client, jobs)
      if (size < smallest) [found, smallest] = [client, size]
    }
    return found
  }

  const take = (client: string | undefined, from: 'first' | 'last'): Waiting | undefined => {
    const jobs = waiting.get(client ?? '') ?? []
    const job = from === 'first' ? jobs.shift() : jobs.pop()
    if (jobs.length === 0) waiting.delete(client ?? '')
    if (job) length--
    return job
  }

  const enter = async (client: string) => {
    if (free > 0) {
      free--
      return
    }
    await new Promise<void>((start, fail) => {
      const jobs = waiting.get(client) ?? []
      jobs.push({ start, fail })
      waiting.set(client, jobs)
      length++
      if (length <= maxWaiting) return
      const job = take(
        clientWithLeast((_, { length }) => -length),
        'last',
      )
      job?.fail(new FileCheckFailed('Too many uploaded files wait to be checked.'))
    })
  }

  // A leaving job hands its place to the next in line, so that a newcomer cannot slip in between.
  const leave = (client: string, milliseconds: number) => {
    used.set(client, usedBy(client) + milliseconds)
    const next = clientWithLeast(usedBy)
    if (next !== undefined) clock = usedBy(next)
    const job = take(next, 'first')
    if (job) job.start()
    else if (++free === concurrency) used.clear()
    for (const [each, time] of used) if (time <= clock && !waiting.has(each)) used.delete(each)
    if (used.size === 0) clock = 0
  }

  return async (job, client = '') => {
    await enter(client)
    const start = performance.now()
    try {
      return await job()
    } finally {
      leave(client, performance.now() - start)
    }
  }
}

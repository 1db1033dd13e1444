// Limits how many jobs run at once. The client that has used the least time is next, so that slow files delay only the
// client that sent them.
import { tryAgain } from '../core/unavailable.ts'

/** Runs the job when it is its client's turn. Jobs without a client share one turn. */
type FairQueue = <T>(job: () => Promise<T>, client?: string) => Promise<T>

interface Waiting {
  start(): void
  fail(error: Error): void
}

/**
 * Creates a queue that runs `concurrency` jobs at once and lets `maxWaiting` jobs wait. If one more arrives, the newest job of
 * the client with the most waiting jobs fails with 503.
 */
export function fairQueue(concurrency: number, maxWaiting = 500): FairQueue {
  let free = concurrency
  let length = 0
  const waiting = new Map<string, Waiting[]>()
  /** Milliseconds by client. A new client starts level with those waiting, without an advantage over them. */
  const used = new Map<string, number>()
  let clock = 0

  const usedBy = (client: string) => Math.max(used.get(client) ?? 0, clock)

  /** The client with the smallest `measure`; among equals the one that came first. */
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
      const longest = clientWithLeast((_, { length }) => -length)
      take(longest, 'last')?.fail(tooMany())
    })
  }

  // A finished job hands its slot to the next one in the queue, so that a new job cannot overtake it.
  const leave = (client: string, milliseconds: number) => {
    used.set(client, usedBy(client) + milliseconds)
    const next = clientWithLeast(usedBy)
    if (next !== undefined) clock = usedBy(next)
    const job = take(next, 'first')
    if (job) job.start()
    else if (++free === concurrency) used.clear()
    for (const [usedClient, time] of used) if (time <= clock) used.delete(usedClient)
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

const tooMany = () =>
  tryAgain({ reason: 'uploads', message: 'Too many uploaded files are waiting to be checked.', seconds: 2 })

// Limits how many jobs run at once. A free place goes to the client that has used the least time, so that slow files delay only the
// client that sent them.
import { tryAgain } from '../core/unavailable.ts'

/** Runs the job once it has a place. Jobs without a client count as jobs of one client. */
type FairQueue = <T>(job: () => Promise<T>, client?: string) => Promise<T>

interface WaitingJob {
  start(): void
  fail(error: Error): void
}

/**
 * Creates a queue that runs `concurrency` jobs at once and lets `maxWaiting` jobs wait. If one more arrives, the newest job of
 * the client with the most waiting jobs fails with 503, whose message is about uploads: the queue of the renderer has no limit.
 */
export function fairQueue(concurrency: number, maxWaiting = 500): FairQueue {
  let freePlaces = concurrency
  const waiting = new WaitingJobs()
  const times = new UsedTimes()

  const enter = async (client: string) => {
    if (freePlaces > 0) {
      freePlaces--
      return
    }
    await new Promise<void>((start, fail) => {
      waiting.add(client, { start, fail })
      if (waiting.length <= maxWaiting) return
      const busiest = waiting.clientWithLeast((_, { length }) => -length)
      waiting.take(busiest, 'last')?.fail(tooMany())
    })
  }

  // A finished job hands its place to the next one in the queue, so that a new job cannot overtake it.
  const leave = (client: string, milliseconds: number) => {
    times.add(client, milliseconds)
    const next = waiting.clientWithLeast((waitingClient) => times.of(waitingClient))
    if (next !== undefined) times.advanceTo(next)
    const job = waiting.take(next, 'first')
    if (job) job.start()
    else if (++freePlaces === concurrency) times.clear()
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

/** The waiting jobs of each client, in the order of their arrival. */
class WaitingJobs {
  length = 0
  readonly #byClient = new Map<string, WaitingJob[]>()

  add(client: string, job: WaitingJob): void {
    const jobs = this.#byClient.get(client) ?? []
    jobs.push(job)
    this.#byClient.set(client, jobs)
    this.length++
  }

  /** Removes and returns a job of the client; undefined if none waits. */
  take(client: string | undefined, position: 'first' | 'last'): WaitingJob | undefined {
    const jobs = this.#byClient.get(client ?? '') ?? []
    const job = position === 'first' ? jobs.shift() : jobs.pop()
    if (jobs.length === 0) this.#byClient.delete(client ?? '')
    if (job) this.length--
    return job
  }

  /** The waiting client with the smallest `measure`; among equals the one that came first; undefined if none waits. */
  clientWithLeast(measure: (client: string, jobs: readonly WaitingJob[]) => number): string | undefined {
    let least: string | undefined
    let smallest = Number.POSITIVE_INFINITY
    for (const [client, jobs] of this.#byClient) {
      const size = measure(client, jobs)
      if (size < smallest) [least, smallest] = [client, size]
    }
    return least
  }
}

/**
 * The milliseconds that each client has used, on a virtual clock as in start-time fair queueing: the clock stands at the time of
 * the client that was served last, and a client that is new or was idle starts there, without an advantage over those waiting.
 */
class UsedTimes {
  #clock = 0
  readonly #byClient = new Map<string, number>()

  of(client: string): number {
    return Math.max(this.#byClient.get(client) ?? 0, this.#clock)
  }

  add(client: string, milliseconds: number): void {
    this.#byClient.set(client, this.of(client) + milliseconds)
    this.#forgetOvertaken()
  }

  /** Moves the clock to the time of the client that is served next. */
  advanceTo(client: string): void {
    this.#clock = this.of(client)
    this.#forgetOvertaken()
  }

  /** Forgets all clients; called when no job runs or waits. */
  clear(): void {
    this.#byClient.clear()
  }

  /** Clients behind the clock are level with new ones. */
  #forgetOvertaken(): void {
    for (const [client, time] of this.#byClient) if (time <= this.#clock) this.#byClient.delete(client)
  }
}

const tooMany = () =>
  tryAgain({ reason: 'uploads', message: 'Too many uploaded files are waiting to be checked.', seconds: 2 })

// The deadline of a request, shared by everything that the request waits for; and the scope of a request, in which it travels: state
// that all code working for the request can read (AsyncLocalStorage), which is the deadline and the author, and nothing else.
// Three functions leave it: `withoutDeadline` for work of the request's author that continues after the response; `outsideRequests` for
// work of this program or the host, which has neither; `startContext` for the work of print jobs, which in addition must not see what
// the host stores in AsyncLocalStorage for its request, such as a transaction.
import { AsyncLocalStorage } from 'node:async_hooks'

/** Milliseconds for the two phases of a request; including network time, less than ten seconds in total. */
export const requestTime = { gate: 3500, handler: 6000 }

/** Milliseconds of an upload, in addition to the handler's time: to receive its bytes, and to check them or wait for that. */
export const uploadTime = { receive: 60_000, check: 60_000 }

/** Milliseconds to push a file to a remote storage: the least, and the most. */
export const pushTime = { least: 15_000, most: 60_000 }

/** Milliseconds in which a remote storage must have taken so many bytes: `pushTime.least` and their time at 128 KiB/s. */
export const takingTimeOf = (bytes: number): number => pushTime.least + Math.ceil(bytes / 131.072)

/** Milliseconds that pushing so many bytes may take within a request: `takingTimeOf`, at most `pushTime.most`. */
export const pushTimeOf = (bytes: number): number => Math.min(pushTime.most, takingTimeOf(bytes))

/** The deadline of a request has passed. */
export class DeadlineExceeded extends Error {
  override readonly name = 'DeadlineExceeded'
  /** Whether a COMMIT was waiting for its result then, so that the write may have been saved. */
  readonly isOutcomeOpen: boolean

  constructor({ isOutcomeOpen = false } = {}) {
    super('The deadline of the request has passed.')
    this.isOutcomeOpen = isOutcomeOpen
  }
}

interface Deadline {
  /** As `performance.now()`. */
  endsAt: number
  /** Number of writes whose COMMIT waits for its result at the moment. */
  openOutcomes: number
}

/** The state of a request. `core/change.ts` adds the author to it by declaration merging. */
export interface RequestScope {
  deadline?: Deadline | undefined
}

const scopes = new AsyncLocalStorage<Readonly<RequestScope>>()

const emptyScope: RequestScope = {}

/** The scope of the request that the caller works for; empty outside of requests. */
export const requestScope = (): Readonly<RequestScope> => scopes.getStore() ?? emptyScope

/** Runs `work` with other properties of the scope. */
export const withScope = <T>(properties: RequestScope, work: () => T): T =>
  scopes.run({ ...scopes.getStore(), ...properties }, work)

/** Runs `work` outside of any request: no deadline, no author. What the host stores in AsyncLocalStorage stays. */
export const outsideRequests = <T>(work: () => T): T => scopes.exit(work)

/**
 * Returns a function that runs work in the context of this call: that of the start of a server, which has no deadline, no author, and
 * nothing that the host stores in AsyncLocalStorage for a later request.
 */
export const startContext = (): (<T>(work: () => T) => T) => AsyncLocalStorage.snapshot()

/** Milliseconds that a wait of at most `maxMilliseconds` may take; 0 after the deadline. Outside a request it is `maxMilliseconds`. */
export function timeLeft(maxMilliseconds: number): number {
  const { deadline } = requestScope()
  return deadline === undefined
    ? maxMilliseconds
    : Math.max(0, Math.min(maxMilliseconds, Math.floor(deadline.endsAt - performance.now())))
}

/** @throws DeadlineExceeded after the deadline, so that work that nobody waits for has no effect */
export function assertInTime(): void {
  if (timeLeft(1) === 0) throw new DeadlineExceeded()
}

/**
 * Runs `work` with a deadline in `budget` milliseconds.
 * @throws DeadlineExceeded when it passes; does not wait for `work` any longer
 */
export function within<T>(budget: number, work: () => Promise<T>): Promise<T> {
  const deadline: Deadline = { endsAt: performance.now() + budget, openOutcomes: 0 }
  return withScope({ deadline }, () => {
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    const fail = () => reject(new DeadlineExceeded({ isOutcomeOpen: deadline.openOutcomes > 0 }))
    const timer = setTimeout(fail, budget)
    // If `work` throws at once, the timer must not reject what nobody waits for.
    void (async () => work())()
      .then(resolve, reject)
      .finally(() => clearTimeout(timer))
    return promise
  })
}

/** Runs `work` that commits a write, or finds out whether it was saved. If the deadline passes meanwhile, `within` throws `isOutcomeOpen`. */
export async function withOpenOutcome<T>(work: () => Promise<T>): Promise<T> {
  const { deadline } = requestScope()
  if (!deadline) return work()
  deadline.openOutcomes++
  try {
    return await work()
  } finally {
    deadline.openOutcomes--
  }
}

/** Runs `work` without the deadline of the request that starts it, and with its author. */
export function withoutDeadline<T>(work: () => T): T {
  return withScope({ deadline: undefined }, work)
}

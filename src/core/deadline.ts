// One deadline per request, shared by everything that the request waits for.
import { requestScope, withScope } from './request-scope.ts'

/** Milliseconds for the two phases of a request; including network time, less than ten seconds in total. */
export const requestTime = { gate: 3500, handler: 6000 }

/** Milliseconds of an upload, in addition to the handler's time: to receive its bytes, and to check them or wait for that. */
export const uploadTime = { receive: 60_000, check: 60_000 }

/** Milliseconds to push a file to a remote storage: at least and at most; between them its size at 128 KiB/s decides. */
export const pushTime = { least: 15_000, most: 60_000 }

/** Milliseconds that pushing so many bytes may take. */
export const pushTimeOf = (bytes: number): number =>
  Math.min(pushTime.most, pushTime.least + Math.ceil(bytes / 131.072))

/** The deadline of a request has passed. */
export class DeadlineExceeded extends Error {
  override readonly name = 'DeadlineExceeded'
  /** Whether a write was being ended then, which may have been saved. */
  readonly isOpen: boolean

  constructor(isOpen = false) {
    super('The deadline of the request has passed.')
    this.isOpen = isOpen
  }
}

interface Deadline {
  at: number
  /** Writes that are being ended at the moment. */
  open: number
}

declare module './request-scope.ts' {
  interface RequestScope {
    deadline?: Deadline | undefined
  }
}

/** Milliseconds that a wait of at most `maxMilliseconds` may take; 0 after the deadline. Outside a request it is `maxMilliseconds`. */
export function timeLeft(maxMilliseconds: number): number {
  const { deadline } = requestScope()
  return deadline === undefined
    ? maxMilliseconds
    : Math.max(0, Math.min(maxMilliseconds, Math.floor(deadline.at - performance.now())))
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
  const deadline: Deadline = { at: performance.now() + budget, open: 0 }
  return withScope({ deadline }, () => {
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    const timer = setTimeout(() => reject(new DeadlineExceeded(deadline.open > 0)), budget)
    // If `work` throws at once, the timer must not reject what nobody waits for.
    void (async () => work())()
      .then(resolve, reject)
      .finally(() => clearTimeout(timer))
    return promise
  })
}

/** Runs `work` that ends a write: if the deadline passes meanwhile, nobody knows whether it is saved. */
export async function ending<T>(work: () => Promise<T>): Promise<T> {
  const { deadline } = requestScope()
  if (!deadline) return work()
  deadline.open++
  try {
    return await work()
  } finally {
    deadline.open--
  }
}

/** Runs `work` without the deadline of the request that starts it. */
export function outsideRequest<T>(work: () => T): T {
  return withScope({ deadline: undefined }, work)
}

// One step of print work with one deadline: nothing that it waits for can outlive that, whether it hears of it or not.

/** Milliseconds for a step to release its resources after its signal aborts. */
const grace = 1000

/** The longest wait that a timer knows. */
const longest = 2 ** 31 - 1

/** The work of a step did not end when its time was up; the cause is why it should have. */
export class LeftBehind extends Error {
  override readonly name = 'LeftBehind'
}

export interface StepLimits<T> {
  milliseconds: number
  /** Ends the step before its time. */
  stop: AbortSignal
  /** Gets what work that was left behind still brought, so that nothing stays of it. */
  late?: ((result: T) => unknown) | undefined
}

/**
 * Runs `work`, whose signal aborts when the time is up or `stop` aborts. Work that does not end within a second from
 * then on is left behind.
 * @throws LeftBehind, or what `work` throws
 */
export async function step<T>(
  { milliseconds, stop, late }: StepLimits<T>,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const ending = new AbortController()
  const { promise: leftBehind, reject } = Promise.withResolvers<never>()
  const timers: NodeJS.Timeout[] = []
  let isLate = false
  const leave = () => {
    isLate = true
    reject(new LeftBehind('The work did not end in time.', { cause: ending.signal.reason }))
  }
  const end = (reason: unknown) => {
    if (ending.signal.aborted) return
    ending.abort(reason)
    timers.push(setTimeout(leave, grace))
  }
  const stopped = () => end(stop.reason)
  stop.addEventListener('abort', stopped)
  timers.push(setTimeout(end, Math.min(milliseconds, longest), new Error('The step took too long.')))
  if (stop.aborted) stopped()
  const result = work(ending.signal)
  result.then((value) => isLate && late?.(value)).catch(() => {})
  try {
    return await Promise.race([result, leftBehind])
  } finally {
    stop.removeEventListener('abort', stopped)
    for (const timer of timers) clearTimeout(timer)
  }
}

/** The promise's outcome, or the signal's reason as soon as it aborts. */
export async function until<T>(signal: AbortSignal, promise: Promise<T>): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const abort = () => reject(signal.reason)
  if (signal.aborted) abort()
  signal.addEventListener('abort', abort)
  try {
    return await Promise.race([promise, aborted])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}

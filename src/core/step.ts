// One step of print work with one deadline, which holds for everything it waits for, even if it ignores the signal.

/** Milliseconds for a step to release its resources after its signal aborts. */
const grace = 1000

/** Maximum delay of a timer in milliseconds. */
const maxDelay = 2 ** 31 - 1

/** The work of a step did not end after its signal aborted; the cause is the reason of the abort. */
export class Abandoned extends Error {
  override readonly name = 'Abandoned'
}

interface StepLimits<T> {
  milliseconds: number
  /** Ends the step early. */
  stop: AbortSignal
  /** Receives the result of abandoned work, for cleanup. */
  late?: ((result: T) => unknown) | undefined
}

/**
 * Runs `work`, whose signal aborts when the time is up or `stop` aborts. Work that does not end within another
 * second is abandoned.
 * @throws Abandoned, or what `work` throws
 */
export async function step<T>(
  { milliseconds, stop, late }: StepLimits<T>,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const ending = new AbortController()
  const { promise: abandoned, reject } = Promise.withResolvers<never>()
  const timers: NodeJS.Timeout[] = []
  let isLate = false
  const abandon = () => {
    isLate = true
    reject(new Abandoned('The work did not end in time.', { cause: ending.signal.reason }))
  }
  const end = (reason: unknown) => {
    if (ending.signal.aborted) return
    ending.abort(reason)
    timers.push(setTimeout(abandon, grace))
  }
  const stopped = () => end(stop.reason)
  stop.addEventListener('abort', stopped)
  timers.push(setTimeout(end, Math.min(milliseconds, maxDelay), new Error('The step took too long.')))
  if (stop.aborted) stopped()
  // If `work` throws at once, the timers must not reject what nobody waits for.
  const result = (async () => work(ending.signal))()
  result.then((value) => isLate && late?.(value)).catch(() => {})
  try {
    return await Promise.race([result, abandoned])
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

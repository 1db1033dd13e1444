// Runs a step of work for another server (a print file, a webhook) with a time limit, which holds even if the work ignores its abort
// signal.

/** Milliseconds for a step to release its resources after its signal aborts. */
const grace = 1000

/** Maximum delay of a timer in milliseconds. */
const maxDelay = 2 ** 31 - 1

/** The work of a step did not end after its signal aborted; the cause is the reason of the abort. */
export class Abandoned extends Error {
  override readonly name = 'Abandoned'
}

interface StepLimits<T> {
  /** Time limit of the work. */
  milliseconds: number
  /** Ends the step early. */
  stop: AbortSignal
  /** Called with the result of abandoned work when that ends after all, for cleanup. */
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
  const controller = new AbortController()
  const { promise: abandoned, reject } = Promise.withResolvers<never>()
  const timers: NodeJS.Timeout[] = []
  let isAbandoned = false
  const abandon = () => {
    isAbandoned = true
    reject(new Abandoned('The work did not end in time.', { cause: controller.signal.reason }))
  }
  const abort = (reason: unknown) => {
    if (controller.signal.aborted) return
    controller.abort(reason)
    timers.push(setTimeout(abandon, grace))
  }
  const onStop = () => abort(stop.reason)
  stop.addEventListener('abort', onStop)
  timers.push(setTimeout(abort, Math.min(milliseconds, maxDelay), new Error('The step took too long.')))
  if (stop.aborted) onStop()
  // An async function, so that `work` cannot throw before the timers are cleared below.
  const result = (async () => work(controller.signal))()
  result.then((value) => isAbandoned && late?.(value)).catch(() => {})
  try {
    return await Promise.race([result, abandoned])
  } finally {
    stop.removeEventListener('abort', onStop)
    for (const timer of timers) clearTimeout(timer)
  }
}

/** Waits for the promise, but throws the reason of the signal as soon as it aborts. */
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

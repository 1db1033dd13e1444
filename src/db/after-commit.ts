// Calls listeners of the host after COMMIT. They get limited time, and have no effect on the response if they fail.
import { outsideRequests, timeLeft } from '../core/deadline.ts'

/** Maximum wait for a listener in milliseconds. */
const listenerTime = 2000
/** Milliseconds before the deadline of a request that are reserved for its response. */
const reserve = 1500

/** A listener of the host, such as `onOptionsChanged`. It may be async; its return value is ignored. */
export type Listener<T> = (change: T) => unknown

/** Reports that a listener failed, or took too long. It gets the message for the log, and what the listener threw. */
export type ListenerFailed = (message: string, error?: unknown) => void

/**
 * Calls the listener and resolves when it ends, after `listenerTime` at the latest, or earlier if the deadline of the request comes
 * first; never rejects. Call it after COMMIT and outside of transactions. The listener runs without the scope of the request, so without its deadline.
 * @param name of the option that contains the listener, for messages
 */
export async function notifyListener<T>(
  name: string,
  listener: Listener<T> | undefined,
  change: T,
  failed: ListenerFailed,
): Promise<void> {
  if (!listener) return
  const time = Math.max(0, timeLeft(listenerTime + reserve) - reserve)
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(() => {
    failed(`The listener ${name} did not finish within ${time} ms and is no longer waited for.`)
    resolve()
  }, time)
  outsideRequests(async () => listener(change))
    .catch((error: unknown) => failed(`The listener ${name} failed.`, error))
    .finally(() => {
      clearTimeout(timer)
      resolve()
    })
  await promise
}

/** Reports by a process warning, for functions without a log. */
export const warnListenerFailed: ListenerFailed = (message, error) =>
  process.emitWarning(error === undefined ? message : `${message} ${error}`, 'SvcApiWarning')

// Tells the listeners of a host what was committed: they may take a moment, and whatever they do harms nothing.
import { outsideRequest, timeLeft } from '../deadline.ts'
import { beforeCommit } from './transaction.ts'

/** Milliseconds that a listener is waited for. */
export const listenerTime = 2000
/** Milliseconds of a request's time that are kept for its response. */
const reserve = 1500

/** May be async; what it gives back is of no interest. */
export type Listener<T> = (change: T) => unknown

/** Takes the sentence for the log, and what the listener threw. */
export type ListenerFailed = (message: string, error?: unknown) => void

/**
 * Calls the listener and resolves when it is done, but after `listenerTime` at the latest; never rejects. To be called after
 * the commit and outside of transactions. What the listener does belongs neither to the request's time nor to its writes.
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
    failed(`The listener ${name} did not finish within ${time} ms; nobody waits for it any more.`)
    resolve()
  }, time)
  beforeCommit
    .exit(() => outsideRequest(async () => listener(change)))
    .catch((error: unknown) => failed(`The listener ${name} failed.`, error))
    .finally(() => {
      clearTimeout(timer)
      resolve()
    })
  await promise
}

/** For functions without a log of their own. */
export const warnListenerFailed: ListenerFailed = (message, error) =>
  process.emitWarning(error === undefined ? message : `${message} ${error}`, 'SvcApiWarning')

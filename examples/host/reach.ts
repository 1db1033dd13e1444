// Waits for a database that is still starting, since a host and its database are often started together.
import { setTimeout as delay } from 'node:timers/promises'

interface Wait {
  /** The maximum wait in seconds. */
  seconds: number
  /** The server, for messages. */
  place: string
  /** Aborts the wait. */
  signal: AbortSignal
  /** Called when the wait begins and every ten seconds, with the remaining seconds. */
  say: (secondsLeft: number) => void
}

/** The library's code for an error that may go away on retry. */
const notNow = 'svc_unavailable'
const pause = 500

/**
 * Retries until the database responds in any way; whether the response is good is for startup to decide.
 * @throws the signal's reason, or after `seconds` the last error
 */
export async function reach(
  attempt: () => Promise<unknown>,
  { seconds, place, signal, say }: Wait,
): Promise<void> {
  const end = AbortSignal.timeout(seconds * 1000)
  const begun = performance.now()
  let nextWord = 0
  for (;;) {
    const error = await within(attempt, place, AbortSignal.any([signal, end]))
    signal.throwIfAborted()
    if (Reflect.get(Object(error), 'code') !== notNow) return
    if (end.aborted) throw error
    const waited = (performance.now() - begun) / 1000
    if (waited >= nextWord) {
      say(Math.max(0, Math.round(seconds - waited)))
      nextWord += 10
    }
    await delay(pause, undefined, { signal: AbortSignal.any([signal, end]) }).catch(() => {})
  }
}

/** The error of an attempt, or undefined on success. An attempt that outlives the signal counts as failed. */
async function within(attempt: () => Promise<unknown>, place: string, signal: AbortSignal): Promise<unknown> {
  const { promise, resolve } = Promise.withResolvers<unknown>()
  const late = () =>
    resolve(Object.assign(new Error(`database: the server ${place} cannot be reached.`), { code: notNow }))
  signal.addEventListener('abort', late, { once: true })
  if (signal.aborted) late()
  attempt().then(() => resolve(undefined), resolve)
  try {
    return await promise
  } finally {
    signal.removeEventListener('abort', late)
  }
}

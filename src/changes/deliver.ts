// Sends one event to its endpoint: signed, within its time, and without following redirects.
import type { IncomingMessage } from 'node:http'
import { step } from '../core/step.ts'
import { outboundSpans } from '../core/trace.ts'
import { guardedRequest } from '../outbound/guarded-request.ts'
import { signedHeaders } from '../outbound/signature.ts'
import type { Endpoint } from './options.ts'
import type { Delivery } from './outbox.ts'

export type Outcome =
  | { isDelivered: true }
  /** @param retryAfter seconds that the receiver asks to wait */
  | { isDelivered: false; error: string; isGone: boolean; retryAfter: number }

/** What is read of a response's body, in bytes and milliseconds, so that the receiver can finish it. */
const maxBytes = 16 * 1024
const maxTime = 1000

/** Sends the event. Never rejects, except with the reason of `stop`. */
export async function deliver(endpoint: Endpoint, delivery: Delivery, stop: AbortSignal): Promise<Outcome> {
  const { url, secrets, isTrusted, lookup, milliseconds } = endpoint
  const about = { purpose: 'webhook', method: 'POST', origin: url.origin } as const
  try {
    return await outboundSpans.around(about, () =>
      step({ milliseconds, stop }, async (signal) => {
        const { eventId, body } = delivery
        const headers = {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(body),
          'user-agent': 'svc-api',
          ...signedHeaders(eventId, body, secrets),
        }
        const request = { method: 'POST', headers, body, isTrusted, lookup, signal }
        const response = await guardedRequest(url, request)
        await finished(response)
        return outcomeOf(response)
      }),
    )
  } catch (error) {
    stop.throwIfAborted()
    return { isDelivered: false, error: reasonOf(error), isGone: false, retryAfter: 0 }
  }
}

/** Resolves when the body has ended or enough of it was read. */
async function finished(response: IncomingMessage): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, maxTime)
  let size = 0
  response
    .on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size > maxBytes) resolve()
    })
    .on('close', resolve)
    .on('error', () => {})
  await promise
  clearTimeout(timer)
  response.destroy()
}

function outcomeOf({ statusCode = 0, headers }: IncomingMessage): Outcome {
  if (statusCode >= 200 && statusCode < 300) return { isDelivered: true }
  const error = `The receiver responded with ${statusCode}.`
  return {
    isDelivered: false,
    error,
    isGone: statusCode === 410,
    retryAfter: secondsOf(headers['retry-after']),
  }
}

/** Seconds of a Retry-After, which is a number or a date. */
function secondsOf(header: string | undefined): number {
  if (header === undefined) return 0
  if (/^\d{1,9}$/.test(header)) return Number(header)
  const at = Date.parse(header)
  return Number.isNaN(at) ? 0 : Math.max(0, (at - Date.now()) / 1000)
}

/** In few words, without what the receiver may have written. */
function reasonOf(error: unknown): string {
  const { name, code } = Object(error)
  if (name === 'Abandoned') return 'The receiver did not respond in time.'
  if (typeof code === 'string' && code !== 'ABORT_ERR') return `The connection failed (${code}).`
  return error instanceof Error && name !== 'AbortError'
    ? error.message
    : 'The receiver did not respond in time.'
}

// The request that delivers an event to an endpoint, and what its response means.
import type { IncomingMessage } from 'node:http'
import { membersOf } from '../core/foreign.ts'
import { step } from '../core/step.ts'
import { outboundSpans } from '../core/trace.ts'
import { guardedRequest, retryAfterSeconds, systemLookupAll } from '../outbound/guarded-request.ts'
import { signedHeaders } from '../outbound/signature.ts'
import type { Endpoint } from './endpoints.ts'
import type { Delivery } from './outbox.ts'

/** An attempt that the receiver did not accept. */
export interface Failure {
  isDelivered: false
  /** A sentence that contains nothing written by the receiver. */
  error: string
  /** Status 410, RFC 9110 §15.5.11: the endpoint was removed for good. */
  isGone: boolean
  /** Seconds that the receiver asks to wait; 0 without such a request. */
  retryAfter: number
}

type Outcome = { isDelivered: true } | Failure

/** Bytes of a response's body that are read, so that the receiver can finish its response. */
const maxBytes = 16 * 1024
/** Milliseconds for which the body is read. */
const maxTime = 1000

/** Sends an event: signed, within its time, and without following redirects. Never rejects, except with the reason of `stop`. */
export async function sendEvent(endpoint: Endpoint, delivery: Delivery, stop: AbortSignal): Promise<Outcome> {
  const { url, secrets, isTrusted, milliseconds } = endpoint
  const { eventId, body } = delivery
  const span = { purpose: 'webhook', method: 'POST', origin: url.origin } as const
  try {
    return await outboundSpans.around(span, () =>
      step({ milliseconds, stop }, async (signal) => {
        const headers = {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(body),
          'user-agent': 'svc-api',
          ...signedHeaders(eventId, body, secrets),
        }
        const request = { method: 'POST', headers, body, isTrusted, lookup: systemLookupAll, signal }
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

/** Reads the body up to `maxBytes` and `maxTime`, then closes the connection. */
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
  await promise
  clearTimeout(timer)
  response.destroy()
}

function outcomeOf({ statusCode = 0, headers }: IncomingMessage): Outcome {
  if (statusCode >= 200 && statusCode < 300) return { isDelivered: true }
  return {
    isDelivered: false,
    error: `The receiver responded with ${statusCode}.`,
    isGone: statusCode === 410,
    retryAfter: retryAfterSeconds(headers['retry-after'] ?? '') ?? 0,
  }
}

/** The reason of a failure as a sentence that contains nothing written by the receiver. */
function reasonOf(error: unknown): string {
  const { name, code } = membersOf(error)
  if (name === 'Abandoned') return 'The receiver did not respond in time.'
  if (typeof code === 'string' && code !== 'ABORT_ERR') return `The connection failed (${code}).`
  return error instanceof Error && name !== 'AbortError'
    ? error.message
    : 'The receiver did not respond in time.'
}

// Delivers the events of one endpoint: leases those that are due, sends some at a time, and says when to try again.
import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { outsideRequest } from '../core/deadline.ts'
import { step } from '../core/step.ts'
import { outboundSpans } from '../core/trace.ts'
import { guardedRequest, retryAfter, systemLookupAll } from '../outbound/guarded-request.ts'
import { signedHeaders } from '../outbound/signature.ts'
import type { Endpoint } from './options.ts'
import { type Delivery, jittered, type Outbox, pauses, retryTime } from './outbox.ts'

/** Events of one endpoint that this process sends at once. */
const atOnce = 16
/** Milliseconds between two looks for events of other processes and for retries. */
const pollInterval = 2000
/** Milliseconds until the next look, after a commit and after a delivery, so that one look finds several events. */
const afterCommit = 50
const afterDelivery = 5
/** After a look, as many times its duration pass until the next one: a long queue must not keep the database busy. */
const rest = 5
/**
 * Milliseconds between two early attempts of the oldest event that waits: a third of the time for which the endpoint has
 * failed, within these limits, so that a receiver that is back soon gets what waits for it.
 */
export const probing = { least: 15_000, most: 300_000 }
/** Seconds that a lease exceeds the time of a delivery: the clock counts whole seconds, and results must be written. */
const reserve = 5

interface Services {
  endpoint: Endpoint
  outbox: Outbox
  /** Called for what an operator should know. */
  warn: (details: object, message: string) => void
}

/** Begins to deliver with the first kick; `stop` aborts what runs, and `ended` waits until its leases are released. */
export function deliveryLoop({ endpoint, outbox, warn }: Services) {
  const stopping = new AbortController()
  const running = new Set<Promise<void>>()
  const leaseSeconds = Math.ceil(endpoint.milliseconds / 1000) + reserve
  const logDetails = { endpoint: endpoint.url.origin, endpoint_id: endpoint.id }
  let isFailing = false
  /** Time of the last early attempt, as of `performance.now`. */
  let probedAt = performance.now()
  let downSince: number | undefined
  /** Events that failed since the last success. One alone may be an event that the receiver never takes. */
  const failed = new Set<number>()
  let waitUntil = 0
  let polling: Promise<void> | undefined
  let isDue = false
  let isUnreadable = false
  let scheduled: NodeJS.Timeout | undefined
  let earliest = 0

  /** Writes a failure down, and warns where it is news. */
  async function fail(delivery: Delivery, owner: string, outcome: Outcome & { isDelivered: false }) {
    const { error, isGone, retryAfter } = outcome
    waitUntil = Math.max(waitUntil, performance.now() + retryAfter * 1000)
    const pause = pauses[delivery.attempts]
    const isDead = delivery.isLast || pause === undefined
    failed.add(delivery.id)
    downSince = isDead ? undefined : (downSince ?? performance.now())
    const seconds = isDead ? undefined : Math.min(retryTime, Math.max(jittered(pause), retryAfter))
    await outbox.failed(delivery, owner, error, seconds)
    const details = { ...logDetails, event: delivery.eventId, type: delivery.type, reason: error }
    if (isDead)
      warn(details, 'A webhook event could not be delivered for a day. Replay it with "svc-api webhooks".')
    else if (isGone)
      warn(
        details,
        'A webhook endpoint says that it is gone for good. It stays configured, and is tried again.',
      )
    else if (!isFailing) warn(details, 'A webhook endpoint fails. Its events are tried again for a day.')
    isFailing = true
  }

  /** An early attempt that failed does not count. */
  function failEarly(delivery: Delivery, owner: string, { retryAfter }: Outcome & { isDelivered: false }) {
    waitUntil = Math.max(waitUntil, performance.now() + retryAfter * 1000)
    downSince ??= performance.now()
    return outbox.release(delivery, owner)
  }

  /** @param isEarly before its time, because the receiver may be back */
  async function send(delivery: Delivery, owner: string, isEarly = false): Promise<void> {
    let outcome: Outcome
    try {
      outcome = await deliver(endpoint, delivery, stopping.signal)
    } catch {
      // The server is closing: the next process need not wait for the lease.
      return outbox.release(delivery, owner)
    }
    if (!outcome.isDelivered)
      return isEarly ? failEarly(delivery, owner, outcome) : fail(delivery, owner, outcome)
    await outbox.delivered(delivery, owner)
    if (isFailing) warn(logDetails, 'A webhook endpoint works again.')
    isFailing = false
    const isBack = isEarly || (delivery.attempts > 0 && failed.size > 1)
    failed.clear()
    if (isEarly || delivery.attempts > 0) downSince = undefined
    // Waiting events are due now, unless the receiver asked for a pause.
    if (isBack && performance.now() > waitUntil) await outbox.pullForward(endpoint.id)
  }

  /** Leases, from time to time, an event that waits for its next attempt, because the receiver may be back. */
  async function probe(owner: string): Promise<Delivery | undefined> {
    const now = performance.now()
    const interval = Math.min(probing.most, Math.max(probing.least, (now - (downSince ?? now)) / 3))
    if (running.size > 0 || now < waitUntil || now - probedAt < interval) return undefined
    probedAt = now
    return outbox.claimEarly(endpoint.id, owner, leaseSeconds)
  }

  /** Starts the deliveries that are due, at most `atOnce` together. */
  async function poll(): Promise<void> {
    const room = atOnce - running.size
    if (room <= 0 || stopping.signal.aborted) return
    const owner = randomUUID()
    const claimed = await outbox.claim(endpoint.id, room, owner, leaseSeconds)
    const early = claimed.length === 0 ? await probe(owner) : undefined
    for (const delivery of early ? [early] : claimed) {
      const sending = send(delivery, owner, early !== undefined)
        // The lease ends by itself, and the event is sent again.
        .catch((error) =>
          warn({ ...logDetails, err: error }, 'The result of a webhook delivery could not be stored.'),
        )
        .finally(() => {
          running.delete(sending)
          // The next event about the same resource may be due now.
          schedule(afterDelivery)
        })
      running.add(sending)
    }
  }

  async function look(): Promise<void> {
    const since = performance.now()
    try {
      await poll()
      isUnreadable = false
    } catch (error) {
      // Once, until it can be read again.
      if (!isUnreadable) warn({ ...logDetails, err: error }, 'The outbox of webhooks could not be read.')
      isUnreadable = true
    }
    const now = performance.now()
    earliest = now + rest * (now - since)
    polling = undefined
    if (isDue) schedule(0)
    isDue = false
  }

  /** Looks in so many milliseconds at the earliest; once, however often it is called until then. */
  function schedule(milliseconds: number): void {
    if (stopping.signal.aborted) return
    if (polling) isDue = true
    else
      scheduled ??= outsideRequest(() =>
        setTimeout(
          () => {
            scheduled = undefined
            if (!stopping.signal.aborted) polling = outsideRequest(look)
          },
          Math.max(milliseconds, earliest - performance.now()),
        ).unref(),
      )
  }

  const timer = setInterval(() => schedule(0), pollInterval).unref()

  return {
    /** Call it after a commit of new events: they are looked for soon. */
    kick: () => schedule(afterCommit),

    /** Aborts running deliveries; each releases its lease. */
    stop(): void {
      clearInterval(timer)
      clearTimeout(scheduled)
      stopping.abort(new Error('The server is closing.'))
    },

    /** Resolves when every lease is released. */
    async ended(): Promise<void> {
      await polling
      await Promise.all(running)
    },
  }
}

type Outcome =
  | { isDelivered: true }
  /** @param retryAfter seconds that the receiver asks to wait */
  | { isDelivered: false; error: string; isGone: boolean; retryAfter: number }

/** Limits for reading a response's body, in bytes and milliseconds; reading lets the receiver finish its response. */
const maxBytes = 16 * 1024
const maxTime = 1000

/** Sends an event: signed, within its time, and without following redirects. Never rejects, except with the reason of `stop`. */
async function deliver(endpoint: Endpoint, delivery: Delivery, stop: AbortSignal): Promise<Outcome> {
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
    retryAfter: retryAfter(headers['retry-after'] ?? '') ?? 0,
  }
}

/** The reason as a sentence that contains nothing written by the receiver. */
function reasonOf(error: unknown): string {
  const { name, code } = Object(error)
  if (name === 'Abandoned') return 'The receiver did not respond in time.'
  if (typeof code === 'string' && code !== 'ABORT_ERR') return `The connection failed (${code}).`
  return error instanceof Error && name !== 'AbortError'
    ? error.message
    : 'The receiver did not respond in time.'
}

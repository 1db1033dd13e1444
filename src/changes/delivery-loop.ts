// Delivers the events of one endpoint: leases those that are due, sends some at a time, and says when to try again.
import { randomUUID } from 'node:crypto'
import { outsideRequest } from '../core/deadline.ts'
import { type Failure, sendEvent } from './event-request.ts'
import type { Endpoint } from './options.ts'
import { type Delivery, jittered, type Outbox, pauses, retryTime } from './outbox.ts'
import { receiverHealth } from './receiver-health.ts'

/** Events of one endpoint that this process sends at once. */
const atOnce = 16
/** Milliseconds between two looks for events of other processes and for retries. */
const pollInterval = 2000
/** Milliseconds until the next look, after a commit and after a delivery, so that one look finds several events. */
const afterCommit = 50
const afterDelivery = 5
/** After a look, as many times its duration pass until the next one: a long queue must not keep the database busy. */
const rest = 5
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
  const health = receiverHealth()
  /** The look that runs. */
  let polling: Promise<void> | undefined
  /** Whether another look was asked for meanwhile. */
  let isDue = false
  /** The timer of the next look, which begins at `earliest` or later. */
  let scheduled: NodeJS.Timeout | undefined
  let earliest = 0
  let isUnreadable = false

  /** Records a failure, and warns where it is news. */
  async function fail(delivery: Delivery, owner: string, { error, isGone, retryAfter }: Failure) {
    const pause = pauses[delivery.attempts]
    const isDead = delivery.isLast || pause === undefined
    const isNews = health.failed(delivery.id, retryAfter, isDead)
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
    else if (isNews) warn(details, 'A webhook endpoint fails. Its events are tried again for a day.')
  }

  /** @param isEarly before its time, because the receiver may be back */
  async function send(delivery: Delivery, owner: string, isEarly: boolean): Promise<void> {
    const outcome = await sendEvent(endpoint, delivery, stopping.signal).catch(() => undefined)
    // The server is closing: the next process need not wait for the lease.
    if (!outcome) return outbox.release(delivery, owner)
    if (!outcome.isDelivered) {
      if (!isEarly) return fail(delivery, owner, outcome)
      health.failedEarly(outcome.retryAfter)
      return outbox.release(delivery, owner)
    }
    await outbox.delivered(delivery, owner)
    const { wasFailing, isBack } = health.succeeded(delivery.attempts, isEarly)
    if (wasFailing) warn(logDetails, 'A webhook endpoint works again.')
    if (isBack) await outbox.pullForward(endpoint.id)
  }

  /** Starts the deliveries that are due, at most `atOnce` together. */
  async function poll(): Promise<void> {
    const room = atOnce - running.size
    if (room <= 0 || stopping.signal.aborted) return
    const owner = randomUUID()
    const claimed = await outbox.claim(endpoint.id, room, owner, leaseSeconds)
    const isIdle = claimed.length === 0 && running.size === 0
    const early =
      isIdle && health.mayProbe() ? await outbox.claimEarly(endpoint.id, owner, leaseSeconds) : undefined
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

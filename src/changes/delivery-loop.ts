// Delivers the events of one endpoint: leases those that are due, sends some at a time, and schedules the next attempt of one that fails.
import { randomUUID } from 'node:crypto'
import type { Endpoint } from './endpoints.ts'
import { type Failure, sendEvent } from './event-request.ts'
import { lookTimer } from './look-timer.ts'
import { type Delivery, jittered, type Outbox, pauses, retryTime } from './outbox.ts'
import { receiverHealth } from './receiver-health.ts'

/** Events of one endpoint that this process sends at once. */
const atOnce = 16
/** Milliseconds until the next look after a commit, so that one look finds the events of several commits. */
const afterCommit = 50
/** Milliseconds until the next look after a delivery, so that one look follows several deliveries. */
const afterDelivery = 5
/** Seconds that a lease exceeds the time of a delivery: the clock counts whole seconds, and results must be written. */
const reserve = 5

interface Services {
  endpoint: Endpoint
  outbox: Outbox
  /** Logs what an operator should know. */
  warn: (details: object, message: string) => void
}

/** Polls for due events from now on, and delivers them. One loop runs for each endpoint of a process. */
export function deliveryLoop({ endpoint, outbox, warn }: Services) {
  const stopping = new AbortController()
  const sending = new Set<Promise<void>>()
  const leaseSeconds = Math.ceil(endpoint.milliseconds / 1000) + reserve
  const logDetails = { endpoint: endpoint.url.origin, endpoint_id: endpoint.id }
  const health = receiverHealth()
  const timer = lookTimer(look)
  /** Whether the last look failed, which is logged once until a look succeeds. */
  let isUnreadable = false

  /** Records a failed attempt, and logs the first of several. */
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

  /**
   * Sends an event that this process has leased as `owner`, and records the result.
   * @param isEarly the attempt comes before its time, because the receiver may be back
   */
  async function send(delivery: Delivery, owner: string, { isEarly }: { isEarly: boolean }): Promise<void> {
    // Undefined if the server is closing: without the lease, another process can send the event at once.
    const outcome = await sendEvent(endpoint, delivery, stopping.signal).catch(() => undefined)
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

  /** Starts to send an event, without waiting for the end. */
  function startSending(delivery: Delivery, owner: string, options: { isEarly: boolean }): void {
    const attempt = send(delivery, owner, options)
      // The lease ends by itself, and the event is sent again.
      .catch((error) =>
        warn({ ...logDetails, err: error }, 'The result of a webhook delivery could not be stored.'),
      )
      .finally(() => {
        sending.delete(attempt)
        // The next event about the same resource may be due now.
        timer.schedule(afterDelivery)
      })
    sending.add(attempt)
  }

  /** Leases the events that are due, so that at most `atOnce` are sent together, and starts to send them. */
  async function startDue(): Promise<void> {
    const free = atOnce - sending.size
    if (free <= 0 || stopping.signal.aborted) return
    const owner = randomUUID()
    const due = await outbox.claim(endpoint.id, free, owner, leaseSeconds)
    for (const delivery of due) startSending(delivery, owner, { isEarly: false })
    if (sending.size > 0 || !health.mayProbe()) return
    const early = await outbox.claimEarly(endpoint.id, owner, leaseSeconds)
    if (early) startSending(early, owner, { isEarly: true })
  }

  async function look(): Promise<void> {
    try {
      await startDue()
      isUnreadable = false
    } catch (error) {
      if (!isUnreadable) warn({ ...logDetails, err: error }, 'The outbox of webhooks could not be read.')
      isUnreadable = true
    }
  }

  return {
    /** Call it after a commit of new events: the loop looks for them soon. */
    kick: () => timer.schedule(afterCommit),

    /** Aborts running deliveries; each releases its lease. */
    stop(): void {
      timer.stop()
      stopping.abort(new Error('The server is closing.'))
    },

    /** Resolves when every lease is released. */
    async ended(): Promise<void> {
      await timer.ended()
      await Promise.all(sending)
    },
  }
}

// Whether an endpoint accepts events, judged by its last deliveries, and when to send a waiting event early to find out.

/**
 * Milliseconds between two early attempts of the oldest event that waits: a third of the time for which events have waited, within
 * these limits, so that a receiver that is back soon gets them.
 */
export const probing = { least: 15_000, most: 300_000 }

/** The state of one endpoint in this process. Times are those of `performance.now`. */
export function receiverHealth() {
  let isFailing = false
  /** Since when events wait for another attempt, for the interval of early attempts; undefined if none waits. */
  let waitingSince: number | undefined
  /** The end of the pause that the receiver asked for. */
  let waitUntil = 0
  let probedAt = performance.now()
  /** Ids of up to two events that failed since the last success. A single one may be an event that the receiver never accepts. */
  const failedEvents = new Set<number>()

  function pause(seconds: number): void {
    waitUntil = Math.max(waitUntil, performance.now() + seconds * 1000)
  }

  return {
    /**
     * Call it when an attempt has failed.
     * @param retryAfter seconds that the receiver asks to wait
     * @param isLast whether the event is not sent again
     * @returns whether this is the first failure since the last success
     */
    failed(id: number, retryAfter: number, isLast: boolean): boolean {
      pause(retryAfter)
      if (failedEvents.size < 2) failedEvents.add(id)
      // An event that was given up does not wait any more. Others that wait set the time again when they fail.
      waitingSince = isLast ? undefined : (waitingSince ?? performance.now())
      const isNews = !isFailing
      isFailing = true
      return isNews
    },

    /** Call it when an early attempt has failed, which does not count as an attempt of the event. */
    failedEarly(retryAfter: number): void {
      pause(retryAfter)
      waitingSince ??= performance.now()
    },

    /**
     * Call it when an event was delivered.
     * @param failedAttempts those of this event
     * @param isEarly whether the attempt came before its time
     * @returns whether the endpoint failed before, and whether it is back, so that the waiting events should be sent now
     */
    succeeded(failedAttempts: number, isEarly: boolean): { wasFailing: boolean; isBack: boolean } {
      const wasFailing = isFailing
      const isBack = isEarly || (failedAttempts > 0 && failedEvents.size > 1)
      isFailing = false
      failedEvents.clear()
      // The success of another event proves nothing: the one that waits may be one that the receiver never accepts.
      if (isEarly || failedAttempts > 0) waitingSince = undefined
      return { wasFailing, isBack: isBack && performance.now() > waitUntil }
    },

    /** Whether to send a waiting event early, because the receiver may be back. True starts the interval until the next one. */
    mayProbe(): boolean {
      const now = performance.now()
      const interval = Math.min(probing.most, Math.max(probing.least, (now - (waitingSince ?? now)) / 3))
      if (now < waitUntil || now - probedAt < interval) return false
      probedAt = now
      return true
    },
  }
}

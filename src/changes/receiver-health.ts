// Whether an endpoint takes events at the moment, as its last deliveries show.

/**
 * Milliseconds between two early attempts of the oldest event that waits: a third of the time for which the endpoint has
 * failed, within these limits, so that a receiver that is back soon gets what waits for it.
 */
export const probing = { least: 15_000, most: 300_000 }

/** Times are those of `performance.now`. */
export function receiverHealth() {
  let isFailing = false
  /** When it failed first since its last success. */
  let downSince: number | undefined
  /** The end of the pause that the receiver asked for. */
  let waitUntil = 0
  let probedAt = performance.now()
  /** Two events that failed since the last success, if there are two. One alone may be an event that the receiver never takes. */
  const failed = new Set<number>()

  function pause(seconds: number): void {
    waitUntil = Math.max(waitUntil, performance.now() + seconds * 1000)
  }

  return {
    /**
     * An attempt failed.
     * @param isLast whether the event is not tried again
     * @returns whether the endpoint worked before
     */
    failed(id: number, retryAfter: number, isLast: boolean): boolean {
      pause(retryAfter)
      if (failed.size < 2) failed.add(id)
      downSince = isLast ? undefined : (downSince ?? performance.now())
      const isNews = !isFailing
      isFailing = true
      return isNews
    },

    /** An early attempt failed, which does not count as an attempt of the event. */
    failedEarly(retryAfter: number): void {
      pause(retryAfter)
      downSince ??= performance.now()
    },

    /**
     * An event was delivered.
     * @param attempts those of the event that had failed; `isEarly` before its time
     * @returns whether the endpoint failed before, and whether the events that wait are due now
     */
    succeeded(attempts: number, isEarly: boolean): { wasFailing: boolean; isBack: boolean } {
      const wasFailing = isFailing
      const isBack = isEarly || (attempts > 0 && failed.size > 1)
      isFailing = false
      failed.clear()
      if (isEarly || attempts > 0) downSince = undefined
      return { wasFailing, isBack: isBack && performance.now() > waitUntil }
    },

    /** Whether an event that waits is worth an early attempt, because the receiver may be back. Then the attempt is noted. */
    mayProbe(): boolean {
      const now = performance.now()
      const interval = Math.min(probing.most, Math.max(probing.least, (now - (downSince ?? now)) / 3))
      if (now < waitUntil || now - probedAt < interval) return false
      probedAt = now
      return true
    },
  }
}

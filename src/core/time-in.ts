// Reads dates and times that people enter.

/**
 * Milliseconds since 1970 of an ISO 8601 date or time; NaN for a day that its month does not have, which `Date` would take
 * for one of the next month.
 */
export function timeIn(text: string): number {
  const day = text.slice(0, 10)
  const midnight = Date.parse(day)
  if (Number.isNaN(midnight) || new Date(midnight).toISOString().slice(0, 10) !== day) return Number.NaN
  return Date.parse(text)
}

const dayLength = 86_400_000

/**
 * Unix seconds in which these days of a time zone begin and end: from `since` on, and before `until`.
 * @param days such as `2026-04-29`
 */
export function secondsOfDays(
  { since, until }: { since?: string | undefined; until?: string | undefined },
  timeZone: string,
): { since: number | undefined; until: number | undefined } {
  // Swedish is written as ISO 8601 is.
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' })
  /** The clock of the time zone, as milliseconds of the same reading in UTC. */
  const clockAt = (time: number) => {
    const clock = Date.parse(`${format.format(time).replace(' ', 'T')}Z`)
    return Number.isNaN(clock) ? time : clock
  }
  const beginning = (midnight: number) => {
    const first = 2 * midnight - clockAt(midnight)
    const second = midnight + first - clockAt(first)
    // A day without midnight, which the clocks skip, begins later.
    const [earlier, later] = first < second ? [first, second] : [second, first]
    return (clockAt(earlier) >= midnight ? earlier : later) / 1000
  }
  return {
    since: since === undefined ? undefined : beginning(Date.parse(since)),
    until: until === undefined ? undefined : beginning(Date.parse(until) + dayLength),
  }
}

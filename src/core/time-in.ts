// Reads dates and times that users enter.

/**
 * Unix milliseconds of an ISO 8601 date or time; NaN for other texts, and for a day that its month does not have: `Date` would read
 * that as a day of the next month.
 */
export function timeIn(text: string): number {
  const day = text.slice(0, 10)
  const midnight = Date.parse(day)
  if (Number.isNaN(midnight) || new Date(midnight).toISOString().slice(0, 10) !== day) return Number.NaN
  return Date.parse(text)
}

const dayLength = 86_400_000

/**
 * The period of these days in a time zone, in Unix seconds: `since` is the beginning of its day, `until` the end of its day. Days are
 * texts such as `2026-04-29`.
 */
export function secondsOfDays(
  { since, until }: { since?: string | undefined; until?: string | undefined },
  timeZone: string,
): { since: number | undefined; until: number | undefined } {
  // The Swedish format is that of ISO 8601.
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' })
  /** What clocks of the time zone show at a time, as the time at which clocks in UTC show the same. */
  const clockAt = (time: number) => {
    const clock = Date.parse(`${format.format(time).replace(' ', 'T')}Z`)
    return Number.isNaN(clock) ? time : clock
  }
  /** When the day begins whose midnight in UTC this is. */
  const beginning = (midnight: number) => {
    // The offset of the time zone may change on this day, so it is read twice: at midnight in UTC, and at the resulting time.
    const first = 2 * midnight - clockAt(midnight)
    const second = midnight + first - clockAt(first)
    const [earlier, later] = first < second ? [first, second] : [second, first]
    // If clocks skip midnight, the day begins at the later one.
    return (clockAt(earlier) >= midnight ? earlier : later) / 1000
  }
  return {
    since: since === undefined ? undefined : beginning(Date.parse(since)),
    until: until === undefined ? undefined : beginning(Date.parse(until) + dayLength),
  }
}

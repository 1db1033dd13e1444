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

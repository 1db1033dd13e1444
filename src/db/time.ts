// Moments as the API writes them.

/** ISO 8601 in UTC, to the second; null for a column that holds no moment. */
export function isoTime(epoch: number | string | null): string | null {
  const seconds = Number(epoch ?? 0)
  return seconds > 0 ? `${new Date(Math.floor(seconds) * 1000).toISOString().slice(0, 19)}Z` : null
}

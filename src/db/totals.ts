// Cached totals of lists: kept until one of our own writes, for at most one second, large ones for ten.

export type Totals = ReturnType<typeof totals<number>>

/** In milliseconds; below one second, because the CMS writes the same tables. */
const maxAge = 900
/** A count from `large` rows on takes a long time, and nobody sees whether its pages are one more or less. */
const large = 20_000
const maxAgeOfLarge = 10_000
const maxKeys = 200

/** Caches numbers, or what `T` holds of several. */
export function totals<T = number>() {
  let entries = new Map<string, { since: number; maxAge: number; number: Promise<T> }>()
  return {
    /** The cached total for `key`, or else that of `count`. Concurrent requests share one count. */
    get(key: string, count: () => Promise<T>): Promise<T> {
      const entry = entries.get(key)
      // The age counts from before the query ran.
      const now = performance.now()
      if (entry && now - entry.since < entry.maxAge) return entry.number
      if (entries.size >= maxKeys) entries.clear()
      const number = count()
      const current = entries
      const added = { since: now, maxAge, number }
      current.set(key, added)
      number.then(
        (found) => {
          if (largestOf(found) >= large) added.maxAge = maxAgeOfLarge
        },
        () => current.delete(key),
      )
      return number
    },
    /** Drops all totals. Call it after a write that may change one. */
    // A count that is still running has written into the map that is dropped here, so it cannot outlive the write.
    forget: () => {
      entries = new Map()
    },
  }
}

const largestOf = (found: unknown): number =>
  typeof found === 'number'
    ? found
    : Math.max(0, ...Object.values(Object(found)).map(Number).filter(Number.isFinite))

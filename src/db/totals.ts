// Cached totals of lists: kept until one of our own writes, for at most one second.

export type Totals = ReturnType<typeof totals<number>>

/** In milliseconds; below one second, because the CMS writes the same tables. */
const maxAge = 900
const maxKeys = 200

/** Caches numbers, or what `T` holds of several. */
export function totals<T = number>() {
  let known = new Map<string, { since: number; number: Promise<T> }>()
  return {
    /** The cached total for `key`, or else that of `count`. Concurrent requests share one count. */
    get(key: string, count: () => Promise<T>): Promise<T> {
      const entry = known.get(key)
      // The age counts from before the query ran.
      const now = performance.now()
      if (entry && now - entry.since < maxAge) return entry.number
      if (known.size >= maxKeys) known.clear()
      const number = count()
      const cache = known
      cache.set(key, { since: now, number })
      number.catch(() => cache.delete(key))
      return number
    },
    /** Drops all totals. Call it after a write that may change one. */
    // A count that is still running has written into the map that is dropped here, so it cannot outlive the write.
    forget: () => {
      known = new Map()
    },
  }
}

// Totals of lists that are not counted again at every request: kept until one of our own writes, at most one second.

export interface Totals {
  /** The remembered number for `key`, or else that of `count`; requests that ask at once share one count. */
  get(key: string, count: () => Promise<number>): Promise<number>
  /** To be called after a write that may change a number. */
  forget(): void
}

/** Below one second, because the CMS writes the same tables. */
const maxAge = 900
const mostKeys = 200

export function totals(): Totals {
  let known = new Map<string, { since: number; number: Promise<number> }>()
  return {
    get(key, count) {
      const entry = known.get(key)
      // The age counts from before the query ran.
      const now = performance.now()
      if (entry && now - entry.since < maxAge) return entry.number
      if (known.size >= mostKeys) known.clear()
      const number = count()
      const memory = known
      memory.set(key, { since: now, number })
      number.catch(() => memory.delete(key))
      return number
    },
    // A count that is still running writes into the map that is dropped here, so it cannot outlive the write.
    forget: () => {
      known = new Map()
    },
  }
}

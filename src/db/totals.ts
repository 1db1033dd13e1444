// Caches the totals of lists: until a write of this process calls `forget`, and for at most one second, large ones for ten.
import { membersOf } from '../core/foreign.ts'

export type Totals = ReturnType<typeof totals<number>>

/** Milliseconds; below one second, because the CMS writes the same tables. */
const maxAge = 900
/** A total from here on takes long to count, and may be older: one page more or less makes no difference. */
const large = 20_000
/** Milliseconds. */
const maxAgeOfLarge = 10_000
/** Maximum number of cached totals. */
const maxKeys = 200

interface CachedTotal<T> {
  /** Before the count began, as `performance.now()`. */
  countedAt: number
  /** Milliseconds. */
  maxAge: number
  total: Promise<T>
}

/** A cache of totals. `T` is a number, or an object with several numbers. */
export function totals<T = number>() {
  let entries = new Map<string, CachedTotal<T>>()
  let forgottenAt = 0

  function insert(key: string, entry: CachedTotal<T>): void {
    if (entries.size >= maxKeys) entries.clear()
    entries.set(key, entry)
  }

  return {
    /** The cached total for `key`, or else what `count` returns. Concurrent requests share one count. */
    get(key: string, count: () => Promise<T>): Promise<T> {
      const cached = entries.get(key)
      const now = performance.now()
      if (cached && now - cached.countedAt < cached.maxAge) return cached.total
      const total = count()
      // `forget` replaces the map, so a count that runs during a write is not used after it.
      const currentEntries = entries
      const entry = { countedAt: now, maxAge, total }
      insert(key, entry)
      total.then(
        (counted) => {
          if (largestIn(counted) >= large) entry.maxAge = maxAgeOfLarge
        },
        () => currentEntries.delete(key),
      )
      return total
    },

    /** The cached total for `key`, if it may still be used. */
    cached(key: string): Promise<T> | undefined {
      const cached = entries.get(key)
      return cached && performance.now() - cached.countedAt < cached.maxAge ? cached.total : undefined
    },

    /** Caches a total that was counted otherwise. @param countedAt before the count began, as `performance.now()` */
    add(key: string, total: T, countedAt: number): void {
      if (countedAt > forgottenAt) insert(key, { countedAt, maxAge, total: Promise.resolve(total) })
    },

    /** Drops all totals. Call it after a write that may change one. */
    forget: () => {
      entries = new Map()
      forgottenAt = performance.now()
    },
  }
}

const largestIn = (counted: unknown): number =>
  typeof counted === 'number'
    ? counted
    : Math.max(0, ...Object.values(membersOf(counted)).map(Number).filter(Number.isFinite))

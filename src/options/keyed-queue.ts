// Lets the writers of one row go one after the other inside this process.

/** A turn that does not come within this many milliseconds is not waited for. */
const patience = 1000

/**
 * Taking turns spares writers of one process most lost swaps. It carries no rule: other processes take no turns, and
 * whoever has waited long enough goes ahead.
 */
export function keyedQueue() {
  const last = new Map<string, Promise<unknown>>()

  return async <T>(key: string, work: () => Promise<T>): Promise<T> => {
    const before = last.get(key)
    const own = (async () => {
      if (before) await settled(before)
      return work()
    })()
    last.set(key, own)
    try {
      return await own
    } finally {
      if (last.get(key) === own) last.delete(key)
    }
  }
}

function settled(work: Promise<unknown>): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, patience)
    const done = () => {
      clearTimeout(timer)
      resolve()
    }
    work.then(done, done)
  })
}

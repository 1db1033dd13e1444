// A limit for how long a caller waits for work that continues without it.

/**
 * Waits for work until it ends, and for a number of milliseconds at most. The work is not stopped; if it fails later, nothing reports it.
 * @returns whether it has ended in this time
 * @throws what the work rejects with in this time
 */
export async function endsWithin(milliseconds: number, work: Promise<unknown>): Promise<boolean> {
  const { promise: late, resolve } = Promise.withResolvers<false>()
  const timer = setTimeout(resolve, milliseconds, false)
  try {
    return await Promise.race([work.then(() => true), late])
  } finally {
    clearTimeout(timer)
  }
}

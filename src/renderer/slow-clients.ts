// Remembers which orders and products took long lately: they share one turn, so that they wait behind others.

/** Milliseconds of work after which a design is slow, for how long that is remembered, and of how many. */
const [slowAfter, slowAge, maxClients] = [5000, 10 * 60_000, 1000]

export function slowClients() {
  const until = new Map<string, number>()
  return {
    /** The client of a queue that this one counts as. */
    turnOf: (client: string): string => ((until.get(client) ?? 0) > performance.now() ? 'slow' : client),

    /** @param milliseconds of the client's work, without its waits */
    note(client: string, milliseconds: number): void {
      if (milliseconds < slowAfter) return
      until.delete(client)
      until.set(client, performance.now() + slowAge)
      const [oldest = ''] = until.keys()
      if (until.size > maxClients) until.delete(oldest)
    },
  }
}

// Remembers which clients of the renderer's queues (orders and products) took long lately. They share one turn, so that together they
// delay other clients as little as one client.

/** Milliseconds of work from which a client is slow, and for which that is remembered. */
const [slowAfter, slowAge] = [5000, 10 * 60_000]
/** Slow clients to remember. */
const maxClients = 1000

/** Creates an empty memory. */
export function slowClients() {
  /** The time of `performance.now` until which each client is slow; the oldest entries come first. */
  const until = new Map<string, number>()
  return {
    /** The name under which a client queues: `slow` for all slow ones. */
    turnOf: (client: string): string => ((until.get(client) ?? 0) > performance.now() ? 'slow' : client),

    /** Called when a task has ended. @param milliseconds of its work, without its waits */
    note(client: string, milliseconds: number): void {
      if (milliseconds < slowAfter) return
      until.delete(client)
      until.set(client, performance.now() + slowAge)
      const [oldest = ''] = until.keys()
      if (until.size > maxClients) until.delete(oldest)
    },
  }
}

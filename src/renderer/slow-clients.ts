// Remembers which clients of the renderer's queues (orders and products) took long lately. They queue under one name, so that together
// they delay other clients as little as one client.

/** Milliseconds of work in one task from which a client is slow, and for which it stays slow. */
const [slowAfter, slowAge] = [5000, 10 * 60_000]
/** Maximum slow clients that are remembered. */
const maxClients = 1000

/** Creates an empty memory. */
export function slowClients() {
  /** The time of `performance.now` until which each client is slow; the oldest entries come first. */
  const until = new Map<string, number>()
  return {
    /** The name under which a client queues: `slow` for all slow ones. */
    queueNameOf: (client: string): string => ((until.get(client) ?? 0) > performance.now() ? 'slow' : client),

    /** Notes that a task of the client has ended. @param milliseconds of its work, without its waits in queues */
    note(client: string, milliseconds: number): void {
      if (milliseconds < slowAfter) return
      until.delete(client)
      until.set(client, performance.now() + slowAge)
      const [oldest = ''] = until.keys()
      if (until.size > maxClients) until.delete(oldest)
    },
  }
}

// Limits the concurrent requests of a scope. A request counts from its headers until its response is sent and its work has ended.
import type { IncomingMessage } from 'node:http'
import { finished } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { tryAgain } from '../core/unavailable.ts'
import { connectionTurn } from './pipelining.ts'

/** Runs `work` for a request, and holds its slot until `work` has ended, even if the client disconnects earlier. */
export type HoldSlot = <T>(request: FastifyRequest, work: () => Promise<T>) => Promise<T>

/**
 * Refuses more than `most` concurrent requests of this scope. A request whose body is still being sent gives way to a new
 * one, because slow senders would otherwise occupy all places.
 * @param message of the 503 for a refused request
 */
export function limitInFlight(app: FastifyInstance, most: number, message: string): HoldSlot {
  /** By request, the oldest first: 2 while both its response and its work are unfinished, 1 while one of them is. */
  const unfinished = new Map<FastifyRequest, number>()

  /** Counts the response or the work of a request as finished; after both the slot is free. */
  function finish(request: FastifyRequest): void {
    const remaining = (unfinished.get(request) ?? 0) - 1
    if (remaining > 0) unfinished.set(request, remaining)
    else unfinished.delete(request)
  }

  const busy = () => tryAgain({ reason: 'notifications', message, seconds: 5 })

  /** Refuses the oldest request whose body is incomplete, which frees its slot. @returns whether there is one */
  function freeSlot(): boolean {
    for (const request of unfinished.keys()) {
      if (!isReceiving(request.raw)) continue
      unfinished.delete(request)
      // The reader of the body gets the error.
      request.raw.emit('error', busy())
      return true
    }
    return false
  }

  app.addHook('onRequest', async (request, reply) => {
    // One connection whose client does not read would otherwise hold all slots with what it has pipelined.
    await connectionTurn(reply)
    if (unfinished.size >= most && !freeSlot()) throw busy()
    unfinished.set(request, 1)
    finished(reply.raw, () => finish(request))
  })

  return async (request, work) => {
    unfinished.set(request, (unfinished.get(request) ?? 0) + 1)
    try {
      return await work()
    } finally {
      finish(request)
    }
  }
}

/** Whether the body is still being read. Injected requests have no socket, and are complete at once. */
const isReceiving = (raw: IncomingMessage) =>
  raw.socket?.bytesRead !== undefined && !raw.complete && !raw.destroyed && raw.listenerCount('error') > 0

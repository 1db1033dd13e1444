// Limits the concurrent requests of a scope, counted from their headers until their response and their work have ended.
import type { IncomingMessage } from 'node:http'
import { finished } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { tryAgain } from '../core/unavailable.ts'
import { connectionTurn } from './pipelining.ts'

/** Holds the slot of a request until `work` has ended, even if its client disconnects earlier. */
export type HoldSlot = <T>(request: FastifyRequest, work: () => Promise<T>) => Promise<T>

/**
 * Refuses more than `most` concurrent requests of this scope. A request whose body is still being sent gives way to a new
 * one, because slow senders would otherwise occupy all places.
 * @param message of the 503 for those without a slot
 */
export function limitInFlight(app: FastifyInstance, most: number, message: string): HoldSlot {
  /** For each request in flight, how much is unfinished: its response, its work, or both. The oldest come first. */
  const parts = new Map<FastifyRequest, number>()

  function leave(request: FastifyRequest): void {
    const remaining = (parts.get(request) ?? 0) - 1
    if (remaining > 0) parts.set(request, remaining)
    else parts.delete(request)
  }

  const busy = () => tryAgain({ reason: 'notifications', message, seconds: 5 })

  /** Refuses the oldest request whose body is incomplete. @returns whether there is one */
  function makeRoom(): boolean {
    for (const request of parts.keys()) {
      if (!isReceiving(request.raw)) continue
      parts.delete(request)
      // The reader of the body gets the error.
      request.raw.emit('error', busy())
      return true
    }
    return false
  }

  app.addHook('onRequest', async (request, reply) => {
    // One connection whose client does not read would otherwise hold all slots with what it has pipelined.
    await connectionTurn(reply)
    if (parts.size >= most && !makeRoom()) throw busy()
    parts.set(request, 1)
    finished(reply.raw, () => leave(request))
  })

  return async (request, work) => {
    parts.set(request, (parts.get(request) ?? 0) + 1)
    try {
      return await work()
    } finally {
      leave(request)
    }
  }
}

/** Injected requests, which have no socket, are received at once. */
const isReceiving = (raw: IncomingMessage) =>
  raw.socket?.bytesRead !== undefined && !raw.complete && !raw.destroyed && raw.listenerCount('error') > 0

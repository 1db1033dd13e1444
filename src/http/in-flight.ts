// Limits the concurrent requests of a scope, counted from their headers until their response and their work have ended.
import { finished } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { SvcError } from '../errors.ts'

/** Holds the slot of a request until `work` has ended, even if its client disconnects earlier. */
export type HoldSlot = <T>(request: FastifyRequest, work: () => Promise<T>) => Promise<T>

/**
 * Refuses more than `most` concurrent requests of this scope, before their bodies are read.
 * @param message of the 503 for the others
 */
export function limitInFlight(app: FastifyInstance, most: number, message: string): HoldSlot {
  /** For each request in flight, how much is unfinished: its response, its work, or both. */
  const parts = new Map<FastifyRequest, number>()

  function leave(request: FastifyRequest): void {
    const left = (parts.get(request) ?? 0) - 1
    if (left > 0) parts.set(request, left)
    else parts.delete(request)
  }

  app.addHook('onRequest', (request, reply, done) => {
    if (parts.size >= most) {
      done(new SvcError('svc_unavailable', { message, headers: { 'retry-after': '5' } }))
      return
    }
    parts.set(request, 1)
    finished(reply.raw, () => leave(request))
    done()
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

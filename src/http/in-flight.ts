// How many requests of a scope may be in flight: counted from their head until their response and their work are over.
import { finished } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { SvcError } from '../errors.ts'

/** Keeps the place of a request until `work` has ended, also when its client has hung up by then. */
export type HoldSlot = <T>(request: FastifyRequest, work: () => Promise<T>) => Promise<T>

/**
 * Refuses requests of this scope beyond `most` at once, before anything of their body is read.
 * @param message sentence of the 503 that those beyond get
 */
export function limitInFlight(app: FastifyInstance, most: number, message: string): HoldSlot {
  /** What each request in flight still has to end: its response, its work, or both. */
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

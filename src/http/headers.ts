// The headers that every answer carries.
import { randomUUID } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** A caller's request id that may be repeated in headers and logs. */
const saneId = /^[A-Za-z0-9._:=+/@-]{1,128}$/

/** Kept here and not in the answer's header, which the host's own hooks may write, too. */
const ids = new WeakMap<FastifyRequest, string>()

/** Sets them; a sane id of the caller is kept, so that his log and ours can be read together. */
export function stamp(request: FastifyRequest, reply: FastifyReply): void {
  reply.headers({
    'cache-control': 'private, no-store',
    'x-content-type-options': 'nosniff',
    'x-request-id': requestIdOf(request),
  })
}

/** The id under which this request stands in headers, error bodies and log lines. */
export function requestIdOf(request: FastifyRequest): string {
  let id = ids.get(request)
  if (id === undefined) {
    const given = request.headers['x-request-id']
    id = typeof given === 'string' && saneId.test(given) ? given : randomUUID()
    ids.set(request, id)
  }
  return id
}

// The headers that every answer carries.
import { randomUUID } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** A caller's request id that may be repeated in headers and logs. */
const saneId = /^[A-Za-z0-9._:=+/@-]{1,128}$/

/** Sets them; a sane id of the caller is kept, so that his log and ours can be read together. */
export function stamp(request: FastifyRequest, reply: FastifyReply): void {
  const given = request.headers['x-request-id']
  reply.headers({
    'cache-control': 'private, no-store',
    'x-content-type-options': 'nosniff',
    'x-request-id': typeof given === 'string' && saneId.test(given) ? given : randomUUID(),
  })
}

export function requestIdOf(reply: FastifyReply): string {
  return String(reply.getHeader('x-request-id') ?? '')
}

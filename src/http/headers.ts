// The headers that every response carries.
import { randomUUID } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** A request id that may stand in headers and logs. */
const saneId = /^[A-Za-z0-9._:=+/@-]{1,128}$/

/** Kept here and not in the response's header, which the host's own hooks may write, too. */
const ids = new WeakMap<FastifyRequest, string>()

/** Sets the headers; where the id is not the one that the host's log has, the lines from here on carry it, too. */
export function setResponseHeaders(request: FastifyRequest, reply: FastifyReply): void {
  const isKnown = ids.has(request)
  const id = requestIdOf(request)
  // Beside the host's own id, which pairs its lines.
  if (!isKnown && hasOwnId(request)) request.log = reply.log = request.log.child({ request_id: id })
  reply.headers({
    'cache-control': 'private, no-store',
    'x-content-type-options': 'nosniff',
    'x-request-id': id,
  })
}

/**
 * The id under which this request stands in headers, error bodies and log lines: a sane `X-Request-Id` of the caller, so
 * that his log and ours can be read together, else the id that the host has made or taken for it.
 */
export function requestIdOf(request: FastifyRequest): string {
  let id = ids.get(request)
  if (id === undefined) {
    const known = [request.headers['x-request-id'], String(request.id)]
    id = known.find((given) => typeof given === 'string' && saneId.test(given)) as string | undefined
    id ??= randomUUID()
    ids.set(request, id)
  }
  return id
}

/** Whether the id is another than that under which the host logs the request. */
export const hasOwnId = (request: FastifyRequest) => requestIdOf(request) !== String(request.id)

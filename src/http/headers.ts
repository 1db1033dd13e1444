// The headers that every response carries, and the preferences of a request (RFC 7240).
import { randomUUID } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** A request id that is safe in headers and logs. */
const safeId = /^[A-Za-z0-9._:=+/@-]{1,128}$/

/** Kept on the request, because hooks of the host may overwrite the response header. */
const ownId = Symbol('svc-api.request-id')

declare module 'fastify' {
  interface FastifyRequest {
    [ownId]?: string
  }
}

/** Sets the headers. If the id differs from the one in the host's log, all further log lines contain it, too. */
export function setResponseHeaders(request: FastifyRequest, reply: FastifyReply): void {
  let id = request[ownId]
  if (id === undefined) {
    id = requestIdOf(request)
    // In addition to the id of the host, which correlates its lines.
    if (hasOwnId(request)) request.log = reply.log = request.log.child({ request_id: id })
  }
  reply
    .header('cache-control', 'private, no-store')
    .header('x-content-type-options', 'nosniff')
    .header('x-request-id', id)
}

/**
 * The id of this request in headers, error bodies and log lines: a well-formed `X-Request-Id` of the caller, so that both
 * logs can be correlated, else the id that the host assigned.
 */
export function requestIdOf(request: FastifyRequest): string {
  let id = request[ownId]
  if (id === undefined) {
    const requested = request.headers['x-request-id']
    const assigned = String(request.id)
    if (typeof requested === 'string' && safeId.test(requested)) id = requested
    else id = safeId.test(assigned) ? assigned : randomUUID()
    request[ownId] = id
  }
  return id
}

/** Whether the id differs from the one under which the host logs the request. */
export const hasOwnId = (request: FastifyRequest) => requestIdOf(request) !== String(request.id)

/** The value of a preference, '' if it has none, undefined if it is absent. The first of several counts. */
export function preferenceOf({ headers }: Pick<FastifyRequest, 'headers'>, name: string): string | undefined {
  if (headers.prefer === undefined) return undefined
  for (const preference of String(headers.prefer).split(',')) {
    // Parameters follow a semicolon; none is supported.
    const [token = '', ...value] = (preference.split(';', 1)[0] ?? '').split('=')
    if (token.trim().toLowerCase() === name)
      return value
        .join('=')
        .trim()
        .replace(/^"(.*)"$/, '$1')
  }
  return undefined
}

/** Whether the response to a write may contain only the key of what was written. */
export const wantsMinimal = (request: Pick<FastifyRequest, 'headers'>): boolean =>
  request.headers.prefer === 'return=minimal' || preferenceOf(request, 'return')?.toLowerCase() === 'minimal'

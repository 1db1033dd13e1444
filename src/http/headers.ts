// The headers of every response, the id of a request, and its preferences (RFC 7240).
import { randomUUID } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** A request id that is safe in headers and logs. */
const safeId = /^[A-Za-z0-9._:=+/@-]{1,128}$/

/** Stored on the request, because hooks of the host may overwrite the response header. */
const requestIdKey = Symbol('svc-api.request-id')

declare module 'fastify' {
  interface FastifyRequest {
    [requestIdKey]?: string
  }
}

/**
 * Sets the headers of every response. If the id of the request differs from the one in the host's log, all further log lines contain
 * both. Called by the first hook of each route and page, and by the error handler in case a hook of the host has failed before.
 */
export function setResponseHeaders(request: FastifyRequest, reply: FastifyReply): void {
  const isFirstCall = request[requestIdKey] === undefined
  const id = requestIdOf(request)
  if (isFirstCall && differsFromHostId(request))
    request.log = reply.log = request.log.child({ request_id: id })
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
  request[requestIdKey] ??= newRequestId(request)
  return request[requestIdKey]
}

function newRequestId({ headers, id }: FastifyRequest): string {
  const requested = headers['x-request-id']
  if (typeof requested === 'string' && safeId.test(requested)) return requested
  const assigned = String(id)
  return safeId.test(assigned) ? assigned : randomUUID()
}

/** Whether the id of `requestIdOf` differs from the one under which the host logs the request. */
export const differsFromHostId = (request: FastifyRequest): boolean =>
  requestIdOf(request) !== String(request.id)

/** The value of a preference in the header Prefer: '' without a value, undefined if it is absent. The first of several counts. */
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

/** Whether the client wants only the key of the written resource in the response (`return=minimal`). */
export const wantsMinimal = (request: Pick<FastifyRequest, 'headers'>): boolean =>
  request.headers.prefer === 'return=minimal' || preferenceOf(request, 'return')?.toLowerCase() === 'minimal'

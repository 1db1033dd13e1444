// Checks the Authorization header: 401 where it is missing or malformed, 403 for an invalid token.
import type { IncomingMessage } from 'node:http'
import { SvcError } from '../errors.ts'
import type { Access } from '../options/access.ts'
import { isSameToken } from '../options/token.ts'

// Made once: a flood of wrong tokens must not pay for stack traces.
const unauthorized = new SvcError('svc_unauthorized', { headers: { 'www-authenticate': 'Bearer' } })
const forbidden = new SvcError('svc_forbidden')

/** The error for this request's header; undefined when it carries the token. Needs no query. */
export function authError(request: IncomingMessage, access: Access): SvcError | undefined {
  const header = request.headers.authorization
  const presented = header === undefined ? undefined : /^bearer +(\S.*)$/i.exec(header)?.[1]
  // Of two such headers Node keeps the first; a proxy may use the other.
  if (presented === undefined || countHeaders(request) > 1) return unauthorized
  if (access.token && isSameToken(presented, access.token)) return undefined
  return forbidden
}

function countHeaders({ rawHeaders }: IncomingMessage): number {
  let count = 0
  for (let i = 0; i < rawHeaders.length; i += 2) {
    if (rawHeaders[i]?.length === 13 && rawHeaders[i]?.toLowerCase() === 'authorization') count++
  }
  return count
}

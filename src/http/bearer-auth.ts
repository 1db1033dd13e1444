// Who sends a request, by its Authorization header: 401 where it is missing or malformed, 403 for an invalid token.
import type { IncomingMessage } from 'node:http'
import { SvcError } from '../core/errors.ts'
import { type Principal, tokenPrincipal } from '../core/principal.ts'
import type { Access } from '../settings/access.ts'
import { isSameToken } from '../settings/token.ts'

// Made once: a flood of wrong tokens must not pay for stack traces.
export const unauthorized = new SvcError('svc_unauthorized', { headers: { 'www-authenticate': 'Bearer' } })
export const forbidden = new SvcError('svc_forbidden')

/** The token of the installation is known by itself; any other one has to be looked up. */
export type Presented = Principal | SvcError | { token: string } | undefined

/** The token in an Authorization header; undefined for another scheme or no token. */
export const bearerToken = (header = '') => /^bearer +(\S.*)$/i.exec(header)?.[1]

/** What the header presents; undefined if it presents no token. Needs no query. */
export function presented(request: IncomingMessage, access: Access): Presented {
  const header = request.headers.authorization
  if (header === undefined) return undefined
  const token = bearerToken(header)
  // Of two such headers Node keeps the first; a proxy may use the other.
  if (countOf(request, 'authorization') > 1) return unauthorized
  if (token === undefined) return undefined
  if (access.token && isSameToken(token, access.token)) return tokenPrincipal
  return { token }
}

/** How often a request has a header. */
export const countOf = ({ rawHeaders }: IncomingMessage, header: string): number =>
  rawHeaders.filter((text, i) => i % 2 === 0 && text.toLowerCase() === header).length

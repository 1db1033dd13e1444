// Reads the bearer token of a request (RFC 6750 §2.1). The gate decides with it who sends the request.
import type { IncomingMessage } from 'node:http'
import { SvcError } from '../core/errors.ts'
import { type Principal, tokenPrincipal } from '../core/principal.ts'
import type { Access } from '../settings/access.ts'
import { isSameToken } from '../settings/token.ts'

/** 401: no token, or several. Created once, so that a flood of wrong tokens does not pay for stack traces. */
export const unauthorized = new SvcError('svc_unauthorized', { headers: { 'www-authenticate': 'Bearer' } })
/** 403: an invalid token. */
export const forbidden = new SvcError('svc_forbidden')

/** The sender with the API token of the shop; a refusal; another token, which has to be looked up; undefined without a token. */
export type Presented = Principal | SvcError | { token: string } | undefined

/** The token in an Authorization header; undefined for another scheme or no token. */
export const bearerToken = (header = '') => /^bearer +(\S.*)$/i.exec(header)?.[1]

/** What the Authorization header of a request presents. Needs no statement. @param access with the API token of the shop */
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

// The login of the host (option `authenticate`): turns what its function returns into the sender of the request, or a refusal.
import type { FastifyRequest } from 'fastify'
import type { SvcContextOptions } from '../app/context-options.ts'
import { DeadlineExceeded, timeLeft, within } from '../core/deadline.ts'
import { SvcError } from '../core/errors.ts'
import { membersOf } from '../core/foreign.ts'
import type { Principal } from '../core/principal.ts'
import { isScope } from '../core/scopes.ts'
import { tryAgain } from '../core/unavailable.ts'

/** Milliseconds for the function; less than `requestTime.gate`. */
const maxTime = 3000

const refused = new SvcError('svc_forbidden', { message: 'This login may not use the API.' })

/**
 * Asks the host. Only a well-formed principal admits.
 * @returns undefined if the host does not know the sender
 * @throws what the function throws; an Error if it returns anything else than documented
 */
export async function hostLogin(
  authenticate: NonNullable<SvcContextOptions['authenticate']>,
  request: FastifyRequest,
): Promise<Principal | SvcError | undefined> {
  try {
    const result: unknown = await within(timeLeft(maxTime), async () => authenticate(request))
    if (result === undefined) return undefined
    return result === false ? refused : principalFrom(result)
  } catch (cause) {
    if (cause instanceof DeadlineExceeded)
      throw tryAgain({
        reason: 'login',
        message: 'Who sends this request could not be determined in time; try again later.',
        seconds: 2,
        cause,
      })
    // The function, and getters of what it returns, may throw anything.
    throw cause instanceof Error
      ? cause
      : new Error('authenticate: threw a value that is not an Error.', { cause })
  }
}

/** The sender that the function has returned. @throws Error if it is not as documented */
function principalFrom(result: unknown): Principal {
  const { name, scopes: hostScopes } = membersOf(result) as Record<'name' | 'scopes', unknown>
  const scopes: unknown = Array.isArray(hostScopes) ? [...hostScopes] : hostScopes
  if (typeof name !== 'string' || !/^[^\p{Cc}]{1,200}$/u.test(name))
    throw new Error(
      'authenticate: must return undefined, false, or an object whose name has 1 to 200 characters and no control characters.',
    )
  if (scopes === 'all') return { kind: 'host', name, scopes }
  if (!Array.isArray(scopes)) throw new Error('authenticate: scopes must be "all" or an array of scopes.')
  const unknown = scopes.findIndex((scope) => !isScope(scope))
  if (unknown >= 0) throw new Error(`authenticate: scopes[${unknown}] is not a scope of this API.`)
  return { kind: 'host', name, scopes }
}

/**
 * Whether a page of another site may have made the browser send this request with the cookies of its user. False for requests with
 * a token, and for clients that are not browsers.
 * @param origin of the shop, from the option `siteUrl`
 */
export function mayBeForged({ headers, host }: FastifyRequest, origin: string): boolean {
  // No page of another site can add it unless the host's CORS permits that.
  if (/^bearer /i.test(headers.authorization ?? '')) return false
  const { origin: sender } = headers
  const site = headers['sec-fetch-site']
  if (sender === origin) return false
  if (site !== undefined) return site !== 'same-origin' && site !== 'none'
  if (sender === undefined) return false
  return !URL.canParse(sender) || new URL(sender).host !== host.toLowerCase()
}

/** The refusal of such a request. Created once, like the other refusals of the gate. */
export const foreignPage = new SvcError('svc_forbidden', {
  message: 'This request was sent by a page of another site.',
})

// Protection from requests that pages of other sites cause in the name of a visitor: the origin is compared, and forms carry a signed
// token that belongs to a cookie.
import { createHmac, hash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { SvcError } from '../core/errors.ts'

/**
 * Whether the headers say that a page of this origin sent the request. Current browsers send Sec-Fetch-Site over HTTPS, legacy ones and
 * plain HTTP only Origin. False for a request with neither, which no form of a browser sends.
 */
export function isSameOrigin({ headers, host, hostname }: FastifyRequest): boolean {
  const { origin } = headers
  const site = headers['sec-fetch-site']
  if (site !== undefined && site !== 'same-origin') return false
  if (origin === undefined) return site !== undefined
  if (!URL.canParse(origin)) return false
  const sender = new URL(origin)
  // Some proxies pass on the host without its port, or with the usual one.
  return site === undefined ? sender.host === host.toLowerCase() : sender.hostname === hostname.toLowerCase()
}

/**
 * For a GET that costs much although it changes nothing: pages of other sites must not cause it in the browser of a visitor, not even
 * by a link. A request without Sec-Fetch-Site passes: no current browser sent it.
 * @throws SvcError 403
 */
export function assertNotForeign({ headers }: FastifyRequest): void {
  const site = headers['sec-fetch-site']
  if (site === undefined || site === 'same-origin' || site === 'none') return
  throw new SvcError('svc_forbidden', {
    message: 'A page of another site asked for this; open it from a page of this site.',
  })
}

/**
 * Tokens of forms. One is valid only with the cookie of the browser that received it, and for the same user.
 * @param cookie name of the cookie
 * @param secret signs the tokens; all processes that serve the pages need the same
 */
export function formTokens(cookie: string, secret: string = randomBytes(32).toString('base64url')) {
  /** The id in the cookie; undefined if the browser has none. */
  function idIn({ headers }: FastifyRequest): string | undefined {
    const pairs = (headers.cookie ?? '').split(';').map((pair) => pair.trim())
    return pairs.find((pair) => pair.startsWith(`${cookie}=`) && /=[\w-]{24}$/.test(pair))?.slice(-24)
  }

  const sign = (id: string, user: string) =>
    createHmac('sha256', secret)
      .update(JSON.stringify([id, user]))
      .digest('base64url')

  return {
    /** Returns the token for a form in this response, and sets the cookie if the browser has none. */
    issue(request: FastifyRequest, reply: FastifyReply, user: string): string {
      const sessionId = idIn(request)
      const id = sessionId ?? randomBytes(18).toString('base64url')
      if (sessionId === undefined) {
        // Without a path it applies to the pages next to this one, wherever a proxy has put them. With SameSite=Strict, browsers would
        // not send it after a link from another site, and a new one would make open forms invalid.
        const secure = request.protocol === 'https' ? '; Secure' : ''
        reply.header('set-cookie', `${cookie}=${id}; HttpOnly; SameSite=Lax${secure}`)
      }
      return sign(id, user)
    },

    /** Whether the token was issued to this user, for the browser that sends it. */
    isRight(request: FastifyRequest, token: string, user: string): boolean {
      const id = idIn(request)
      return id !== undefined && isSame(token, sign(id, user))
    },
  }
}

/** Digests of equal length, so that the comparison takes constant time. */
const digest = (text: string) => hash('sha256', text, 'buffer')
const isSame = (a: string, b: string) => timingSafeEqual(digest(a), digest(b))

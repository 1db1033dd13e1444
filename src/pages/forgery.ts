// Against forms that other sites send in an administrator's name: the same origin, and a signed double submit.
import { createHmac, hash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { SvcError } from '../core/errors.ts'

/**
 * Whether a browser says that a page of this origin sent the request. Fetch metadata knows the scheme as well; legacy browsers
 * and plain HTTP have only the Origin. What says neither is no form of a browser.
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
 * For what costs much although it changes nothing: pages of other sites must not start it in the browser of a user, by links either.
 * What sends no fetch metadata is no current browser.
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
 * Tokens that are worth something only together with the cookie of the browser that got them, and to the same user.
 * @param cookie its name
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
    /** The token for a form in this response. */
    issue(request: FastifyRequest, reply: FastifyReply, user: string): string {
      const sessionId = idIn(request)
      const id = sessionId ?? randomBytes(18).toString('base64url')
      if (sessionId === undefined) {
        // Without a path it applies to the pages next to this one, wherever a proxy has put them. Lax: a link from elsewhere
        // must not replace the cookie of forms that are open.
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

// Serves requests only under the host's own names. A page on evil.example whose name suddenly leads to 127.0.0.1 (DNS
// rebinding) would otherwise reach whatever goes by the address of the client, from the administrator's own browser.
import { isIP } from 'node:net'
import { hostname } from 'node:os'
import type { FastifyRequest } from 'fastify'

const always = ['localhost', hostname()]

/** The name in a Host header or URL as browsers read it, without a port; undefined if it is malformed. */
function nameIn(host: string): string | undefined {
  if (/[\s/?#@\\]/.test(host) || !URL.canParse(`http://${host}`)) return undefined
  return new URL(`http://${host}`).hostname.replace(/\.$/, '')
}

/** An address cannot be rebound: whoever sends it has typed it. */
const isAddress = (name: string) => isIP(name.replace(/^\[|\]$/g, '')) !== 0

/**
 * @param names further names, with or without a port
 * @returns a hook that refuses requests under any other name with 421; addresses are always taken
 */
export function ownNames(names: readonly string[]) {
  const own = new Set([...always, ...names].map((name) => nameIn(name)))

  return async ({ headers: { host } }: FastifyRequest): Promise<void> => {
    // Only clients of HTTP/1.0 send none, and no browser.
    if (host === undefined) return
    const name = nameIn(host)
    if (name !== undefined && (own.has(name) || isAddress(name))) return
    throw Object.assign(
      new Error(
        'This host does not serve the name in the Host header: add it to SITE_URL or SVC_HOST_NAMES.',
      ),
      { statusCode: 421, code: 'unknown_host' },
    )
  }
}

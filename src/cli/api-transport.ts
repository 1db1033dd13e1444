// Sends requests to an API at a URL. Every failure becomes a sentence that an agent or its operator can act on.

import { version } from '../core/version.ts'
import type { RawRequest, Transport } from '../mcp/api.ts'

/** Longer than an export may wait for its file. */
const timeout = 200_000

/** @param url of the REST root */
export function apiTransport(url: string, token: string): Transport {
  const { origin } = new URL(url)
  const unreachable = (error: unknown) => {
    if (Reflect.get(Object(error), 'name') === 'TimeoutError')
      return new Error(`${origin} did not respond within ${timeout / 1000} seconds.`)
    const code = Reflect.get(Object(Reflect.get(Object(error), 'cause')), 'code')
    return new Error(`${origin} cannot be reached${code ? ` (${code})` : ''}: check SVC_API_URL.`)
  }
  return async ({ method, path, headers, body }: RawRequest) => {
    const response = await fetch(url + path, {
      method,
      headers: { ...headers, authorization: `Bearer ${token}`, 'user-agent': `svc-api/${version}` },
      // A redirect would lose the method, or the token.
      redirect: 'manual',
      signal: AbortSignal.timeout(timeout),
      ...(body === undefined ? {} : { body }),
    }).catch((error) => {
      throw unreachable(error)
    })
    const target = response.headers.get('location')
    if (response.status >= 300 && response.status < 400 && target !== null) {
      await response.body?.cancel()
      throw new Error(`SVC_API_URL redirects to ${target}: set it to the URL of the API itself.`)
    }
    const bytes = await response.arrayBuffer().catch((error) => {
      throw unreachable(error)
    })
    return { status: response.status, headers: response.headers, bytes: new Uint8Array(bytes) }
  }
}

// Tells a connection that cannot be encrypted, which no retry changes, from one that was lost.

/** Messages of Node for a connection that broke before it was encrypted; a database that is starting does this. */
const lost = /disconnected|hang up|ECONNRESET|EPIPE|ETIMEDOUT/i

/**
 * Why a connection to a MySQL server cannot be encrypted: the server offers no TLS, or its certificate is not trusted.
 * @param error of a driver
 * @returns the reason, or undefined for any other error
 */
export function tlsProblem(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  switch (Reflect.get(error, 'code')) {
    case 'HANDSHAKE_NO_SSL_SUPPORT':
      return 'the server offers no TLS'
    case 'HANDSHAKE_SSL_ERROR':
      return lost.test(error.message) ? undefined : error.message.split(/[\n;]/)[0]?.trim()
    default:
      return undefined
  }
}

// The Prefer header (RFC 7240).
import type { FastifyRequest } from 'fastify'

/** The value of a preference, '' if it has none, undefined if it is absent. The first of several counts. */
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

/** Whether the response to a write may contain only the key of what was written. */
export const wantsMinimal = (request: Pick<FastifyRequest, 'headers'>): boolean =>
  request.headers.prefer === 'return=minimal' || preferenceOf(request, 'return')?.toLowerCase() === 'minimal'

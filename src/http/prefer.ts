// The Prefer header (RFC 7240): what a client would like, where a route can do it.
import type { FastifyRequest } from 'fastify'

/** The value of a preference, '' where it has none; undefined when it is absent. Of one given twice the first counts. */
export function preferenceOf({ headers }: Pick<FastifyRequest, 'headers'>, name: string): string | undefined {
  for (const preference of String(headers.prefer ?? '').split(',')) {
    // What follows a semicolon are parameters, of which none is known here.
    const [token = '', ...value] = (preference.split(';', 1)[0] ?? '').split('=')
    if (token.trim().toLowerCase() === name)
      return value
        .join('=')
        .trim()
        .replace(/^"(.*)"$/, '$1')
  }
  return undefined
}

/** Whether the answer of a write need not hold more than the key of what was written. */
export const wantsMinimal = (request: Pick<FastifyRequest, 'headers'>): boolean =>
  preferenceOf(request, 'return')?.toLowerCase() === 'minimal'

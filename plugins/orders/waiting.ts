// How long an export waits for its file: as the client prefers (RFC 7240), else as the host has set.
import type { FastifyRequest } from 'fastify'
import { preferenceOf } from '../../src/http/prefer.ts'
import { longestWait } from '../../src/print/settings.ts'

export interface Patience {
  milliseconds: number
  /** What `Preference-Applied` tells; undefined where no preference was followed. */
  applied?: string
}

/** @param usual seconds where the client says nothing; what it says in no known form counts as nothing */
export function patienceOf(request: Pick<FastifyRequest, 'headers'>, usual: number): Patience {
  const wait = preferenceOf(request, 'wait') ?? ''
  const isAsync = preferenceOf(request, 'respond-async') !== undefined
  if (/^\d{1,9}$/.test(wait)) {
    const seconds = Math.min(Number(wait), longestWait)
    // Together they mean: wait so long, and only then respond without the file.
    return { milliseconds: seconds * 1000, applied: `${isAsync ? 'respond-async, ' : ''}wait=${seconds}` }
  }
  return isAsync ? { milliseconds: 0, applied: 'respond-async' } : { milliseconds: usual * 1000 }
}

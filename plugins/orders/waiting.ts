// How long an export waits for its file: the client's preference (RFC 7240), or else the host's option.
import type { FastifyRequest } from 'fastify'
import { preferenceOf } from '../../src/http/prefer.ts'
import { maxWait } from '../../src/print/options.ts'

interface ExportWait {
  milliseconds: number
  /** Value of `Preference-Applied`; undefined if no preference was applied. */
  applied?: string
}

/** @param usual seconds without a preference of the client; a malformed preference is ignored */
export function exportWaitOf(request: Pick<FastifyRequest, 'headers'>, usual: number): ExportWait {
  const wait = preferenceOf(request, 'wait') ?? ''
  const isAsync = preferenceOf(request, 'respond-async') !== undefined
  if (/^\d{1,9}$/.test(wait)) {
    const seconds = Math.min(Number(wait), maxWait)
    // Together they mean: wait that long, and only then respond without the file.
    return { milliseconds: seconds * 1000, applied: `${isAsync ? 'respond-async, ' : ''}wait=${seconds}` }
  }
  return isAsync ? { milliseconds: 0, applied: 'respond-async' } : { milliseconds: usual * 1000 }
}

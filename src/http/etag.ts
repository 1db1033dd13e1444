// Conditional requests (RFC 9110 §13): a strong tag on every single resource, 304 for If-None-Match, 412 for a stale If-Match. A tag is
// the state of the resource, and a suffix for representations other than the default: `"state"` or `"state.suffix"`.
import { hash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { invalidParams, SvcError } from '../core/errors.ts'
import type { Check } from '../core/resource.ts'

/** The tags of a header; '*' matches any. */
function tagsOf(header: string): '*' | string[] {
  return header.trim() === '*' ? '*' : [...header.matchAll(/(?:W\/)?"[^"]*"/g)].map(([tag]) => tag)
}

/**
 * Sets the `ETag` of the response, and returns it.
 * @param state hash of everything that is stored of the resource
 * @param representation what the request selected (`fields`, `include_…`); '' for the default
 */
export function setEtag(reply: FastifyReply, state: string, representation = ''): string {
  const suffix = representation === '' ? '' : `.${hash('sha256', representation, 'base64url').slice(0, 8)}`
  const etag = `"${state}${suffix}"`
  reply.header('etag', etag).header('cache-control', 'private, no-cache')
  return etag
}

/** Whether If-None-Match contains this tag, so that the response is 304. */
export function matchesEtag(request: FastifyRequest, etag: string): boolean {
  const header = request.headers['if-none-match']
  if (header === undefined) return false
  const tags = tagsOf(header)
  // The comparison is weak (RFC 9110 §13.1.2).
  return tags === '*' || tags.some((tag) => tag.replace(/^W\//, '') === etag)
}

/**
 * Throws 412 unless If-Match contains the current state, or one of several that count as current. Call it under the lock of the
 * write.
 */
export type Precondition = (...current: string[]) => void

/** `*`, or entity tags separated by commas (RFC 9110 §13.1.1). */
const isCondition = /^\s*(?:\*|(?:W\/)?"[^"]*"(?:\s*,\s*(?:W\/)?"[^"]*")*)\s*$/

/**
 * If-Match as a precondition; undefined without the header. It compares the states of tags, so any representation matches.
 * @throws SvcError 400 for an invalid entity tag
 */
export function ifMatch(request: FastifyRequest): Precondition | undefined {
  const header = request.headers['if-match']
  if (header === undefined) return undefined
  if (!isCondition.test(header))
    throw invalidParams({ 'If-Match': 'must be an ETag as it was received, with its quotation marks, or *' })
  return preconditionOf(header)
}

const isWeak = (tag: string) => tag.startsWith('W/')
const weakTag =
  'If-Match has a weak tag (W/"…"), which never matches; send the ETag without W/. A proxy that compresses makes such tags.'

/** The precondition of an If-Match header, or of the field of a form that has the same content. */
export function preconditionOf(header: string): Precondition {
  const tags = tagsOf(header)
  if (tags === '*') return () => {}
  const states = tags.map((tag) => tag.slice(1, -1).split('.', 1)[0])
  return (...current) => {
    if (current.some((state) => states.includes(state))) return
    throw new SvcError('svc_precondition_failed', tags.some(isWeak) ? { message: weakTag } : {})
  }
}

/** If-Match as a `Check` for repositories; undefined without the header. */
export function stateCheck(request: FastifyRequest): Check | undefined {
  const precondition = ifMatch(request)
  return precondition && (({ state }) => precondition(state))
}

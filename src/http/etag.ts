// Conditional requests: a strong tag on every single resource, 304 for If-None-Match, 412 for a stale If-Match.
import { hash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { SvcError } from '../errors.ts'

/** The tags of a header; '*' stands for any. */
function tagsOf(header: string): '*' | string[] {
  return header.trim() === '*' ? '*' : [...header.matchAll(/(?:W\/)?"[^"]*"/g)].map(([tag]) => tag)
}

/**
 * Sets the tag of the answer.
 * @param state hash of the resource's full state
 * @param representation what the request asked of it (`fields`, `include_…`); '' for the standard form
 */
export function tag(reply: FastifyReply, state: string, representation = ''): string {
  const suffix = representation === '' ? '' : `.${hash('sha256', representation, 'base64url').slice(0, 8)}`
  const etag = `"${state}${suffix}"`
  reply.headers({ etag, 'cache-control': 'private, no-cache' })
  return etag
}

/** Whether the client already holds this answer: then 304 is all it gets. */
export function isKnown(request: FastifyRequest, etag: string): boolean {
  const header = request.headers['if-none-match']
  if (header === undefined) return false
  const tags = tagsOf(header)
  return tags === '*' || tags.some((held) => held.replace(/^W\//, '') === etag)
}

/** Throws 412 unless If-Match names one of the states. To be called under the lock of the write. */
export type Precondition = (...held: string[]) => void

/** Only the state part of a tag counts: any representation of the same state will do. */
export function ifMatch(request: FastifyRequest): Precondition | undefined {
  const header = request.headers['if-match']
  return header === undefined ? undefined : preconditionOf(header)
}

/** The same for the tags of a form, which sends no headers of its own. */
export function preconditionOf(header: string): Precondition {
  const tags = tagsOf(header)
  if (tags === '*') return () => {}
  const states = tags.map((held) => held.slice(1, -1).split('.', 1)[0])
  return (...held) => {
    if (!held.some((state) => states.includes(state))) throw new SvcError('svc_precondition_failed')
  }
}

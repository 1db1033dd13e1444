// The Idempotency-Key header on POST: a repeated request gets the first response and creates nothing.
import { hash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { SvcContext } from '../app/context.ts'
import { invalidParams } from '../core/errors.ts'
import type { Remembers } from '../core/resource.ts'
import { bearerToken } from './bearer-auth.ts'
import { endpointOf } from './endpoint.ts'
import { principalOf } from './principal.ts'

/** What a route creates: something with an id, a resource, or something that `found_by` identifies. */
export type Made<By> = { id: By } | { resource: { id: By } } | { found_by: By } | undefined

interface Step<By, T> {
  /** Does the work and returns what it created; undefined if what it works on does not exist. */
  make: (options: Remembers<By>) => Promise<T>
  /** Finds what an earlier request with this key created. */
  again: (by: By) => Promise<T>
  /** The body, if Fastify has not parsed it. */
  body?: unknown
  /** Maximum duration of the work in seconds; default 30. */
  maxSeconds?: number
}

const maxKeyLength = 255

/**
 * Runs `make`; with the header, once per key.
 * @throws SvcError 400 for an empty or too long key, 409 while the first request runs, 422 for a reused key
 */
export async function once<T extends Made<By>, By = number>(
  context: SvcContext,
  request: FastifyRequest,
  reply: FastifyReply,
  { make, again, body = request.body, maxSeconds = 30 }: Step<By, T>,
): Promise<T> {
  const key = request.headers['idempotency-key']
  if (key === undefined) return make({})
  if (typeof key !== 'string' || key === '' || key.length > maxKeyLength) {
    throw invalidParams({ 'Idempotency-Key': `must be 1 to ${maxKeyLength} characters long` })
  }
  const { result, replayed } = await context.idempotency.once(
    {
      keyHash: hash('sha256', keyOf(request, key)),
      operation: String(endpointOf(request)?.operation),
      requestHash: hash('sha256', JSON.stringify([request.params, request.query, body])),
      maxSeconds,
    },
    make,
    again,
  )
  if (replayed) reply.header('idempotency-replayed', 'true')
  return result
}

/**
 * Each sender has keys of its own: a token by its digest, so that a new token does not inherit those of a revoked one of
 * the same name; a login of the host by its name. A header contains no line feed, so that nobody can spell the key of
 * another sender.
 */
function keyOf(request: FastifyRequest, key: string): string {
  const { kind, name } = principalOf(request)
  const sender = kind === 'host' ? name : hash('sha256', bearerToken(request.headers.authorization) ?? '')
  return `${kind}\n${sender}\n${key}`
}

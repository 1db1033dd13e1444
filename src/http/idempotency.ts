// The Idempotency-Key header on POST: a repeated request creates nothing, and gets what the first one created as it is now.
import { hash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { SvcContext } from '../app/context.ts'
import { invalidParams } from '../core/errors.ts'
import type { Remembers } from '../core/resource.ts'
import { bearerToken } from './bearer-auth.ts'
import { endpointOf } from './endpoint.ts'
import { principalOf } from './principal.ts'

/** What a route creates. `By` identifies it: its id, the id of its resource, or another value, named `found_by`. */
export type Created<By> = { id: By } | { resource: { id: By } } | { found_by: By } | undefined

interface Creation<By, T> {
  /**
   * Creates something and returns it; undefined if its parent does not exist. `options.remember`, called in the transaction of the
   * write, stores the key together with it.
   */
  make: (options: Remembers<By>) => Promise<T>
  /** Finds what an earlier request with this key has created. */
  findAgain: (by: By) => Promise<T>
  /** Called once, with the result of `make`: false if a repeated request must run `make` again instead of `findAgain`. */
  mayRemember?: (result: NonNullable<T>) => boolean
  /** The body, if it is not `request.body`. */
  body?: unknown
  /** Seconds after which a repeated request may run `make` again, if the first one has not ended; default 30. Nothing ends `make`. */
  maxSeconds?: number
}

const maxKeyLength = 255

/**
 * Runs `make`. With the header it runs once for each key; a repeated request gets what the first one has created.
 * @throws SvcError 400 for an empty or too long key, 409 while the first request runs, 422 for a reused key
 */
export async function once<T extends Created<By>, By = number>(
  context: SvcContext,
  request: FastifyRequest,
  reply: FastifyReply,
  { make, findAgain, mayRemember, body = request.body, maxSeconds = 30 }: Creation<By, T>,
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
    { make, findAgain, mayRemember },
  )
  if (replayed) reply.header('idempotency-replayed', 'true')
  return result
}

/**
 * The key with its sender, so that senders do not share keys. A token is identified by its digest, so that a new token does not
 * inherit the keys of a revoked one of the same name; a login of the host by its name. The parts are separated by line feeds, which
 * headers cannot contain, so no sender can send the key of another one.
 */
function keyOf(request: FastifyRequest, key: string): string {
  const { kind, name } = principalOf(request)
  const sender = kind === 'host' ? name : hash('sha256', bearerToken(request.headers.authorization) ?? '')
  return `${kind}\n${sender}\n${key}`
}

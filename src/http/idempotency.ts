// The Idempotency-Key header on POST: a repeated request creates nothing, and gets what the first one created as it is now.
import { hash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { SvcContext } from '../app/context.ts'
import { invalidParams } from '../core/errors.ts'
import type { Created, Creation } from '../core/resource.ts'
import { endpointOf } from './endpoint.ts'
import { bearerToken } from './gate.ts'
import { principalOf } from './principal.ts'

interface KeyedCreation<T, By> extends Creation<T, By> {
  /** The body, if it is not `request.body`. */
  body?: unknown
  /** Seconds after which a repeated request may run `make` again, if the first one has not ended; default 30. Nothing ends `make`. */
  maxSeconds?: number
}

const maxKeyLength = 255

/**
 * Runs `make`, for a POST that creates something. With the header it runs once for each key; a repeated request gets what the first
 * one has created, and the response header `idempotency-replayed`.
 * @throws SvcError 400 for an empty or too long key, 409 while the first request runs, 422 if the key was used for another request
 */
export async function once<T extends Created<By>, By = number>(
  context: SvcContext,
  request: FastifyRequest,
  reply: FastifyReply,
  { make, findAgain, mayRemember, body = request.body, maxSeconds = 30 }: KeyedCreation<T, By>,
): Promise<T> {
  const key = request.headers['idempotency-key']
  if (key === undefined) return make({})
  if (typeof key !== 'string' || key === '' || key.length > maxKeyLength) {
    throw invalidParams({ 'Idempotency-Key': `must be 1 to ${maxKeyLength} characters long` })
  }
  const { result, replayed } = await context.idempotency.runOnce(
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

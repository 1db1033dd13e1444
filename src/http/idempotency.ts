// The Idempotency-Key header on POST: the same request sent again gets the first one's answer and makes nothing new.
import { hash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { SvcContext } from '../context.ts'
import { SvcError } from '../errors.ts'
import { JsonText } from '../json.ts'

/** What routes make: a resource with an id, or something that is found again by what `found_by` holds. */
export type Made<By> = { resource: { id: By } } | { found_by: By } | undefined

interface Step<By, T> {
  /** Does the work and answers with what it made; undefined when what it works on does not exist. */
  make: () => Promise<T>
  /** Finds what an earlier request with this key made. */
  again: (by: By) => Promise<T>
  /** What the body was, where it is none that Fastify has parsed. */
  body?: unknown
  /** Seconds that the work may take; default 30. */
  longest?: number
}

const longestKey = 255

/**
 * Runs `make`, or without the header just that.
 * @throws SvcError 400 for a key that is empty or too long, 422 and 409 as the key's history demands
 */
export async function once<T extends Made<By>, By = number>(
  context: SvcContext,
  request: FastifyRequest,
  reply: FastifyReply,
  { make, again, body = request.body, longest = 30 }: Step<By, T>,
): Promise<T> {
  const key = request.headers['idempotency-key']
  if (key === undefined) return make()
  if (typeof key !== 'string' || key === '' || key.length > longestKey) {
    throw new SvcError('rest_invalid_param', {
      message: `The header Idempotency-Key must hold 1 to ${longestKey} characters.`,
      data: { params: { 'Idempotency-Key': `must hold 1 to ${longestKey} characters` } },
    })
  }
  const { made, replayed } = await context.idempotency.once(
    {
      keyHash: hash('sha256', key),
      operation: String(
        request.routeOptions.schema && Reflect.get(request.routeOptions.schema, 'operationId'),
      ),
      requestHash: hash('sha256', canonical([request.params, request.query, digested(body)])),
      longest,
    },
    make,
    again,
  )
  if (replayed) reply.header('idempotency-replayed', 'true')
  return made
}

/** The body with digests in the place of values that are kept as their texts: of those, the order of properties counts. */
function digested(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => [
      name,
      value instanceof JsonText ? { digest: value.digest } : value,
    ]),
  )
}

/** JSON text in which the order of members does not matter. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, member: unknown) =>
    typeof member === 'object' &&
    member !== null &&
    !Array.isArray(member) &&
    Object.getPrototypeOf(member) !== null
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  )
}

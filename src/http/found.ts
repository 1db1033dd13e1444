// 404 for the resource that a path names, and If-Match as a check under the lock.
import type { FastifyRequest } from 'fastify'
import { type ErrorCode, SvcError } from '../core/errors.ts'
import type { Check } from '../core/resource.ts'
import { ifMatch } from './etag.ts'

/** Passes a resource on, or throws 404 with the id that was requested. */
export type FoundOr404 = <T>(resource: T | undefined, id?: number | string) => T

/**
 * A function that requires a resource to exist. Without an id, as in a replayed POST, the message is the general one of
 * the code.
 * @param noun the resource in the message; a word in place of an id, such as `master`, reads "No print profile is the master."
 * @example
 * const found = foundOr404('svc_product_not_found', 'product')
 * found(await products.find(5), 5) // throws 404 "No product with the id 5." when there is none
 */
export function foundOr404(code: ErrorCode, noun: string): FoundOr404 {
  return (resource, id) => {
    if (resource !== undefined) return resource
    const message = typeof id === 'string' ? `No ${noun} is the ${id}.` : `No ${noun} with the id ${id}.`
    throw new SvcError(code, id === undefined ? {} : { message })
  }
}

/** If-Match as a check that runs under the lock of a write; undefined without the header. */
export function stateCheck(request: FastifyRequest): Check | undefined {
  const precondition = ifMatch(request)
  return precondition && (({ state }) => precondition(state))
}

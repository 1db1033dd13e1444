// Type and item that a write of an order names. WordPress merges query and body, so a client may send them in either.
import { Type } from '@sinclair/typebox'
import type { FastifyRequest } from 'fastify'
import { invalidParams } from '../../src/core/errors.ts'
import { validators } from '../../src/http/validate.ts'
import { ItemId } from './schema.ts'

/** What a request names of an order. */
interface RequestedItem {
  type?: string | undefined
  item_id?: number | undefined
}

const Query = Type.Object({ type: Type.Optional(Type.String({ maxLength: 100 })), item_id: ItemId })

/**
 * Makes a function that returns the body of a request, with `type` and `item_id` of its query if the body has none.
 * It throws SvcError 400 if query and body differ.
 */
export function bodyWithQuery() {
  const check = validators().query(Query)
  return <B extends RequestedItem>({ body, query }: Pick<FastifyRequest, 'query'> & { body: B }): B => {
    const named: RequestedItem = check(query)
    for (const name of ['type', 'item_id'] as const)
      if (named[name] !== undefined && body[name] !== undefined && named[name] !== body[name])
        throw invalidParams({ [name]: 'differs in query and body; send it once, in the body' })
    return { ...named, ...body }
  }
}

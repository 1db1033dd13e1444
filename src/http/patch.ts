// The body of a PATCH: which properties change, and which conditions the stored resource must meet. Clients may send back what GET
// returned as a whole: a property that cannot be written must then have its current value, and so must an invalid one, which another
// program has stored.
import type { TObject } from '@sinclair/typebox'
import type { FastifyRequest } from 'fastify'
import { invalidParams, missingParams } from '../core/errors.ts'
import type { Current, Write } from '../core/resource.ts'
import { turns } from '../core/turns.ts'
import { parseExact } from '../json/parse.ts'
import { asStored, mayLackObjects } from '../json/php-arrays.ts'
import { isObject, sameJsonInAnyOrder, sameValue } from '../json/values.ts'
import { ifMatch } from './etag.ts'
import { writerOf } from './serialize.ts'

/** The problems of a body by property, each without its subject: `{ limit: 'must be between 1 and 100' }`. */
export type BodyProblems = Readonly<Record<string, string>>

interface Patch {
  /** Schema of the body. */
  schema: TObject
  /** Schema of everything that may be sent back. */
  resource: TObject
  /** A read-only property that repeats writable ones. A body that has it may have no property to change. */
  envelope?: string | undefined
  /** Problems of the sent values. An invalid value is accepted, and changes nothing, if exactly this value is stored. */
  problems: BodyProblems
}

/**
 * What a PATCH changes. The write of the repository calls `decide` with the stored resource under its lock: it throws 412 for a stale
 * If-Match and 400 for invalid values, and returns the changes.
 * @throws SvcError 400 when the body has no property that could be written
 */
export function patchWrite<C extends object>(
  request: FastifyRequest,
  { schema, resource, envelope, problems }: Patch,
): Pick<Write<C>, 'changes' | 'decide'> {
  const precondition = ifMatch(request)
  const isReadOnly = (name: string) => schema.properties[name]?.readOnly === true
  /** Whether the property must have its stored value. */
  const mustMatch = ([name]: [string, unknown]) => isReadOnly(name) || Object.hasOwn(problems, name)
  // The check that found `problems` has refused anything but an object.
  const sent = (request.body ?? {}) as Record<string, unknown>
  const body = Object.entries(sent)
  const matching = body.filter(mustMatch)
  // What is left has the types of the schema, because it has no problem.
  const changes = Object.fromEntries(body.filter((entry) => !mustMatch(entry))) as C
  // An invalid value is no change, but a known property: it is compared with what is stored.
  const isEmpty = Object.keys(changes).length === 0 && Object.keys(problems).length === 0
  if (isEmpty && !(envelope && Object.hasOwn(sent, envelope))) {
    const names = Object.keys(schema.properties).filter((name) => !isReadOnly(name))
    const error = missingParams(names)
    error.message = `At least one of these properties is required: ${names.join(', ')}.`
    throw error
  }
  return {
    changes,
    async decide(current) {
      precondition?.(current.state)
      for (const [name, value] of matching) {
        const property = resource.properties[name]
        const stored = property && writerOf(property)(propertyOf(current, name))
        if (stored !== undefined && sameJsonInAnyOrder(value, stored)) continue
        if (Object.hasOwn(problems, name)) throw invalidParams(problems)
        throw invalidParams({ [name]: 'cannot be changed; omit it or send its current value' })
      }
      return withStoredObjects(changes, schema, current)
    },
  }
}

/**
 * The changes of a client written in PHP, which sends an empty object as an empty array: an array becomes an object again where an
 * object is stored. Changes that are then equal to the stored value are left out.
 */
async function withStoredObjects<T extends object>(
  changes: T,
  { properties }: TObject,
  current: Current,
): Promise<T> {
  const restored: Record<string, unknown> = Object.fromEntries(Object.entries(changes))
  for (const [name, value] of Object.entries(changes)) {
    const json = propertyOf(current, name)
    if (!properties[name]?.['x-blob'] || typeof json !== 'string' || !mayLackObjects(value)) continue
    const turn = turns()
    const stored = parseExact(json)
    await turn()
    restored[name] = asStored(value, stored)
    await turn()
    // The check of the body has turned [] into {}, but an empty object may be stored as [].
    const isEmpty = isEmptyObject(value) && Array.isArray(stored) && stored.length === 0
    if (isEmpty || sameValue(restored[name], stored)) delete restored[name]
  }
  return restored as T
}

const propertyOf = ({ resource }: Current, name: string) => (resource as Record<string, unknown>)[name]

const isEmptyObject = (value: unknown) => isObject(value) && Object.keys(value).length === 0

// PATCH: which properties change, and which conditions the stored resource must meet. A property that
// cannot be written may be sent back with its current value, so that what GET returned can be sent back whole.
import type { TObject } from '@sinclair/typebox'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { invalidParams, missingParams } from '../core/errors.ts'
import type { Check, Found } from '../core/resource.ts'
import { turns } from '../core/turns.ts'
import { parseExact } from '../json/exact.ts'
import { asStored, mayLackObjects } from '../json/php-arrays.ts'
import { equalJson, isObject, sameValue } from '../json/values.ts'
import { ifMatch } from './etag.ts'
import { writerOf } from './serialize.ts'

/** What is wrong with the properties of a body: `{ limit: 'must be between 1 and 100' }`. */
export type BodyProblems = Readonly<Record<string, string>>

const problemsKey: unique symbol = Symbol('svc-api body problems')

declare module 'fastify' {
  interface FastifyRequest {
    /** From the validation to the handler, because a PATCH may send back invalid values that others stored. */
    [problemsKey]?: BodyProblems | undefined
  }
}

/** Prepares the requests of this scope. */
export const decorateBodyProblems = (app: FastifyInstance) => app.decorateRequest(problemsKey, undefined)

/** What the handler must look at. */
export const problemsOf = (request: FastifyRequest): BodyProblems => request[problemsKey] ?? {}

export function setProblems(request: FastifyRequest, problems: BodyProblems): void {
  request[problemsKey] = problems
}

/**
 * Checks If-Match and the properties that are only sent back; undefined when the request has neither, so that no lock
 * is needed.
 */
export function writeCheck(request: FastifyRequest, schema: TObject, resource: TObject): Check | undefined {
  const precondition = ifMatch(request)
  const problems = problemsOf(request)
  const sentBack = Object.entries(request.body ?? {}).filter(([name]) => isSentBack(name, schema, problems))
  if (!precondition && sentBack.length === 0) return undefined
  return async (current) => {
    precondition?.(current.state)
    for (const [name, value] of sentBack) {
      const property = resource.properties[name]
      const stored = property && writerOf(property)(Reflect.get(current.resource, name))
      if (stored !== undefined && equalJson(value, stored)) continue
      if (Object.hasOwn(problems, name)) throw invalidParams(problems)
      throw invalidParams({ [name]: 'cannot be changed; omit it or send its current value' })
    }
  }
}

/**
 * The properties of a PATCH that change something; none where all are only sent back, which `writeCheck` compares.
 * @param envelope a read-only property that repeats writable ones: a body that has it may change nothing
 * @throws SvcError 400 when the body has no property that could be written
 */
export function changesOf<T extends object>(
  request: FastifyRequest & { body: T },
  schema: TObject,
  envelope?: string,
): T {
  const problems = problemsOf(request)
  const changes = Object.fromEntries(
    Object.entries(request.body).filter(([name]) => !isSentBack(name, schema, problems)),
  )
  // An invalid value is no change, but a known property: the check compares it with what is stored.
  const isEmpty = Object.keys(changes).length === 0 && Object.keys(problems).length === 0
  if (isEmpty && !(envelope && Object.hasOwn(request.body, envelope))) {
    const names = Object.keys(schema.properties).filter((name) => !isSentBack(name, schema))
    const error = missingParams(names)
    error.message = `At least one of these properties is required: ${names.join(', ')}.`
    throw error
  }
  return changes as T
}

const isSentBack = (name: string, schema: TObject, problems: BodyProblems = {}) =>
  schema.properties[name]?.readOnly === true || Object.hasOwn(problems, name)

/**
 * The changes with the objects that a client written in PHP sent as arrays, by what is stored; without those that are then
 * as stored.
 * @param find the stored resource; called only where a blob has such arrays
 */
export async function withStoredObjects<T extends object>(
  changes: T,
  { properties }: TObject,
  find: () => Promise<Pick<Found<object>, 'resource'> | undefined>,
): Promise<T> {
  const blobs = Object.entries(changes).filter(
    ([name, value]) => properties[name]?.['x-blob'] && mayLackObjects(value),
  )
  const found = blobs.length > 0 ? await find() : undefined
  if (!found) return changes
  const restored: Record<string, unknown> = Object.fromEntries(Object.entries(changes))
  for (const [name, value] of blobs) {
    const turn = turns()
    const json = Reflect.get(found.resource, name)
    if (typeof json !== 'string') continue
    const stored = parseExact(json)
    await turn()
    restored[name] = asStored(value, stored)
    await turn()
    // The check of the body made {} of [], as which an empty object may be stored.
    const isEmpty = isEmptyObject(value) && Array.isArray(stored) && stored.length === 0
    if (isEmpty || sameValue(restored[name], stored)) delete restored[name]
  }
  return restored as T
}

const isEmptyObject = (value: unknown) => isObject(value) && Object.keys(value).length === 0

// PATCH: which properties change, and which conditions the stored resource must meet. A property that
// cannot be written may be sent back with its current value, so that what GET returned can be sent back whole.
import type { TObject, TSchema } from '@sinclair/typebox'
import type { FastifyRequest } from 'fastify'
import { invalidParams, missingParams } from '../core/errors.ts'
import type { Check } from '../core/resource.ts'
import { equalJson } from '../json/values.ts'
import { type BodyProblems, problemsOf } from './body-problems.ts'
import { ifMatch } from './etag.ts'
import { writerOf } from './serialize.ts'

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
      const stored = property && jsonOf(Reflect.get(current.resource, name), property)
      if (stored !== undefined && equalJson(value, stored)) continue
      if (Object.hasOwn(problems, name)) throw invalidParams(problems)
      throw invalidParams({ [name]: 'cannot be changed; omit it or send its current value' })
    }
  }
}

/**
 * The properties of a PATCH that change something; none where all are only sent back, which `writeCheck` compares.
 * @param carrier a read-only property that repeats writable ones: a body that has it may change nothing
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

/** The value as a client sees it. */
const jsonOf = (value: unknown, schema: TSchema) => writerOf(schema)(value)

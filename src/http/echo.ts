// Members that cannot be written, or not with such a value, but may come back as they are: what was read can be sent.
import { isDeepStrictEqual } from 'node:util'
import type { TObject, TSchema } from '@sinclair/typebox'
import type { FastifyRequest } from 'fastify'
import { invalidParams, missingParams } from '../errors.ts'
import { ifMatch } from './etag.ts'
import { problemsOf } from './validate.ts'

/** What a write finds under its lock: the resource as GET gives it, and its state tag. */
export interface Current {
  resource: object
  state: string
}

/** Throws when the write must not happen; to be called under the lock of the write. */
export type Check = (current: Current) => void

/** If-Match and the echoes of a PATCH in one check; undefined when the request has neither, so that no lock is needed. */
export function checkOf(
  request: FastifyRequest,
  body: object | undefined,
  schema: TObject,
  resource: TObject,
): Check | undefined {
  const precondition = ifMatch(request)
  const problems = problemsOf(body ?? {})
  const echoes = Object.entries(body ?? {}).filter(([name]) => isEcho(name, schema, problems))
  if (!precondition && echoes.length === 0) return undefined
  return (current) => {
    precondition?.(current.state)
    for (const [name, value] of echoes) {
      const now = plain(Reflect.get(current.resource, name), resource.properties[name])
      if (name in resource.properties && isDeepStrictEqual(asDoubles(value), asDoubles(now))) continue
      if (Object.hasOwn(problems, name)) throw invalidParams(problems)
      throw invalidParams({ [name]: 'cannot be changed; leave it out or send its current value' })
    }
  }
}

/**
 * The properties of a PATCH that change something; none where all hold what only others could store, which `checkOf`
 * compares.
 * @throws SvcError 400 when there is none that could be written
 */
export function changesOf<T extends object>(body: T, schema: TObject): T {
  const problems = problemsOf(body)
  const changes = Object.fromEntries(Object.entries(body).filter(([name]) => !isEcho(name, schema, problems)))
  // Values that only others could store are no changes, but known ones: the check tells whether they are current.
  if (Object.keys(changes).length === 0 && Object.keys(problems).length === 0) {
    const names = Object.keys(schema.properties).filter((name) => !isEcho(name, schema))
    const error = missingParams(names)
    error.message = `At least one of these members is required: ${names.join(', ')}.`
    throw error
  }
  return changes as T
}

const isEcho = (name: string, schema: TObject, problems: object = {}) =>
  schema.properties[name]?.readOnly === true || Object.hasOwn(problems, name)

/** Numbers as every JSON reader has them: a client may send back fewer digits than are stored. */
const asDoubles = (value: unknown): unknown => JSON.parse(JSON.stringify(value ?? null))

/** The value as a client sees it: blobs are kept as JSON text until they are written. */
function plain(value: unknown, schema: TSchema | undefined): unknown {
  if (schema?.['x-blob']) return typeof value === 'string' ? JSON.parse(value) : null
  if (schema?.type === 'array' && Array.isArray(value)) return value.map((item) => plain(item, schema.items))
  if (schema?.type !== 'object' || typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, plain(member, schema.properties[name])]),
  )
}

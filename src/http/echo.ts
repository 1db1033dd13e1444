// Members of a representation that cannot be written, but may come back with the value they have: what was read can be sent.
import { isDeepStrictEqual } from 'node:util'
import type { TObject, TSchema } from '@sinclair/typebox'
import type { FastifyRequest } from 'fastify'
import { invalidParams, missingParams } from '../errors.ts'
import { ifMatch } from './etag.ts'

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
  const echoes = Object.entries(body ?? {}).filter(([name]) => isEcho(schema.properties[name]))
  if (!precondition && echoes.length === 0) return undefined
  return (current) => {
    precondition?.(current.state)
    for (const [name, value] of echoes) {
      const now = plain(Reflect.get(current.resource, name), resource.properties[name])
      if (!isDeepStrictEqual(asDoubles(value), asDoubles(now))) {
        throw invalidParams({ [name]: 'cannot be changed; leave it out or send its current value' })
      }
    }
  }
}

/**
 * The members of a PATCH that change something.
 * @throws SvcError 400 when there is none
 */
export function changesOf<T extends object>(body: T, schema: TObject): T {
  const changes = Object.fromEntries(
    Object.entries(body).filter(([name]) => !isEcho(schema.properties[name])),
  )
  if (Object.keys(changes).length === 0) {
    const names = Object.keys(schema.properties).filter((name) => !isEcho(schema.properties[name]))
    const error = missingParams(names)
    error.message = `At least one of these members is required: ${names.join(', ')}.`
    throw error
  }
  return changes as T
}

const isEcho = (schema: TSchema | undefined) => schema?.readOnly === true

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

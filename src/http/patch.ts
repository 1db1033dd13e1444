// Members that cannot be written, or not with such a value, but may come back as they are: what was read can be sent.
import { isDeepStrictEqual } from 'node:util'
import type { TObject, TSchema } from '@sinclair/typebox'
import type { FastifyRequest } from 'fastify'
import { invalidParams, missingParams } from '../errors.ts'
import { jsonTextOf } from '../json.ts'
import { largeFrom, offThread } from '../off-thread/off-thread.ts'
import { ifMatch } from './etag.ts'
import { writerOf } from './serialize.ts'
import { problemsOf } from './validate.ts'

/** What a write finds under its lock: the resource as GET gives it, and its state tag. */
export interface Current {
  resource: object
  state: string
}

/** Throws when the write must not happen; to be called under the lock of the write. */
export type Check = (current: Current) => void | Promise<void>

/** If-Match and the echoes of a PATCH in one check; undefined when the request has neither, so that no lock is needed. */
export function writeCheck(
  request: FastifyRequest,
  body: object | undefined,
  schema: TObject,
  resource: TObject,
): Check | undefined {
  const precondition = ifMatch(request)
  const problems = problemsOf(body ?? {})
  const echoes = Object.entries(body ?? {}).filter(([name]) => isEcho(name, schema, problems))
  if (!precondition && echoes.length === 0) return undefined
  return async (current) => {
    precondition?.(current.state)
    for (const [name, value] of echoes) {
      const member = resource.properties[name]
      const now = member && jsonOf(Reflect.get(current.resource, name), member)
      if (now !== undefined && (await isSame(jsonTextOf(value), now))) continue
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

/** Whether two JSON texts mean the same. */
async function isSame(sent: string, now: string): Promise<boolean> {
  if (sent === now) return true
  const isLarge = sent.length + now.length >= largeFrom
  return isLarge ? offThread<boolean>(import.meta.url, 'isSameJson', sent, now) : isSameJson(sent, now)
}

/** The same, here and now. Numbers count as every JSON reader has them: a client may send back fewer digits than are stored. */
export const isSameJson = (a: string, b: string): boolean => isDeepStrictEqual(JSON.parse(a), JSON.parse(b))

/** The value as a client sees it. */
const jsonOf = (value: unknown, schema: TSchema): string => writerOf(schema)(value)

// What the standalone functions about the audit trail and the outbox may be asked.
import { type Static, type TObject, type TSchema, Type } from '@sinclair/typebox'
import { changedResources } from '../core/change.ts'
import { booleanOption, optionsObject, valueOption, wholeNumber } from '../core/check-options.ts'
import { databaseOptions } from '../db/options.ts'

const must = 'be an object that names the database'
const limit = wholeNumber('a number of rows', 10_000)
/** Of a query that may be put together from what somebody else was given. */
const condition = <T extends TSchema>(schema: T) => Type.Optional(Type.Unsafe<Static<T> | undefined>(schema))

const auditConditions = {
  /** Only of this kind, for example `product`. */
  resource: condition(
    valueOption<string>(
      (value) => changedResources().some((name) => name === value),
      'be what events are about, such as "product"',
    ),
  ),
  /** Only with this id. */
  id: condition(Type.Union([Type.String(), Type.Integer()], { must: 'be an id' })),
  /** Not older than this. */
  since: condition(
    valueOption<Date>((value) => value instanceof Date && !Number.isNaN(Number(value)), 'be a valid Date'),
  ),
  /** The most entries to return, newest first. Default 100, at most 10,000. */
  limit: condition(limit),
}

/** Which entries of the audit trail to return; all conditions count. */
export type AuditQuery = Static<TObject<typeof auditConditions>>

const webhookConditions = {
  /** Only dead events; else those that wait as well. */
  dead: condition(booleanOption),
  /** The most events to return, oldest first. Default 100, at most 10,000. */
  limit: condition(limit),
}

/** Which events of the outbox to return. */
export type WebhookQuery = Static<TObject<typeof webhookConditions>>

export const auditQuery = optionsObject({ ...databaseOptions, ...auditConditions }, must)
export const webhookQuery = optionsObject({ ...databaseOptions, ...webhookConditions }, must)
export const replayQuery = optionsObject(
  {
    ...databaseOptions,
    id: Type.Optional(Type.String({ minLength: 1, must: 'be the id of an event' })),
    dead: Type.Optional(Type.Literal(true, { must: 'be true' })),
  },
  must,
)

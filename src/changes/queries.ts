// What the functions for operators take (standalone.ts): conditions on the rows of the audit trail and of the outbox.
import { type Static, type TSchema, Type } from '@sinclair/typebox'
import { changedResources } from '../core/change.ts'
import {
  booleanOption,
  type OptionsOf,
  optionsObject,
  valueOption,
  wholeNumber,
} from '../core/check-options.ts'
import { databaseOptions } from '../db/options.ts'

const namesDatabase = 'be an object that names the database'
const limit = wholeNumber('a number of rows', 10_000)
/** An optional condition of a query; undefined counts as absent. */
const condition = <T extends TSchema>(schema: T) => Type.Optional(Type.Unsafe<Static<T> | undefined>(schema))

const auditConditions = {
  /** Only of this kind, for example `product`. */
  resource: condition(
    valueOption<string>(
      (value) => changedResources.some((name) => name === value),
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
export interface AuditQuery extends OptionsOf<typeof auditConditions> {}

const webhookConditions = {
  /** Only dead events; else those that wait as well. */
  dead: condition(booleanOption),
  /** The most events to return, oldest first. Default 100, at most 10,000. */
  limit: condition(limit),
}

/** Which events of the outbox to return. */
export interface WebhookQuery extends OptionsOf<typeof webhookConditions> {}

/** The schema of the argument of `auditEntries`. */
export const auditQuery = optionsObject({ ...databaseOptions, ...auditConditions }, namesDatabase)
/** The schema of the argument of `webhookEvents`. */
export const webhookQuery = optionsObject({ ...databaseOptions, ...webhookConditions }, namesDatabase)
/** The schema of the argument of `replayWebhooks`. */
export const replayQuery = optionsObject(
  {
    ...databaseOptions,
    id: Type.Optional(Type.String({ minLength: 1, must: 'be the id of an event' })),
    dead: Type.Optional(Type.Literal(true, { must: 'be true' })),
  },
  namesDatabase,
)

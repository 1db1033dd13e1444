// Schemas of the options about changes.
import type { TSchema } from '@sinclair/typebox'
import { changedResources } from '../core/change.ts'
import {
  booleanOption,
  functionOption,
  httpUrl,
  optionsObject,
  seconds,
  wholeNumber,
} from '../core/check-options.ts'
import { Type } from '../core/typebox.ts'
import { databaseOptions } from '../db/options-schema.ts'
import type { AuditOptions, ChangeOptions, WebhookEndpoint } from './options.ts'

const secret = 'be a secret such as "whsec_…", or an array of secrets'

function isEventType(value: unknown): boolean {
  const [resource, action, ...rest] = typeof value === 'string' ? value.split('.') : []
  const isKnown = changedResources().some((name) => name === resource)
  const actions = ['created', 'updated', 'deleted', '*']
  return (isKnown || resource === '*') && actions.includes(action ?? '') && rest.length === 0
}

const endpoint = optionsObject(
  {
    url: httpUrl('(\\?[^\\s#]*)?', 'be an https URL without credentials and fragment'),
    secret: Type.Union(
      [
        Type.String({ minLength: 1, must: secret }),
        Type.Array(Type.String({ minLength: 1, must: secret }), { minItems: 1, must: secret }),
      ],
      { must: secret },
    ),
    events: Type.Optional(
      Type.Array(
        Type.Any({ holds: isEventType, must: 'be a type such as "product.updated" or "product.*"' }),
        { minItems: 1, must: 'be an array of types such as "product.*"' },
      ),
    ),
    allowInternal: Type.Optional(booleanOption),
    seconds: Type.Optional(seconds(60)),
  } satisfies Record<keyof WebhookEndpoint, TSchema>,
  'be an object with url and secret',
)

const audit = optionsObject(
  { keepDays: Type.Optional(wholeNumber('a number of days', 36_500)) } satisfies Record<
    keyof AuditOptions,
    TSchema
  >,
  'be an object such as { keepDays: 365 }',
)

export const changeOptions = {
  onChange: Type.Optional(functionOption),
  audit: Type.Optional(
    Type.Union([Type.Boolean(), audit], { must: 'be true, false or an object such as { keepDays: 365 }' }),
  ),
  webhooks: Type.Optional(Type.Array(endpoint, { must: 'be an array of endpoints with url and secret' })),
} satisfies Record<keyof ChangeOptions, TSchema>

const must = 'be an object that names the database'
const limit = Type.Optional(wholeNumber('a number of rows', 10_000))

/** Of the standalone functions. */
export const auditQuery = optionsObject(
  {
    ...databaseOptions,
    resource: Type.Optional(
      Type.Any({
        holds: (value: unknown) => changedResources().some((name) => name === value),
        must: 'be what events are about, such as "product"',
      }),
    ),
    id: Type.Optional(Type.Union([Type.String(), Type.Integer()], { must: 'be an id' })),
    since: Type.Optional(
      Type.Any({
        holds: (value: unknown) => value instanceof Date && !Number.isNaN(Number(value)),
        must: 'be a valid Date',
      }),
    ),
    limit,
  },
  must,
)

export const webhookQuery = optionsObject(
  { ...databaseOptions, dead: Type.Optional(booleanOption), limit },
  must,
)

export const replayQuery = optionsObject(
  {
    ...databaseOptions,
    id: Type.Optional(Type.String({ minLength: 1, must: 'be the id of an event' })),
    dead: Type.Optional(Type.Literal(true, { must: 'be true' })),
  },
  must,
)

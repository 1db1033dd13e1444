// The host's options about changes, the endpoints that they mean, and the queries of the standalone functions.
import { hash } from 'node:crypto'
import { type Static, type TSchema, Type } from '@sinclair/typebox'
import { actionsOf, type Change, changedResources } from '../core/change.ts'
import {
  booleanOption,
  functionOption,
  httpUrl,
  type OptionsOf,
  optionsObject,
  seconds,
  valueOption,
  wholeNumber,
} from '../core/check-options.ts'
import type { Listener } from '../db/after-commit.ts'
import { databaseOptions } from '../db/options.ts'
import { type WebhookSecret, webhookSecret } from '../outbound/signature.ts'

const secret = Type.String({ minLength: 1, must: 'be a secret such as "whsec_…", or an array of secrets' })
const { must } = secret

function isEventType(value: unknown): boolean {
  const [resource = '', action = '', ...rest] = typeof value === 'string' ? value.split('.') : []
  const resources = resource === '*' ? changedResources : changedResources.filter((name) => name === resource)
  const actions: readonly string[] = resources.flatMap(actionsOf)
  return resources.length > 0 && (action === '*' || actions.includes(action)) && rest.length === 0
}

const webhookEndpoint = optionsObject(
  {
    /** An https URL of a public server. @example 'https://erp.example/svc' */
    url: httpUrl('(\\?[^\\s#]*)?', 'be an https URL without credentials and fragment'),
    /**
     * Signs the events (Standard Webhooks): `whsec_` and at least 16 bytes in base64. During a change of the secret the new
     * and the old one. @example 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
     */
    secret: Type.Union([secret, Type.Array(secret, { minItems: 1, must })], { must }),
    /** Types of the events to send: `product.updated`, `product.*`, `*.deleted`. Default: all. @example ['product.*'] */
    events: Type.Optional(
      Type.Array(
        Type.String({ holds: isEventType, must: 'be a type such as "product.updated" or "product.*"' }),
        { minItems: 1, must: 'be an array of types such as "product.*"' },
      ),
    ),
    /** Also allows http, and servers with private addresses. Default `false`. @example true */
    allowInternal: Type.Optional(booleanOption),
    /** Seconds that one delivery may take. Default 15. @example 5 */
    seconds: Type.Optional(seconds(60)),
  },
  'be an object with url and secret',
)

/** A URL to which events are sent, and what it gets. */
export interface WebhookEndpoint extends OptionsOf<(typeof webhookEndpoint)['properties']> {}

const auditOptions = optionsObject(
  {
    /** Days after which an entry is removed. Default 90. @example 365 */
    keepDays: Type.Optional(wholeNumber('a number of days', 36_500)),
  },
  'be an object such as { keepDays: 365 }',
)

/** How long the audit trail is kept. */
export interface AuditOptions extends OptionsOf<(typeof auditOptions)['properties']> {}

/** The schema of {@link ChangeOptions}, a part of the options of the root plugin. */
export const changeOptions = {
  /**
   * Called after commit for each change that this API makes. Like other listeners it may be async; the response waits for
   * it up to two seconds. See {@link Change}.
   * @example ({ operation, resource, id, principal }) => log.info({ operation, resource, id, by: principal?.name })
   */
  onChange: Type.Optional(functionOption<Listener<Change>>()),
  /**
   * Keeps who changed what in the table `svc_api_audit`, written in the transaction of the change. Default `false`.
   * @example { keepDays: 365 }
   */
  audit: Type.Optional(
    Type.Union([Type.Boolean(), Type.Unsafe<AuditOptions>(auditOptions)], {
      must: 'be true, false or an object such as { keepDays: 365 }',
    }),
  ),
  /**
   * Sends each change to these URLs, at least once and in order for each resource, even if processes are killed. See
   * {@link WebhookEndpoint}.
   * @example [{ url: 'https://erp.example/svc', secret: 'whsec_…', events: ['product.*'] }]
   */
  webhooks: Type.Optional(
    Type.Array(Type.Unsafe<WebhookEndpoint>(webhookEndpoint), {
      must: 'be an array of endpoints with url and secret',
    }),
  ),
}

/** Consumers of changes. Each is off by default. */
export interface ChangeOptions extends OptionsOf<typeof changeOptions> {}

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

/** A receiver of events. */
export interface Endpoint {
  /** Hash of its URL, by which the rows of the outbox name it. */
  id: string
  url: URL
  /** Each signs the events, during a change of the secret two. */
  secrets: readonly WebhookSecret[]
  /** Whether it gets events of this type, such as `product.updated`. */
  wants(type: string): boolean
  /** Whether http and private addresses are allowed. */
  isTrusted: boolean
  /** How long one delivery may take. */
  milliseconds: number
}

/** The type of a change's event, for example `product.updated`. */
export const eventTypeOf = ({ resource, action }: Pick<Change, 'resource' | 'action'>) =>
  `${resource}.${action}`

/** The endpoints of the option `webhooks`, in its order. @throws Error with a sentence if an option is wrong */
export function endpointsOf(options: readonly WebhookEndpoint[] = []): Endpoint[] {
  const endpoints = options.map(endpointOf)
  const seen = new Set<string>()
  for (const [index, { id }] of endpoints.entries()) {
    if (seen.has(id)) throw new Error(`webhooks[${index}].url: must differ from those before.`)
    seen.add(id)
  }
  return endpoints
}

function endpointOf(
  { url: text, secret, events, allowInternal = false, seconds = 15 }: WebhookEndpoint,
  index: number,
): Endpoint {
  const url = new URL(text)
  if (url.protocol !== 'https:' && !allowInternal)
    throw new Error(`webhooks[${index}].url: must be an https URL, unless allowInternal is true.`)
  const secrets = [secret].flat().map((value) => webhookSecret(`webhooks[${index}].secret`, value))
  return {
    id: hash('sha256', url.href).slice(0, 32),
    url,
    secrets,
    wants: matcherOf(events),
    isTrusted: allowInternal,
    milliseconds: seconds * 1000,
  }
}

/** Returns a test whether one of the patterns matches an event type; `*` stands for either part. */
function matcherOf(patterns: readonly string[] = ['*.*']): (type: string) => boolean {
  const parts = patterns.map((pattern) => pattern.split('.'))
  return (type) => {
    const [resource, action] = type.split('.')
    return parts.some(
      ([first, second]) => (first === '*' || first === resource) && (second === '*' || second === action),
    )
  }
}

// The host's options about changes: listener, audit trail, webhooks. The documents are generated from the comments.
import { Type } from '@sinclair/typebox'
import { actionsOf, type Change, changedResources } from '../core/change.ts'
import {
  booleanOption,
  functionOption,
  httpUrl,
  type OptionsOf,
  optionsObject,
  seconds,
  wholeNumber,
} from '../core/check-options.ts'
import type { Listener } from '../db/after-commit.ts'

const secret = Type.String({ minLength: 1, must: 'be a secret such as "whsec_…", or an array of secrets' })
const { must } = secret

/** Whether the value is a type such as `product.updated`, with `*` for either part or both. */
function isEventType(value: unknown): boolean {
  const [resource = '', action = '', ...further] = typeof value === 'string' ? value.split('.') : []
  const resources = resource === '*' ? changedResources : changedResources.filter((name) => name === resource)
  const actions: readonly string[] = resources.flatMap(actionsOf)
  return resources.length > 0 && (action === '*' || actions.includes(action)) && further.length === 0
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

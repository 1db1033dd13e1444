// The endpoints of webhooks, made from the option `webhooks` when a server or command starts.
import { hash } from 'node:crypto'
import type { Change } from '../core/change.ts'
import { type WebhookSecret, webhookSecret } from '../outbound/signature.ts'
import type { WebhookEndpoint } from './options.ts'

/** A receiver of events, which both the outbox and the delivery loop read. */
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

// Changes and their author. Repositories note each change in the transaction of its write; after COMMIT the audit trail, webhooks and
// listeners receive it. The author travels in the scope of the request, the noted changes with their transaction.

import { requestScope, withScope } from './deadline.ts'
import { type GroupEvent, groups } from './groups.ts'
import type { Principal } from './principal.ts'

/** A kind of resource whose changes are reported. Its name begins the `type` of a webhook, as in `product.updated`. */
export type ChangedResource = GroupEvent | 'named_token'

/** All of them. */
export const changedResources: readonly ChangedResource[] = [
  ...groups.flatMap(({ events = [] }) => events as GroupEvent[]),
  'named_token',
]

/** `printable` is for orders, `completed` and `failed` for print jobs, beside their `updated`. */
export type ChangeAction = 'created' | 'updated' | 'deleted' | 'printable' | 'completed' | 'failed'

/** The actions of the events of a resource. */
export function actionsOf(resource: string): readonly ChangeAction[] {
  if (resource === 'order') return ['printable']
  const written: readonly ChangeAction[] = ['created', 'updated', 'deleted']
  return resource === 'print_job' ? [...written, 'completed', 'failed'] : written
}

/** The print that an event is about. */
export interface ChangedPrint {
  /** `wc`, `gf` or `shortcode`. */
  order_type: string
  order_id: string
  /** Empty for an order without items, or that is printed as a whole. */
  item_ids: number[]
  /** Name of the print file; null if there is none. */
  file: string | null
}

/** One change of one resource. */
export interface Change {
  /** The operation that caused it, for example `update_product`. */
  operation: string
  /** The resource that the operation names: deleting a product reports no changes of its views. */
  resource: ChangedResource
  action: ChangeAction
  /** As in responses, or the name of a token; null for a resource without an id, such as the color library. */
  id: number | string | null
  /** Who sent the request; null if the sender is unknown, as in the webhook for print-ready files, and outside of requests. */
  principal: Pick<Principal, 'kind' | 'name'> | null
  /** `X-Request-Id` of the response; null outside of requests. */
  request_id: string | null
  /**
   * The `ETag` of the whole resource before and after the change; null if the write did not read it, or if the resource has none.
   */
  before_etag: string | null
  after_etag: string | null
  /** In `order.printable`, `print_job.completed` and `print_job.failed`; not in the audit trail. */
  print?: ChangedPrint
}

/** A change as a repository notes it. `before` and `after` are states, the part of an `ETag` before the suffix. */
export interface NotedChange extends Pick<Change, 'resource' | 'action' | 'id' | 'print'> {
  before?: string | undefined
  after?: string | undefined
}

/** The request, or the background work, on whose behalf something is written. */
export interface Author extends Pick<Change, 'operation' | 'principal' | 'request_id'> {
  /** Calls of listeners (db/after-commit.ts adds them), which must end before the request responds; `reporting` awaits them. */
  waits: Promise<unknown>[]
}

declare module './deadline.ts' {
  interface RequestScope {
    author?: Author | undefined
  }
}

/** The author for whom the caller works; undefined if nothing consumes changes, and outside of requests. */
export const currentAuthor = (): Author | undefined => requestScope().author

/** The author of writes that no request causes, such as resuming the work of a process that was killed. */
export const upkeep = (): Author => ({ operation: 'upkeep', principal: null, request_id: null, waits: [] })

/** Runs work on behalf of an author. */
export const onBehalfOf = <T>(author: Author | undefined, work: () => T): T => withScope({ author }, work)

/** Runs work on behalf of an author, and waits until its changes are reported, even if it fails. */
export async function reporting<T>(author: Omit<Author, 'waits'>, work: () => Promise<T>): Promise<T> {
  const waits: Promise<unknown>[] = []
  try {
    return await withScope({ author: { ...author, waits } }, work)
  } finally {
    await Promise.all(waits)
  }
}

/** Runs an operation that no request has caused, so that its changes have no principal. */
export const reportingAs = <T>(operation: string, work: () => Promise<T>): Promise<T> =>
  reporting({ operation, principal: null, request_id: null }, work)

/** The changes that a transaction has noted so far; undefined if nothing consumes changes. */
export interface WithNotedChanges {
  readonly noted: NotedChange[] | undefined
}

/** Notes a change in the transaction that makes it. Does nothing if nothing consumes changes. */
export function noteChange({ noted }: WithNotedChanges, change: NotedChange): void {
  noted?.push(change)
}

/** The noted changes with the current author, without updates that changed nothing. */
export function changesOf(noted: readonly NotedChange[]): Change[] {
  if (noted.length === 0) return []
  const { operation, principal, request_id } = currentAuthor() ?? upkeep()
  return noted.flatMap(({ resource, action, id, print, before, after }) => {
    // The write has stored what was stored before.
    if (action === 'updated' && before !== undefined && before === after) return []
    const tags = { before_etag: etagOf(before), after_etag: action === 'deleted' ? null : etagOf(after) }
    const change = { operation, resource, action, id, principal, request_id, ...tags }
    return print ? { ...change, print } : change
  })
}

const etagOf = (state: string | undefined) => (state === undefined ? null : `"${state}"`)

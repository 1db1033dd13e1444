// Changes and their author: repositories note each change in the transaction of the write, and it is reported after the commit.
import { type GroupEvent, groups } from './groups.ts'
import type { Principal } from './principal.ts'
import { requestScope, withScope } from './request-scope.ts'

/** What events are about. Each is also the beginning of a webhook's `type`, as in `product.updated`. */
export type ChangedResource = GroupEvent | 'named_token'

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

/** What an event about printing is about. */
export interface ChangedPrint {
  /** `wc`, `gf` or `shortcode`. */
  order_type: string
  order_id: string
  /** Empty where the order has no items, or is printed as a whole. */
  item_ids: number[]
  /** Name of the print file; null where there is none. */
  file: string | null
}

/** One change of one resource. */
export interface Change {
  /** The operation that caused it, for example `update_product`. */
  operation: string
  /** What the change is about; the operation names it, so that a deleted product has no events for its views. */
  resource: ChangedResource
  /** What became of it. */
  action: ChangeAction
  /** As responses of the API carry it, or the name of a token; null for a resource without one, such as the color library. */
  id: number | string | null
  /** Who sent the request; null where no caller is known, as in the webhook for print-ready files, and outside of requests. */
  principal: Pick<Principal, 'kind' | 'name'> | null
  /** `X-Request-Id` of the response; null outside of requests. */
  request_id: string | null
  /**
   * The `ETag` of the whole resource before and after the change; null where the write read neither, or where there is
   * none.
   */
  before_etag: string | null
  after_etag: string | null
  /** Of `order.printable`, `print_job.completed` and `print_job.failed`: what is printed. Not in the audit trail. */
  print?: ChangedPrint
}

/** What a repository knows of a change. The states are those of `ETag`, without quotation marks. */
export interface NotedChange extends Pick<Change, 'resource' | 'action' | 'id' | 'print'> {
  before?: string | undefined
  after?: string | undefined
}

/** On whose behalf something is written. */
export interface Author extends Pick<Change, 'operation' | 'principal' | 'request_id'> {
  /** What the request waits for before it responds. */
  waits: Promise<unknown>[]
}

declare module './request-scope.ts' {
  interface RequestScope {
    author?: Author | undefined
    /** Of the running transaction. */
    changes?: NotedChange[] | undefined
  }
}

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

/** Runs one attempt of a transaction; `noteChange` adds its changes to the list. */
export const noting = <T>(changes: NotedChange[], work: () => T): T => withScope({ changes }, work)

/** Notes a change, in the transaction that makes it. Without a reader of changes this does nothing. */
export function noteChange(change: NotedChange): void {
  requestScope().changes?.push(change)
}

/** The changes that were noted, for the current author. */
export function changesOf(noted: readonly NotedChange[]): Change[] {
  if (noted.length === 0) return []
  const { operation, principal, request_id } = currentAuthor() ?? upkeep()
  return noted.flatMap(({ resource, action, id, print, before, after }) => {
    // Written again as it was.
    if (action === 'updated' && before !== undefined && before === after) return []
    const tags = { before_etag: etagOf(before), after_etag: action === 'deleted' ? null : etagOf(after) }
    const change = { operation, resource, action, id, principal, request_id, ...tags }
    return print ? { ...change, print } : change
  })
}

const etagOf = (state: string | undefined) => (state === undefined ? null : `"${state}"`)

// The types that repositories and routes exchange for one resource.

/** A stored value that cannot be read; `table` only where the value belongs to a nested item. */
export interface Unreadable {
  id: number
  column: string
  table?: string
}

/** A resource as GET returns it, with the state tag that `ETag` and `If-Match` carry. */
export interface Found<T> {
  resource: T
  state: string
  unreadable: Unreadable[]
}

/** Throws when the write must not happen, by what was found under its lock. */
export type Check = (current: Pick<Found<object>, 'resource' | 'state'>) => void | Promise<void>

/** The fields that a request selects: columns of other fields are not read. */
export interface Selection {
  has(field: string): boolean
}

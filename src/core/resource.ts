// What repositories and routes hand each other around one resource.

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

/** What a write finds under its lock: the resource as GET returns it, and its state tag. */
export interface Current {
  resource: object
  state: string
}

/** Throws when the write must not happen. Call it under the lock of the write. */
export type Check = (current: Current) => void | Promise<void>

/** The fields that a request selects: columns of other fields are not read. */
export interface Selection {
  has(field: string): boolean
}

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

/** What a write finds under its lock. */
export type Current = Pick<Found<object>, 'resource' | 'state'>

/** Throws if the write must not happen. */
export type Check = (current: Current) => void | Promise<void>

/** How a repeated request finds the result of the first one. */
export interface Remembers<By = number> {
  /** Stores what finds the result again. Call it in the transaction of the write. */
  remember?(trx: object, by: By): Promise<void>
}

/** What a write does in addition to its changes. */
export interface WriteOptions extends Remembers {
  /** Whether the result contains the resource as it was written, which the response needs unless it is minimal. */
  readBack: boolean
}

/** A change of a stored resource. */
export interface Write<C> extends WriteOptions {
  /** What is to change; `decide` may find that some of it is stored already. */
  changes: C
  /**
   * The changes to write to the resource that was found.
   * @throws SvcError 412 if it has another state, 400 for a value that cannot be changed and differs from the stored one
   */
  decide(current: Current): Promise<C>
}

/** The result of a write. */
export interface Written<F> {
  id: number
  /** Only if the write is to read it back. */
  found: F | undefined
  /** Whether the write created the row, so that its existence proves the write. */
  isNew: boolean
}

/** Options of writes that no request causes. */
export const readBack: WriteOptions = { readBack: true }

/** A change that depends on nothing but `check`. */
export const changeOf = <C>(
  changes: C,
  { check, ...options }: WriteOptions & { check?: Check | undefined } = readBack,
): Write<C> => ({
  ...options,
  changes,
  async decide(current) {
    await check?.(current)
    return changes
  },
})

/** The fields that a request selects: columns of other fields are not read. */
export interface Selection {
  has(field: string): boolean
}

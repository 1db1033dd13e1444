// Types that repositories and routes share: a resource as it is found, the options of a write, and its result.

/** A stored value that cannot be read. `table` is set only if the value belongs to a nested item. */
export interface Unreadable {
  id: number
  column: string
  table?: string
}

/** A resource as GET returns it. */
export interface Found<T> {
  resource: T
  /** Hash of everything that is stored of it: the first part of its `ETag`. */
  state: string
  unreadable: Unreadable[]
}

/** The stored resource that a write finds under its lock. */
export type Current = Pick<Found<object>, 'resource' | 'state'>

/** Throws if the write must not happen. */
export type Check = (current: Current) => void | Promise<void>

/** How a request that is repeated with the same Idempotency-Key finds the result of the first one. */
export interface Remembers<By = number> {
  /** Stores the value that finds the result again. Call it in the transaction of the write. */
  remember?(trx: object, by: By): Promise<void>
}

/** What a route creates, with the value `By` that finds it again: its id, the id of its resource, or another value. */
export type Created<By> = { id: By } | { resource: { id: By } } | { found_by: By } | undefined

/** What a POST creates, once for each Idempotency-Key. */
export interface Creation<T, By> {
  /**
   * Creates something and returns it; undefined if its parent does not exist. If it calls `options.remember` in the transaction of the
   * write, the write and the key are stored both or neither; otherwise the key is stored afterwards.
   */
  make: (options: Remembers<By>) => Promise<T>
  /** Finds what an earlier request with this key has created. */
  findAgain: (by: By) => Promise<T>
  /** Called with the result of `make`; false if a repeated request must run `make` again. Default: it finds the result. */
  mayRemember?: ((result: NonNullable<T>) => boolean) | undefined
}

/** Options of every write. */
export interface WriteOptions extends Remembers {
  /** Whether the write reads the resource back into its result. A minimal response does not need it. */
  readBack: boolean
}

/** A requested change of a stored resource. */
export interface Write<C> extends WriteOptions {
  /** The requested changes. A write must apply those that `decide` returns. */
  changes: C
  /**
   * The changes to apply to the current resource. The write calls it once it has locked the resource.
   * @throws SvcError 412 if it has another state, 400 for a value that cannot be changed and differs from the stored one
   */
  decide(current: Current): Promise<C>
}

/** The result of a write. */
export interface Written<F> {
  id: number
  /** The resource after the write; undefined unless `readBack` was set. */
  found: F | undefined
  /** Whether the write created the row, so that its existence proves the write. */
  isNew: boolean
}

/** Options of writes that no request causes. */
export const readBack: WriteOptions = { readBack: true }

/** A write of exactly these changes, if `check` does not throw. For writes that are not the PATCH of a request. */
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

/** The fields that a response contains: columns of other fields are not read. */
export interface Selection {
  has(field: string): boolean
}

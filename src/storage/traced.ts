// A storage with a span around each operation, for an operator's tools.
import { storageSpans } from '../core/trace.ts'
import type { FileStorage } from './storage.ts'

/** The same storage, with a span around each operation; every one takes a key or folder first. */
export function traced<S extends FileStorage>(storage: S): S {
  const told = Object.entries(storage)
    .filter(([name, method]) => typeof method === 'function' && !['url', 'keys'].includes(name))
    .map(([operation, method]) => [
      operation,
      (key: string, ...rest: unknown[]) =>
        storageSpans.around({ operation, key }, () => method.call(storage, key, ...rest)),
    ])
  return { ...storage, ...Object.fromEntries(told) }
}

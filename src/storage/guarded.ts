// What storages are wrapped in: operations that end in time and whose failures are 502, and spans for an operator's tools.
import type { Readable } from 'node:stream'
import { timeLeft } from '../core/deadline.ts'
import { SvcError } from '../core/errors.ts'
import { storageSpans } from '../core/trace.ts'
import { storageFull, storageSilent } from '../core/unavailable.ts'
import { type FileStorage, keyRefused } from './storage.ts'

/** Milliseconds for everything but storing, which has the deadline of its caller; and what a request needs to respond. */
const maxMilliseconds = 15_000
const responding = 250

const failure = (cause: unknown) => new SvcError('svc_storage_unavailable', { cause })

/** Errors that say something about the key pass as they are; a storage that is full or read-only is 507. */
function storageError(error: unknown): unknown {
  const code: unknown = Reflect.get(Object(error), 'code')
  if (error instanceof SvcError || code === 'ENOENT' || code === keyRefused) return error
  return storageFull(error) ?? failure(error)
}

/** @param late gets a result for which nobody waits any more */
async function inTime<T>(work: () => T | Promise<T>, late: (result: T) => void = () => {}): Promise<T> {
  const { promise: tooLate, reject } = Promise.withResolvers<never>()
  const given = Math.max(0, timeLeft(maxMilliseconds) - responding)
  const result = (async () => work())()
  const timer = setTimeout(() => {
    reject(storageSilent())
    result.then(late, () => {})
  }, given)
  try {
    return await Promise.race([result, tooLate])
  } catch (error) {
    throw storageError(error)
  } finally {
    clearTimeout(timer)
  }
}

/** Runs a request whose response must begin in time, while its body may take longer. */
export async function untilResponse<T>(
  milliseconds: number,
  request: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const waiting = new AbortController()
  const timer = setTimeout(() => waiting.abort(), milliseconds)
  try {
    return await request(waiting.signal)
  } finally {
    clearTimeout(timer)
  }
}

/** Closes a stream that nobody reads; its failure must not end the process. */
const discard = (stream: Readable) => void stream.on('error', () => {}).destroy()

/** A remote storage whose operations end in time but `put`, and whose failures are 502. */
export function guarded(files: FileStorage): FileStorage {
  return {
    ...(files.lastingUrls && { lastingUrls: true }),
    open: (key) => inTime(() => files.open(key), discard),
    stat: (key) => inTime(() => files.stat(key)),
    remove: (key) => inTime(() => files.remove(key)),

    url(key) {
      const url = files.url(key)
      return typeof url === 'string' ? url : inTime(() => url)
    },

    async put(key, source, options) {
      try {
        await files.put(key, source, options)
      } catch (error) {
        throw storageError(error)
      }
    },

    async *keys(folder) {
      const found = files.keys(folder)[Symbol.asyncIterator]()
      try {
        for (;;) {
          const next = await inTime(() => found.next())
          if (next.done) return
          yield next.value
        }
      } finally {
        await found.return?.()
      }
    },
  }
}

/** The same storage, with a span around each operation; every one takes a key or folder first. */
export function traced<S extends FileStorage>(storage: S): S {
  const observed = Object.entries(storage)
    .filter(([name, method]) => typeof method === 'function' && !['url', 'keys'].includes(name))
    .map(([operation, method]) => [
      operation,
      (key: string, ...rest: unknown[]) =>
        storageSpans.around({ operation, key }, () => method.call(storage, key, ...rest)),
    ])
  return { ...storage, ...Object.fromEntries(observed) }
}

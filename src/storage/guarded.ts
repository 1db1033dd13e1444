// Wrappers of storages: `guarded` limits the time of operations and turns failures into 502 and 507, `traced` publishes spans. Storages of
// the host and remote ones have both, the uploads folder has spans alone.
import { Readable } from 'node:stream'
import { timeLeft } from '../core/deadline.ts'
import { SvcError } from '../core/errors.ts'
import { errorCode } from '../core/foreign.ts'
import { storageSpans } from '../core/trace.ts'
import { storageFull, storageSilent } from '../core/unavailable.ts'
import { type FileStorage, keyRefused } from './storage.ts'

/** Milliseconds for any operation but `put`, which its caller limits by a signal, for the next key, and for the next bytes of an open file. */
const maxMilliseconds = 15_000
/** Milliseconds by which an operation ends before that limit, and before the deadline of the request, which still has to respond. */
const reserve = 250

const failure = (cause: unknown) => new SvcError('svc_storage_unavailable', { cause })

/** The error to throw for a failed operation: errors about the key stay, a full or read-only storage is 507, all else 502. */
function storageError(error: unknown): unknown {
  const code: unknown = errorCode(error)
  if (error instanceof SvcError || code === 'ENOENT' || code === keyRefused) return error
  return storageFull(error) ?? failure(error)
}

/** Runs an operation within `maxMilliseconds` and the deadline of the request. @param late called with a result that comes too late */
async function inTime<T>(work: () => T | Promise<T>, late: (result: T) => void = () => {}): Promise<T> {
  const { promise: tooLate, reject } = Promise.withResolvers<never>()
  const limit = Math.max(0, timeLeft(maxMilliseconds) - reserve)
  const result = (async () => work())()
  const timer = setTimeout(() => {
    reject(storageSilent())
    result.then(late, () => {})
  }, limit)
  try {
    return await Promise.race([result, tooLate])
  } catch (error) {
    throw storageError(error)
  } finally {
    clearTimeout(timer)
  }
}

/** Closes a stream whose reader has stopped waiting. A later error must not end the process. */
const discard = (stream: Readable) => void stream.on('error', () => {}).destroy()

/** The same bytes as a stream that fails if the next ones take longer than `maxMilliseconds`. A slow reader has no time limit. */
function inSteps(stream: Readable): Readable {
  async function* chunks() {
    const source: AsyncIterator<unknown> = stream[Symbol.asyncIterator]()
    try {
      for (;;) {
        const { promise: tooLate, reject } = Promise.withResolvers<never>()
        const timer = setTimeout(() => reject(storageSilent()), maxMilliseconds)
        const next = await Promise.race([source.next(), tooLate]).finally(() => clearTimeout(timer))
        if (next.done) return
        yield next.value
      }
    } finally {
      stream.destroy()
    }
  }
  const guardedStream = Readable.from(chunks(), { objectMode: false })
  // Even before the first read: an error that nothing handles would end the process.
  stream.on('error', (error) => guardedStream.destroy(error))
  guardedStream.once('close', () => discard(stream))
  return guardedStream
}

/** The storage with limited time for each operation but `put`, and with errors as responses need them. */
export function guarded(files: FileStorage): FileStorage {
  return {
    ...(files.lastingUrls && { lastingUrls: true }),
    open: async (key) => inSteps(await inTime(() => files.open(key), discard)),
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
      const keys = files.keys(folder)[Symbol.asyncIterator]()
      try {
        for (;;) {
          const next = await inTime(() => keys.next())
          if (next.done) return
          yield next.value
        }
      } finally {
        await keys.return?.()
      }
    },
  }
}

/** The same storage with a span around each method except `url` and `keys`. The first argument of all methods is a key or a folder. */
export function traced<S extends FileStorage>(storage: S): S {
  const observed = Object.entries(storage)
    .filter(([name, method]) => typeof method === 'function' && !['url', 'keys'].includes(name))
    .map(([operation, method]) => [
      operation,
      (key: string, ...args: unknown[]) =>
        storageSpans.around({ operation, key }, () => method.call(storage, key, ...args)),
    ])
  return { ...storage, ...Object.fromEntries(observed) }
}

// Storages for tests: one in memory, and one that fails on demand.

import { readFile } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { assertKey, type FileStorage, urlPath } from '../../src/storage/storage.ts'

export function memoryStorage(url = 'https://files.example'): FileStorage {
  const files = new Map<string, { bytes: Uint8Array; modified: number }>()
  const known = (key: string) => {
    assertKey(key)
    return files.get(key)
  }
  return {
    async put(key, source, { signal } = {}) {
      assertKey(key)
      signal?.throwIfAborted()
      const bytes = 'path' in source ? await readFile(source.path) : Uint8Array.from(source)
      files.set(key, { bytes, modified: Math.floor(Date.now() / 1000) })
    },
    async open(key) {
      const file = known(key)
      if (!file) throw Object.assign(new Error('There is no such file.'), { code: 'ENOENT' })
      return Readable.from([file.bytes])
    },
    async stat(key) {
      const file = known(key)
      return file && { size: file.bytes.length, modified: file.modified }
    },
    async remove(key) {
      if (known(key)) files.delete(key)
    },
    async *keys(folder) {
      for (const key of files.keys()) if (key.startsWith(`${folder}/`)) yield key
    },
    url: (key) => `${url}/${urlPath(key)}`,
  }
}

/** Wraps `storage`; methods in `failing` reject until they are removed from it. */
export function failingStorage<Storage extends FileStorage>(storage: Storage) {
  const failing = new Set<keyof Storage>()
  const proxy = new Proxy(storage, {
    get: (target, verb: keyof Storage & string) =>
      failing.has(verb)
        ? () => Promise.reject(Object.assign(new Error(`ENOSPC: ${verb} failed`), { code: 'ENOSPC' }))
        : Reflect.get(target, verb),
  })
  return { storage: proxy as Storage, failing }
}

// The conformance suite of file storages, as functions for any test framework. The package exports it as `svc-api/testing`.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import type { FileStorage } from './storage.ts'

/** One requirement of a storage. */
export interface ConformanceCase {
  /** A sentence about the storage. */
  name: string
  /**
   * Uses files in a separate folder, below `svc-conformance`, and removes them.
   * @throws AssertionError if the storage fails
   */
  run(storage: FileStorage): Promise<void>
}

/** @param folder for the files of this case alone */
type Work = (storage: FileStorage, folder: string) => Promise<void>

/** A case that removes its files afterwards. */
function conforming(name: string, work: Work): ConformanceCase {
  return {
    name,
    async run(storage) {
      const folder = `svc-conformance/${randomBytes(8).toString('hex')}`
      try {
        await work(storage, folder)
      } finally {
        for (const key of await keysOf(storage, folder)) await storage.remove(key)
      }
    },
  }
}

/** The content of a file, a character for each byte. */
async function textOf(storage: FileStorage, key: string): Promise<string> {
  return (await buffer(await storage.open(key))).toString('latin1')
}

/** Runs `work` with the path of a local file with these bytes, which is removed afterwards. */
async function withLocalFile(bytes: Uint8Array, work: (path: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-conformance-'))
  try {
    await writeFile(join(folder, 'source'), bytes)
    await work(join(folder, 'source'))
  } finally {
    await rm(folder, { recursive: true })
  }
}

async function keysOf(storage: FileStorage, folder: string): Promise<string[]> {
  const keys: string[] = []
  for await (const key of storage.keys(folder)) keys.push(key)
  return keys.sort()
}

const absent = { code: 'ENOENT' }
/** Texts that no storage may accept as keys. */
const invalidKeys = [
  '',
  '/etc/passwd',
  '../x',
  'a/../../x',
  'a//b',
  'a/.hidden',
  'a\\b',
  'a\0',
  'a/',
  './a',
  'C:/a',
]
const largeSize = 12 * 1024 * 1024

/**
 * The cases that a storage must pass.
 * @example
 * // of svc-api/testing
 * for (const { name, run } of storageConformance) test(name, () => run(myStorage()))
 */
export const storageConformance: readonly ConformanceCase[] = [
  conforming('what was put is read back byte by byte', async (storage, folder) => {
    const key = `${folder}/order-7.pdf`
    await storage.put(key, Buffer.from('a\0\xff\r\n', 'latin1'))
    assert.equal(await textOf(storage, key), 'a\0\xff\r\n')
    const stored = await storage.stat(key)
    assert.equal(stored?.size, 5)
    assert.ok(Math.abs(stored.modified - Date.now() / 1000) < 86_400, 'modified counts Unix seconds')
  }),

  conforming('a local file is stored as it is', async (storage, folder) => {
    const key = `${folder}/a.pdf`
    await withLocalFile(Buffer.from('content'), (path) => storage.put(key, { path }))
    assert.equal(await textOf(storage, key), 'content')
  }),

  conforming('an empty file is a file', async (storage, folder) => {
    const key = `${folder}/empty.pdf`
    await withLocalFile(Buffer.alloc(0), (path) => storage.put(key, { path }))
    assert.equal((await storage.stat(key))?.size, 0)
    assert.equal(await textOf(storage, key), '')
  }),

  conforming('a file of 12 MB is stored whole, from the disk and from memory', async (storage, folder) => {
    const bytes = randomBytes(largeSize)
    await withLocalFile(bytes, (path) => storage.put(`${folder}/a.zip`, { path }))
    await storage.put(`${folder}/b.zip`, bytes)
    for (const name of ['a.zip', 'b.zip']) {
      assert.equal((await storage.stat(`${folder}/${name}`))?.size, largeSize)
      assert.ok((await buffer(await storage.open(`${folder}/${name}`))).equals(bytes), name)
    }
  }),

  conforming('a second file of the same key replaces the first', async (storage, folder) => {
    const key = `${folder}/a.pdf`
    await storage.put(key, Buffer.from('first'))
    await storage.put(key, Buffer.from('second one'))
    assert.equal(await textOf(storage, key), 'second one')
    assert.deepEqual(await keysOf(storage, folder), [key])
  }),

  conforming('of many writers at once one whole file remains', async (storage, folder) => {
    const key = `${folder}/a.pdf`
    const texts = Array.from({ length: 20 }, (_, i) => String.fromCharCode(97 + i).repeat(10_000 + i))
    await Promise.all(texts.map((text) => storage.put(key, Buffer.from(text))))
    assert.ok(texts.includes(await textOf(storage, key)))
  }),

  conforming('an absent file has no size, cannot be opened, and can be removed', async (storage, folder) => {
    const key = `${folder}/a.pdf`
    assert.equal(await storage.stat(key), undefined)
    await assert.rejects(storage.open(key), absent)
    await storage.remove(key)
    await storage.put(key, Buffer.from('x'))
    await storage.remove(key)
    await storage.remove(key)
    assert.equal(await storage.stat(key), undefined)
    await assert.rejects(storage.open(key), absent)
  }),

  conforming('a local file that does not exist leaves the earlier one', async (storage, folder) => {
    const key = `${folder}/a.pdf`
    await storage.put(key, Buffer.from('old'))
    await assert.rejects(
      storage.put(key, { path: join(tmpdir(), `svc-absent-${randomBytes(8).toString('hex')}`) }),
    )
    assert.equal(await textOf(storage, key), 'old')
    assert.deepEqual(await keysOf(storage, folder), [key])
  }),

  conforming('put with a signal that is aborted already stores nothing', async (storage, folder) => {
    const key = `${folder}/a.pdf`
    await assert.rejects(storage.put(key, Buffer.from('x'), { signal: AbortSignal.abort() }))
    await withLocalFile(Buffer.from('x'), (path) =>
      assert.rejects(storage.put(key, { path }, { signal: AbortSignal.abort() })),
    )
    assert.equal(await storage.stat(key), undefined)
    assert.deepEqual(await keysOf(storage, folder), [])
  }),

  conforming('a key that leads elsewhere is refused by every operation', async (storage) => {
    for (const key of invalidKeys) {
      const details = JSON.stringify(key)
      await assert.rejects(async () => storage.put(key, Buffer.from('x')), `put ${details}`)
      await assert.rejects(async () => storage.open(key), `open ${details}`)
      await assert.rejects(async () => storage.stat(key), `stat ${details}`)
      await assert.rejects(async () => storage.remove(key), `remove ${details}`)
    }
  }),

  conforming('the keys of a folder are those of all files in it and below it', async (storage, folder) => {
    const keys = ['a.pdf', 'b/c d.pdf', 'b/e/é.pdf'].map((name) => `${folder}/x/${name}`)
    for (const key of [...keys, `${folder}/xy.pdf`]) await storage.put(key, Buffer.from('x'))
    assert.deepEqual(await keysOf(storage, `${folder}/x`), keys.sort())
    assert.deepEqual(await keysOf(storage, `${folder}/none`), [])
  }),

  conforming('the URL of a file is absolute, and names nothing but this file', async (storage, folder) => {
    const keys = [`${folder}/a b/c é.pdf`, `${folder}/a?b#c.pdf`]
    for (const key of keys) await storage.put(key, Buffer.from('x'))
    const urls = await Promise.all(keys.map(async (key) => storage.url(key)))
    for (const url of urls) {
      assert.match(url, /^https?:\/\/[^\s#]+$/)
      assert.ok(URL.canParse(url))
    }
    assert.notEqual(urls[0], urls[1])
  }),
]

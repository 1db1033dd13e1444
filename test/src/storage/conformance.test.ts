// What the conformance suite notices: each way to break the contract fails the case about it.
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import t from 'tap'
import { storageConformance } from '../../../src/storage/conformance.ts'
import { type FileSource, type FileStorage, isKey } from '../../../src/storage/storage.ts'
import { memoryStorage } from '../../support/fixtures/memory-storage.ts'

type Fault = (good: FileStorage) => Partial<FileStorage>

const absent = () => Object.assign(new Error('There is no such file.'), { code: 'ENOENT' })

/** Stores other bytes than those of a file. */
const altered =
  (change: (bytes: Buffer) => Buffer): Fault =>
  (good) => ({
    async put(key, source, options) {
      await good.put(key, source, options)
      await good.put(key, change(await buffer(await good.open(key))))
    },
  })

/** Does something before a failure of storing is passed on. */
const afterFailure =
  (work: (good: FileStorage, key: string) => Promise<void>): Fault =>
  (good) => ({
    async put(key, source, options) {
      await good.put(key, source, options).catch(async (error) => {
        await work(good, key)
        throw error
      })
    },
  })

const withStat =
  (change: (found: { size: number; modified: number }) => object | undefined): Fault =>
  (good) => ({
    async stat(key) {
      const found = await good.stat(key)
      return found && (change(found) as typeof found | undefined)
    },
  })

/** What was there once seems to be there for good. */
const remembering: Fault = (good) => {
  const removed = new Set<string>()
  return {
    async remove(key) {
      await good.remove(key)
      removed.add(key)
    },
    stat: async (key) => (await good.stat(key)) ?? (removed.has(key) ? { size: 1, modified: 1 } : undefined),
  }
}

const withUrl =
  (url: (key: string) => string): Fault =>
  () => ({ url })

const elsewhere = [
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
const isFile = (source: FileSource) => 'path' in source
const stored = 'what was put is read back byte by byte'
const large = 'a file of 12 MB is stored whole, from the disk and from memory'
const none = 'an absent file has no size, cannot be opened, and can be removed'
const missing = 'a local file that does not exist leaves the earlier one'
const stopped = 'put with a signal that is aborted already stores nothing'
const refused = 'a key that leads elsewhere is refused by every operation'
const listed = 'the keys of a folder are those of all files in it and below it'
const linked = 'the URL of a file is absolute, and names nothing but this file'

const faults: [name: string, fault: Fault][] = [
  [stored, altered((bytes) => Buffer.from(bytes.toString('utf8')))],
  [stored, withStat(({ size, modified }) => ({ size: size + 1, modified }))],
  [stored, withStat(({ size, modified }) => ({ size, modified: modified * 1000 }))],
  ['a local file is stored as it is', altered((bytes) => bytes.toReversed() as Buffer)],
  ['an empty file is a file', withStat((found) => (found.size > 0 ? found : undefined))],
  ['an empty file is a file', () => ({ open: async () => Readable.from([Buffer.from('x')]) })],
  [large, withStat(({ size, modified }) => ({ size: Math.min(size, 2 ** 23), modified }))],
  [large, altered((bytes) => bytes.fill(bytes[0] ?? 0, 1))],
  ['a second file of the same key replaces the first', (good) => ({ put: once(good) })],
  ['a second file of the same key replaces the first', (good) => ({ keys: twice(good) })],
  [
    'of many writers at once one whole file remains',
    altered((bytes) => bytes.subarray(0, Math.min(bytes.length, 5000))),
  ],
  [none, (good) => ({ stat: async (key) => (await good.stat(key)) ?? { size: 0, modified: 1 } })],
  [none, remembering],
  [none, (good) => ({ open: (key) => good.open(key).catch(() => Readable.from([])) })],
  [none, (good) => ({ open: (key) => good.open(key).catch(() => Promise.reject(new Error('None.'))) })],
  [missing, (good) => ({ put: (...args) => good.put(...args).catch(() => {}) })],
  [missing, afterFailure((good, key) => good.put(key, Buffer.from('part')))],
  [missing, afterFailure((good, key) => good.put(`${key}.part`, Buffer.from('part')))],
  [stopped, (good) => ({ put: (key, source, how) => good.put(key, source, isFile(source) ? how : {}) })],
  [stopped, (good) => ({ put: (key, source, how) => good.put(key, source, isFile(source) ? {} : how) })],
  [stopped, afterFailure((good, key) => good.put(key, Buffer.from('x')))],
  [stopped, afterFailure((good, key) => good.put(`${key}.part`, Buffer.from('x')))],
  ...elsewhere.map((bad): [string, Fault] => [
    refused,
    (good) => ({ put: async (key, ...rest) => (key === bad ? undefined : good.put(key, ...rest)) }),
  ]),
  [refused, (good) => ({ open: (key) => (isKey(key) ? good.open(key) : Promise.resolve(new Readable())) })],
  [refused, (good) => ({ stat: async (key) => (isKey(key) ? good.stat(key) : undefined) })],
  [refused, (good) => ({ remove: async (key) => (isKey(key) ? good.remove(key) : undefined) })],
  [listed, (good) => ({ keys: (folder) => good.keys(folder.replace(/\/x$/, '')) })],
  [listed, (good) => ({ keys: directly(good) })],
  [listed, (good) => ({ keys: (folder) => good.keys(folder.replace(/none$/, 'x')) })],
  [linked, withUrl((key) => `/${encodeURI(key)}`)],
  [linked, withUrl((key) => `https://files.example/${key.replace(/\s/g, '+')}`)],
  [linked, withUrl((key) => `https://files.example:x/${encodeURIComponent(key)}`)],
  [linked, withUrl(() => 'https://files.example/a')],
]

/** Keeps the first file of a key. */
const once =
  (good: FileStorage): FileStorage['put'] =>
  async (key, ...rest) => {
    if (!(await good.stat(key))) await good.put(key, ...rest)
  }

const twice = (good: FileStorage) =>
  async function* (folder: string) {
    yield* good.keys(folder)
    yield* good.keys(folder)
  }

const directly = (good: FileStorage) =>
  async function* (folder: string) {
    for await (const key of good.keys(folder)) if (!key.slice(folder.length + 1).includes('/')) yield key
  }

t.test('storageConformance: each way to break the contract fails the case about it', async (t) => {
  for (const [index, [name, fault]] of faults.entries()) {
    const good = memoryStorage()
    const found = storageConformance.find((each) => each.name === name)
    const run = async () => found?.run({ ...good, ...fault(good) })
    await t.rejects(run, { code: 'ERR_ASSERTION' }, `fault ${index + 1}: ${name}`)
  }
})

t.test('storageConformance: what a case has stored is removed, even if it fails', async (t) => {
  const good = memoryStorage()
  const [first] = storageConformance
  await first?.run(good)
  await t.rejects(async () => first?.run({ ...good, open: () => Promise.reject(absent()) }), {
    code: 'ENOENT',
  })
  t.equal((await good.keys('svc-conformance')[Symbol.asyncIterator]().next()).done, true)
})

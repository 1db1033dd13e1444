// Dropbox: the official SDK shows that the stand-in is one, then our adapter keeps the contract on it.
import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { Dropbox } from 'dropbox'
import t, { type Test } from 'tap'
import { dropboxStorage } from '../../../src/storage/dropbox.ts'
import { storageContract } from '../../contract/storage.ts'
import { keysOf } from '../../support/hosts/remote-shop.ts'
import { app, dropboxServer } from '../../support/peers/dropbox.ts'
import { httpServer } from '../../support/peers/servers.ts'

async function server(t: Test) {
  const dropbox = await dropboxServer()
  t.teardown(() => dropbox.close())
  return dropbox
}

async function room(t: Test) {
  const dropbox = await server(t)
  return { dropbox, storage: dropboxStorage({ ...dropbox.options, root: 'shop' }) }
}

const MiB = 1024 * 1024
const key = 'svc/print_files/0a/x.pdf'
const path = `/shop/${key}`

/** The error that the call ends with looks like this. */
async function refused(t: Test, call: Promise<unknown>, wanted: object): Promise<void> {
  const outcome = await call.then(
    () => 'It was accepted.',
    (error: unknown) => error,
  )
  t.match(outcome, wanted)
}

t.test('dropboxStorage: the official SDK finds on the stand-in what it finds at Dropbox', async (t) => {
  const { url } = await server(t)
  const sdk = new Dropbox({
    ...app,
    fetch: (address: string, options: RequestInit) =>
      fetch(address.replace(/^https:\/\/(api|content)\.dropboxapi\.com/, url), options),
  })
  const overwrite = { '.tag': 'overwrite' } as const
  const made = await sdk.filesUpload({ path, contents: Buffer.from('first'), mode: overwrite })
  t.match(made.result, { path_display: path, size: 5 })
  await refused(t, sdk.filesUpload({ path, contents: Buffer.from('second') }), {
    status: 409,
    error: { error_summary: /^path\/conflict/ },
  })

  const part = Buffer.alloc(4 * MiB, 'a')
  const { result: session } = await sdk.filesUploadSessionStart({ contents: part })
  const { session_id } = session
  const cursor = { session_id, offset: part.length }
  await sdk.filesUploadSessionAppendV2({ cursor, contents: part })
  await refused(t, sdk.filesUploadSessionAppendV2({ cursor, contents: part }), {
    status: 409,
    error: { error: { '.tag': 'incorrect_offset', correct_offset: 8 * MiB } },
  })
  const commit = { path: `${path}.zip`, mode: overwrite }
  const end = { session_id, offset: 8 * MiB }
  await sdk.filesUploadSessionFinish({ cursor: end, commit, contents: Buffer.from('end') })
  t.match((await sdk.filesGetMetadata({ path: commit.path })).result, { '.tag': 'file', size: 8 * MiB + 3 })

  const listed = await sdk.filesListFolder({ path: '/shop', recursive: true })
  const isFile = (entry: { '.tag': string }) => entry['.tag'] === 'file'
  t.same(
    listed.result.entries.filter(isFile).map(({ path_display }) => path_display),
    [path, `${path}.zip`],
  )
  t.match((await sdk.filesDownload({ path })).result, { size: 5 })
  const { result: link } = await sdk.sharingCreateSharedLinkWithSettings({ path })
  t.match(link.url, /^https:\/\/www\.dropbox\.com\/.*dl=0$/)
  await refused(t, sdk.sharingCreateSharedLinkWithSettings({ path }), {
    error: { error_summary: /^shared_link_already_exists/ },
  })
  t.equal((await sdk.sharingListSharedLinks({ path, direct_only: true })).result.links[0]?.url, link.url)
  await sdk.filesDeleteV2({ path })
  await refused(t, sdk.filesGetMetadata({ path }), { error: { error_summary: /^path\/not_found/ } })
  await refused(t, sdk.filesDeleteV2({ path }), { error: { error_summary: /^path_lookup\/not_found/ } })
  const wrong = new Dropbox({
    ...app,
    clientSecret: 'wrong',
    fetch: () => fetch(`${url}/oauth2/token`, { method: 'POST' }),
  })
  await refused(t, wrong.filesGetMetadata({ path }), { status: 401 })
})

storageContract(t, async (t) => (await room(t)).storage)

t.test('dropboxStorage: in the root of the Dropbox it does the same', async (t) => {
  const { options } = await server(t)
  storageContract(t, async () => dropboxStorage({ ...options, root: '' }))
})

t.test('dropboxStorage: a large file goes in parts, and is whole', async (t) => {
  const { dropbox, storage } = await room(t)
  const file = `${t.testdir({})}/large`
  for (const size of [8 * MiB, 8 * MiB + 1, 16 * MiB, 160 * MiB]) {
    writeFileSync(file, Buffer.alloc(size, size.toString()))
    await storage.put(key, { path: file })
    t.equal((await storage.stat(key))?.size, size)
  }
  t.equal(dropbox.largest(), 8 * MiB)
})

t.test('dropboxStorage: more files than one page holds are all listed', async (t) => {
  const { storage } = await room(t)
  const names = Array.from({ length: 120 }, (_, i) => `${i}.png`)
  for (const name of names) await storage.put(`svc/many/${name}`, Buffer.from('x'))
  const found: string[] = []
  for await (const each of storage.keys('svc/many')) found.push(each)
  t.same(found.sort(), names.map((name) => `svc/many/${name}`).sort())
})

t.test('dropboxStorage: a file has one shared link, which shows the file itself', async (t) => {
  const { storage } = await room(t)
  await storage.put(key, Buffer.from('x'))
  const first = await storage.url(key)
  t.match(first, /^https:\/\/www\.dropbox\.com\/.*raw=1/)
  t.notMatch(first, /dl=/)
  t.equal(await storage.url(key), first)
})

t.test('dropboxStorage: a shared link of another scheme, or of any length, is none', async (t) => {
  for (const link of ['javascript:alert(1)//', `https://www.dropbox.com/${'a'.repeat(5000)}`, { href: 1 }]) {
    const { url } = await httpServer(t, (request, response) => {
      request.resume()
      response.end(JSON.stringify({ access_token: 'a', expires_in: 600, url: link }))
    })
    const storage = dropboxStorage({ ...app, root: '', urls: { api: url, content: url } })
    await t.rejects(async () => storage.url(key), { message: 'Dropbox gave no shared link.' })
  }
})

t.test(
  'dropboxStorage: one access token serves many requests, and a new one is asked for when it is withdrawn or expires',
  async (t) => {
    const { dropbox, storage } = await room(t)
    const asked = () => dropbox.calls.filter((call) => call === '/oauth2/token').length
    await Promise.all(Array.from({ length: 20 }, (_, i) => storage.put(`svc/${i}.png`, Buffer.from('x'))))
    await storage.stat('svc/0.png')
    t.equal(asked(), 1, 'at the same time and later')
    dropbox.forgetTokens()
    await Promise.all(Array.from({ length: 20 }, (_, i) => storage.stat(`svc/${i}.png`)))
    t.equal(asked(), 2)
    dropbox.forgetTokens(60)
    await storage.stat(key)
    await storage.stat(key)
    t.equal(asked(), 4, 'a token with less than a minute to live is not used again')
  },
)

t.test(
  'dropboxStorage: after a refused request for an access token, the next call requests another',
  async (t) => {
    const { dropbox, storage } = await room(t)
    dropbox.suffer({ at: 'oauth2/token', what: { status: 400 } })
    await t.rejects(storage.put(key, Buffer.from('x')), {
      message: 'Dropbox gave no access token: HTTP 400.',
    })
    await storage.put(key, Buffer.from('x'))
    t.match(await storage.stat(key), { size: 1 })
  },
)

t.test('dropboxStorage: what passes by itself is tried again, as soon as Dropbox says', async (t) => {
  const { dropbox, storage } = await room(t)
  for (const what of [
    { status: 429, retryAfter: 1 },
    { status: 503 },
    { status: 500 },
    'cut',
    'lost',
  ] as const) {
    dropbox.suffer({ at: 'files/upload', what })
    const began = performance.now()
    await storage.put(key, Buffer.from(JSON.stringify(what)))
    if (typeof what === 'object' && 'retryAfter' in what) t.ok(performance.now() - began >= 1000)
    t.match(await storage.stat(key), { size: JSON.stringify(what).length })
  }
  dropbox.suffer({ at: 'files/upload', what: { status: 429, retryAfter: 600 } })
  await t.rejects(storage.put(key, Buffer.from('x')), { message: /429/ }, 'nobody waits for ten minutes')
})

t.test(
  'dropboxStorage: a response that breaks off is a failure: no file is absent, and no folder ends, because of it',
  async (t) => {
    const { dropbox, storage } = await room(t)
    await storage.put(key, Buffer.from('x'))
    const questions: [string, () => Promise<unknown>][] = [
      ['get_metadata', () => storage.stat(key)],
      ['list_folder', () => keysOf(storage)],
      ['create_shared_link', async () => storage.url(key)],
    ]
    for (const [at, ask] of questions) {
      dropbox.suffer({ at, what: 'half' })
      await t.rejects(ask(), { name: 'StorageFailure' }, at)
    }
    dropbox.suffer({ at: 'files/upload', what: 'half' })
    await storage.put(key, Buffer.from('whole'))
    t.match(await storage.stat(key), { size: 5 }, 'what was accepted is stored')
  },
)

t.test('a request of an upload in parts that is cut, or whose response is lost, does no harm', async (t) => {
  const { dropbox, storage } = await room(t)
  const bytes = randomBytes(17 * MiB)
  for (const at of ['start', 'append_v2', 'finish']) {
    for (const what of ['cut', 'lost', { status: 503 }] as const) {
      dropbox.suffer({ at: `upload_session/${at}`, what })
      const name = `svc/${at}/${JSON.stringify(what).replace(/\W/g, '')}.zip`
      await storage.put(name, bytes)
      t.match(await storage.stat(name), { size: bytes.length }, name)
    }
  }
  t.equal(dropbox.paths().length, 9)
})

t.test('dropboxStorage: an upload that is aborted ends at once, and nothing can be seen of it', async (t) => {
  const { dropbox, storage } = await room(t)
  dropbox.suffer({ at: 'append_v2', what: 'hang' })
  const stop = new AbortController()
  dropbox.watch((path) => path.includes('append_v2') && stop.abort())
  const putting = storage.put(key, Buffer.alloc(17 * MiB), { signal: stop.signal })
  await t.rejects(putting, { name: 'StorageFailure' })
  t.match(dropbox.calls.at(-1), 'append_v2')
  t.same(dropbox.paths(), [])
})

t.test('dropboxStorage: a page of a folder that would take long to parse is a failure', async (t) => {
  const { dropbox, storage } = await room(t)
  dropbox.suffer({
    at: 'list_folder',
    what: { status: 200, body: `{"entries":[${'{},'.repeat(100_000)}0]}` },
  })
  await t.rejects(keysOf(storage), { name: 'StorageFailure' })
})

t.test('dropboxStorage: no error holds a credential', async (t) => {
  const { url, options } = await server(t)
  const secrets = Object.values({ ...app, other: 'wrong-secret-of-the-test', token: 'access-of-the-test' })
  for (const wrong of [
    { ...options, clientSecret: 'wrong-secret-of-the-test' },
    { ...options, refreshToken: 'wrong-secret-of-the-test' },
    { ...options, urls: { api: 'http://127.0.0.1:9', content: url } },
  ]) {
    const storage = dropboxStorage({ ...wrong, root: '' })
    const error: Error = await storage.put(key, Buffer.from('x')).then(
      () => new Error('It was stored.'),
      (reason) => reason,
    )
    t.equal(error.name, 'StorageFailure', error.message)
    const told = JSON.stringify([error.message, error.stack, error, error.cause])
    for (const secret of secrets) t.notOk(told.includes(secret))
  }
})

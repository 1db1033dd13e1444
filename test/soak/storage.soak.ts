// Pushes to a remote storage with faults and kills at every point, in numbers; and the memory that a large one takes.
import { open } from 'node:fs/promises'
import t from 'tap'
import { dropboxStorage } from '../../src/storage/dropbox.ts'
import { s3Storage } from '../../src/storage/s3-files.ts'
import { png } from '../support/fixtures/make-png.ts'
import { onEachEngine } from '../support/hosts/build.ts'
import { upload } from '../support/hosts/form.ts'
import { keysOf, marks, remoteShop } from '../support/hosts/remote-shop.ts'
import { type PushPoint, pushKills } from '../support/load/push-kills.ts'
import { httpServer } from '../support/peers/servers.ts'

const MiB = 1024 * 1024
const times = <T>(count: number, make: (i: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i))
const whole = { lost: 0, left: 0, local: 0, waiting: 0 }

const sides = (at: string, nth = 1): PushPoint[] => [
  { at, nth, isDone: false },
  { at, nth, isDone: true },
]

t.test(
  'print jobs that are killed at every point of a push, and at any moment',
  { timeout: 3_600_000 },
  (t) =>
    onEachEngine(t, async (t, engine) => {
      const points = [
        ...sides('oauth2/token'),
        ...sides('upload_session/start'),
        ...sides('append_v2'),
        ...sides('append_v2', 2),
        ...sides('upload_session/finish'),
        ...sides('create_shared_link'),
        ...times(20, (i) => ({ millis: i * 15 })),
      ]
      const counts = await pushKills(t, engine, 'print', points, 30 * MiB)
      t.comment(JSON.stringify(counts))
      t.ok(counts.kills >= 12)
      t.match(counts, { listed: points.length, files: points.length, fetched: points.length, ...whole })
    }),
)

t.test('uploads that are killed at every point of a push, and at any moment', { timeout: 3_600_000 }, (t) =>
  onEachEngine(t, async (t, engine) => {
    const points = [
      ...sides('oauth2/token'),
      ...sides('files/upload'),
      ...sides('create_shared_link'),
      ...times(20, (i) => ({ millis: i * 4 })),
    ]
    const counts = await pushKills(t, engine, 'upload', points)
    t.comment(JSON.stringify(counts))
    t.ok(counts.kills >= 6)
    t.equal(counts.listed, counts.files)
    t.match(counts, whole)
  }),
)

t.test('300 pushes, half of which suffer a fault', { timeout: 3_600_000 }, (t) =>
  onEachEngine(t, async (t, engine) => {
    const { host, dropbox } = await remoteShop(t, { engine })
    const faults = ['cut', 'lost', { status: 503 }, { status: 429, retryAfter: 1 }] as const
    const endpoints = ['files/upload', 'create_shared_link', 'oauth2/token', 'delete_v2']
    const done = { listed: 0, printed: 0, failed: 0 }
    for (let i = 0; i < 300; i++) {
      const what = faults[i % faults.length] ?? 'cut'
      // Some faults pass by themselves, some do not.
      if (i % 2 === 0)
        dropbox.suffer({ at: endpoints[(i >> 1) % endpoints.length] ?? '', what, times: (i % 3) * 4 + 1 })
      else dropbox.suffer()
      const { guid } = i % 3 === 0 ? await host.newJob() : { guid: undefined }
      const { status } = guid ? await host.notify(guid) : await upload(host, '/assets', 'a.png', png())
      if (status === 502) done.failed++
      else if (guid) done.printed++
      else done.listed++
      if (status === 502 && guid) {
        dropbox.suffer()
        t.equal((await host.notify(guid)).status, 200)
        done.printed++
      }
    }
    dropbox.suffer()
    await host.db.updateTable(host.t.assets).set({ modified: 1 }).where('mime_type', '=', '').execute()
    const { total } = (await host.call('GET', '/assets')).body.meta
    t.equal(total, done.listed)
    const files = await keysOf(dropboxStorage({ ...dropbox.options, root: '' }))
    t.comment(JSON.stringify({ ...done, files: files.length, marks: (await marks(host)).length }))
    t.equal(files.filter((key) => /print_files/.test(key)).length, done.printed)
    t.equal(files.filter((key) => /uploads/.test(key)).length - (await marks(host)).length, done.listed)
  }),
)

t.test('a print file of 500 MB is pushed in bounded memory', { timeout: 3_600_000 }, async (t) => {
  const path = `${t.testdir({})}/large.zip`
  const file = await open(path, 'w')
  await file.truncate(500 * MiB)
  await file.close()
  // Servers that take bytes and keep none, so that what is measured is ours.
  const etag = { etag: '"0"' }
  const s3 = await httpServer(t, (request, response) => {
    request.resume().once('end', () => {
      const isStart = request.method === 'POST' && /[?&]uploads/.test(request.url ?? '')
      const body = isStart
        ? '<InitiateMultipartUploadResult><UploadId>u</UploadId></InitiateMultipartUploadResult>'
        : '<CompleteMultipartUploadResult><ETag>"0"</ETag></CompleteMultipartUploadResult>'
      response.writeHead(200, etag).end(request.method === 'POST' ? body : '')
    })
  })
  const dropbox = await httpServer(t, (request, response) => {
    request.resume().once('end', () => {
      const body = { access_token: 'a', expires_in: 14_400, session_id: 's' }
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    })
  })
  const access = { accessKeyId: 'a', secretAccessKey: 'b' }
  const storages = {
    s3: s3Storage({ ...access, endpoint: s3.url, region: 'us-east-1', bucket: 'svc', root: '' }),
    dropbox: dropboxStorage({
      clientId: 'a',
      clientSecret: 'b',
      refreshToken: 'c',
      root: '',
      urls: { api: dropbox.url, content: dropbox.url },
    }),
  }
  for (const [name, storage] of Object.entries(storages)) {
    await storage.put('svc/print_files/0a/small.zip', Buffer.from('x'))
    global.gc?.()
    const before = process.memoryUsage().rss
    let most = before
    const timer = setInterval(() => {
      most = Math.max(most, process.memoryUsage().rss)
    }, 20)
    const began = performance.now()
    await storage.put('svc/print_files/0a/large.zip', { path })
    clearInterval(timer)
    const grown = Math.round((most - before) / MiB)
    t.comment(`${name}: ${grown} MB more memory, ${Math.round(performance.now() - began)} ms`)
    t.ok(grown < 250, `${name} grew by ${grown} MB`)
  }
})

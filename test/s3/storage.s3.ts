// The S3 adapter against a real server.
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { buffer } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import t from 'tap'
import { s3Storage } from '../../src/storage/s3-files.ts'
import { storageContract } from '../contract/storage.ts'
import { chaosProxy } from '../support/hostile/chaos-proxy.ts'
import { region, s3Bucket } from '../support/peers/s3.ts'
import { httpServer } from '../support/peers/servers.ts'

const s3 = await s3Bucket(t)
const settings = { ...s3.options, root: 'shop' }
const key = 'svc/print_files/0a/x.pdf'

storageContract(t, async (t) => {
  const storage = s3Storage(settings)
  t.teardown(() => storage.close())
  return storage
})

t.test('in the root of the bucket it does the same', async (t) => {
  const storage = s3Storage({ ...settings, bucket: await s3.create(), root: '' })
  t.teardown(() => storage.close())
  storageContract(t, async () => storage)
})

t.test('a file of more than 1000 neighbours is listed', async (t) => {
  const storage = s3Storage(settings)
  t.teardown(() => storage.close())
  const names = Array.from({ length: 1100 }, (_, i) => `${i}.png`)
  const left = names.values()
  const worker = async () => {
    for (const name of left) await storage.put(`svc/many/${name}`, Buffer.from('x'))
  }
  await Promise.all(Array.from({ length: 20 }, worker))
  const found: string[] = []
  for await (const each of storage.keys('svc/many')) found.push(each)
  t.same(found.sort(), names.map((name) => `svc/many/${name}`).sort())
})

t.test('types are told, and what could act as a page is to be saved', async (t) => {
  const storage = s3Storage({ ...settings, presignSeconds: 60 })
  t.teardown(() => storage.close())
  for (const [name, type, disposition] of [
    ['a.png', 'image/png', null],
    ['a.pdf', 'application/pdf', null],
    ['a.svg', 'image/svg+xml', 'attachment'],
    ['a.html', 'application/octet-stream', 'attachment'],
  ]) {
    await storage.put(`svc/types/${name}`, Buffer.from('<svg/>'))
    const response = await fetch(await storage.url(`svc/types/${name}`))
    t.equal(response.headers.get('content-type'), type)
    t.equal(response.headers.get('content-disposition'), disposition)
    t.equal(await response.text(), '<svg/>')
  }
})

t.test(
  'a signed URL of a private bucket works, a plain one does not, and a CDN is named where it is set',
  async (t) => {
    const plain = s3Storage(settings)
    const signed = s3Storage({ ...settings, presignSeconds: 60 })
    t.teardown(() => Promise.all([plain.close(), signed.close()]))
    await plain.put('a b/é?.pdf', Buffer.from('secret'))
    t.equal((await fetch(await plain.url('a b/é?.pdf'))).status, 403)
    t.equal(await (await fetch(await signed.url('a b/é?.pdf'))).text(), 'secret')
    t.notMatch(await signed.url(key), s3.options.secretAccessKey)
    const cdn = s3Storage({ ...settings, publicUrl: 'https://cdn.example/shop' })
    t.equal(cdn.url('a b/é?.pdf'), 'https://cdn.example/shop/a%20b/%C3%A9%3F.pdf')
  },
)

t.test('wrong credentials, a wrong bucket and no server are errors without secrets', async (t) => {
  const secretAccessKey = 'wrong-secret-of-the-test'
  const cases = [
    { ...settings, secretAccessKey },
    { ...settings, accessKeyId: 'UNKNOWNKEYOFTHETEST', secretAccessKey },
    { ...settings, bucket: 'svc-none' },
    { ...settings, endpoint: 'http://127.0.0.1:9' },
  ]
  for (const wrong of cases) {
    const storage = s3Storage(wrong)
    t.teardown(() => storage.close())
    for (const work of [
      () => storage.put(key, Buffer.from('x')),
      () => storage.keys('svc')[Symbol.asyncIterator]().next(),
      () => storage.open(key),
    ]) {
      const error = await work().then(
        () => undefined,
        (reason: Error) => reason,
      )
      t.equal(
        error?.name,
        wrong.bucket === 'svc-none' && work.toString().includes('open') ? error?.name : 'StorageFailure',
      )
      const told = JSON.stringify([error?.message, error?.stack, error, Object(error).cause])
      t.notMatch(told, new RegExp(`${secretAccessKey}|UNKNOWNKEY|${s3.options.accessKeyId}|Signature=`))
    }
  }
})

t.test('an upload that is aborted in the middle ends soon and leaves neither file nor parts', async (t) => {
  const path = `${t.testdir({})}/large`
  writeFileSync(path, randomBytes(40 * 1024 * 1024))
  const proxy = await chaosProxy(t, s3.options.endpoint)
  proxy.suffer({ kind: 'throttle', bytesPerSecond: 4 * 1024 * 1024 })
  const storage = s3Storage({
    ...settings,
    endpoint: proxy.through(`${s3.options.endpoint}/`).replace(/\/$/, ''),
  })
  t.teardown(() => storage.close())
  const stop = new AbortController()
  const putting = storage.put('svc/cut/a.zip', { path }, { signal: stop.signal })
  while ((await s3.unfinished()).length === 0) await delay(50)
  const began = performance.now()
  stop.abort()
  await t.rejects(putting)
  t.ok(performance.now() - began < 20_000)
  proxy.suffer({ kind: 'none' })
  await storage.remove('svc/cut/a.zip')
  t.same(await s3.unfinished(), [])
  t.notOk((await s3.objects()).includes('shop/svc/cut/a.zip'))
})

t.test('removing a file ends the uploads of it that a killed process left', async (t) => {
  const { CreateMultipartUploadCommand } = await import('@aws-sdk/client-s3')
  await s3.client.send(new CreateMultipartUploadCommand({ Bucket: s3.bucket, Key: 'shop/svc/left/a.zip' }))
  await s3.client.send(
    new CreateMultipartUploadCommand({ Bucket: s3.bucket, Key: 'shop/svc/left/a.zip.other' }),
  )
  const storage = s3Storage(settings)
  t.teardown(() => storage.close())
  await storage.remove('svc/left/a.zip')
  t.same(await s3.unfinished(), ['shop/svc/left/a.zip.other'])
})

t.test('a reader who goes away costs no connection', async (t) => {
  const storage = s3Storage(settings)
  t.teardown(() => storage.close())
  await storage.put('svc/read/a.zip', randomBytes(4 * 1024 * 1024))
  for (let i = 0; i < 120; i++) {
    const stream = await storage.open('svc/read/a.zip')
    stream.destroy()
    await once(stream, 'close')
  }
  t.equal((await buffer(await storage.open('svc/read/a.zip'))).length, 4 * 1024 * 1024)
})

t.test('without keys the credentials of the environment count', async (t) => {
  const { accessKeyId, secretAccessKey, ...without } = settings
  Object.assign(process.env, { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey })
  t.teardown(() => {
    delete process.env.AWS_ACCESS_KEY_ID
    delete process.env.AWS_SECRET_ACCESS_KEY
  })
  const storage = s3Storage(without)
  t.teardown(() => storage.close())
  await storage.put(key, Buffer.from('by role'))
  t.match(await storage.stat(key), { size: 7 })
})

t.test('a server that does not respond does not keep a small request', async (t) => {
  const silent = await httpServer(t, () => {})
  const storage = s3Storage({ ...settings, region, endpoint: silent.url })
  t.teardown(() => storage.close())
  const began = performance.now()
  await t.rejects(storage.stat(key), { name: 'StorageFailure' })
  t.ok(performance.now() - began < 40_000)
})

// Uploads and print files of the API on a real S3 server.
import { randomBytes } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { Writable } from 'node:stream'
import t, { type Test } from 'tap'
import { png } from '../support/fixtures/make-png.ts'
import { chaosProxy } from '../support/hostile/chaos-proxy.ts'
import { type BuildOptions, onEachEngine, type TestHost } from '../support/hosts/build.ts'
import { upload } from '../support/hosts/form.ts'
import { pdf, printHost } from '../support/hosts/print.ts'
import { region, s3Bucket } from '../support/peers/s3.ts'

/** What an administrator saves in the shop. */
async function save({ db, t: names }: TestHost, rows: Record<string, string>): Promise<void> {
  for (const [option_name, option_value] of Object.entries(rows)) {
    await db.deleteFrom(names.options).where('option_name', '=', option_name).execute()
    await db.insertInto(names.options).values({ option_name, option_value, autoload: 'no' }).execute()
  }
}

/** A host whose settings name a bucket of its own, and whose log is read. */
async function shop(t: Test, options: Omit<BuildOptions, 'printReady'> = {}) {
  const s3 = await s3Bucket(t)
  const log: string[] = []
  const stream = new Writable({
    write(chunk, _encoding, done) {
      log.push(String(chunk))
      done()
    },
  })
  const { endpoint } = s3.options
  const storage = { s3: { endpoint }, ...options.storage }
  const server = { logger: { level: 'debug', stream } }
  const host = await printHost(t, { ...options, storage, server })
  await save(host, s3.rows)
  return { host, s3, log, unseen: () => notTold(t, log, s3.options) }
}

/** Nothing that was logged holds a credential. */
function notTold(t: Test, log: string[], { accessKeyId, secretAccessKey }: Record<string, unknown>): void {
  for (const secret of [accessKeyId, secretAccessKey, 'wrong-secret-of-the-test']) {
    t.notOk(log.some((line) => line.includes(String(secret))))
  }
}

const uploaded = { mime_type: 'image/png' }

t.test(
  'an upload lies in the bucket, is listed, found and deleted there, and nothing lies on the disk',
  (t) =>
    onEachEngine(t, async (t, engine) => {
      const { host, s3 } = await shop(t, { engine })
      const made = await upload(host, '/assets', 'a.png', png())
      t.match(made, { status: 201, body: { data: uploaded } })
      const { key, url } = made.body.data
      t.equal(url, `${s3.options.endpoint}/${s3.bucket}/shop/svc/uploads/${key}`)
      t.same(await s3.objects(), [`shop/svc/uploads/${key}`])
      t.same(host.stored(), [])
      t.match(await host.call('GET', '/assets'), {
        body: { data: [{ key, url, ...uploaded }], meta: { total: 1 } },
      })
      t.match(await host.call('GET', '/assets?search=a.png'), { body: { data: [{ key }] } })
      t.match(await host.call('DELETE', `/assets/${encodeURIComponent(key)}`), { status: 200 })
      t.same(await s3.objects(), [])
      t.match(await host.call('GET', '/assets'), { body: { data: [], meta: { total: 0 } } })
    }),
)

t.test('uploads need no uploads folder where there is a bucket', async (t) => {
  const { build } = await import('../support/hosts/build.ts')
  const s3 = await s3Bucket(t)
  const host = await build(t, { storage: { use: 's3', s3: s3.options } })
  const made = await upload(host, '/assets', 'a.png', png())
  t.equal(made.status, 201)
  t.match(await host.call('GET', '/assets'), { status: 200, body: { meta: { total: 1 } } })
  t.equal((await upload(host, '/fonts', 'a.ttf', png())).status, 503)
})

t.test('a print file of 12 MB lies in the bucket, and its job says where', (t) =>
  onEachEngine(t, async (t, engine) => {
    const file = Buffer.concat([Buffer.from(pdf), randomBytes(12 * 1024 * 1024)])
    const s3 = await s3Bucket(t)
    const host = await printHost(
      t,
      { engine, storage: { use: 's3', s3: s3.options } },
      (_request, response) => response.end(file),
    )
    const { guid } = await host.newJob()
    const told = await host.notify(guid)
    t.match(told, { status: 200, body: { data: { status: 'completed' } } })
    const [object = ''] = await s3.objects()
    t.match(object, /^shop\/svc\/print_files\/[0-9a-f]{32}\/order-7\.pdf$/)
    t.equal(told.body.data.file_url, `${s3.options.endpoint}/${s3.bucket}/${object}`)
    t.equal((await host.job(guid)).file_url, told.body.data.file_url)
    t.same(host.stored(), [])
    t.same(readdirSync(host.tempDir), [])
    const { data } = await host.db.selectFrom(host.t.print_jobs).select('data').executeTakeFirstOrThrow()
    t.match(JSON.parse(String(data)), { storage: 's3', location: `${region}/${s3.bucket}/shop` })
    t.match(await host.call('DELETE', `/print-jobs/${guid}`), { status: 200 })
    t.same(await s3.objects(), [])
  }),
)

t.test('the settings act without a restart, and files stay where they are', (t) =>
  onEachEngine(t, async (t, engine) => {
    const { host, s3 } = await shop(t, { engine })
    const first = await upload(host, '/assets', 'first.png', png())
    const bucket = await s3.create()
    await save(host, { svc_ae_s3_bucket: bucket, svc_ae_s3_root_dir: '' })
    const second = await upload(host, '/assets', 'second.png', png())
    await save(host, { svc_ae_cloud: 'none' })
    const third = await upload(host, '/assets', 'third.png', png())
    t.same(await s3.objects(bucket), [`svc/uploads/${second.body.data.key}`])
    t.same(host.stored(), [`svc/uploads/${third.body.data.key}`])
    const urls = [first, second, third].map(({ body }) => body.data.url)
    const listed = await host.call('GET', '/assets')
    t.same(new Set(listed.body.data.map(({ url }: { url: string }) => url)), new Set(urls))
    for (const { body } of [first, second, third]) {
      t.match(await host.call('DELETE', `/assets/${encodeURIComponent(body.data.key)}`), { status: 200 })
    }
    t.same([await s3.objects(), await s3.objects(bucket), host.stored()], [[], [], []])
  }),
)

t.test('wrong credentials are 502, nothing is listed or stored, and they are not told', (t) =>
  onEachEngine(t, async (t, engine) => {
    const { host, s3, log, unseen } = await shop(t, { engine })
    await save(host, { svc_ae_s3_access_secret: 'wrong-secret-of-the-test' })
    const refused = await upload(host, '/assets', 'a.png', png())
    t.match(refused, { status: 502, body: { code: 'svc_storage_unavailable' } })
    const { guid } = await host.newJob()
    const told = await host.notify(guid)
    t.match(told, { status: 502, body: { code: 'svc_storage_unavailable' } })
    t.match(await host.job(guid), {
      status: 'pending',
      file_url: null,
      error: { code: 'svc_storage_unavailable' },
    })
    t.match(await host.call('GET', '/assets'), { body: { data: [] } })
    t.same([await s3.objects(), host.stored(), readdirSync(host.tempDir)], [[], [], []])
    notTold(t, [refused.text, told.text], s3.options)
    t.match(log.join(''), /SignatureDoesNotMatch/)
    unseen()
    await save(host, s3.rows)
    t.equal((await upload(host, '/assets', 'a.png', png())).status, 201)
    t.equal((await host.notify(guid)).status, 200)
    t.equal((await s3.objects()).length, 2)
  }),
)

t.test(
  'a gateway that is down is 502, nothing is listed, and the next attempt after it is well',
  async (t) => {
    const s3 = await s3Bucket(t)
    const proxy = await chaosProxy(t, s3.options.endpoint)
    const endpoint = proxy.through(`${s3.options.endpoint}/`).replace(/\/$/, '')
    const host = await printHost(t, { storage: { use: 's3', s3: { ...s3.options, endpoint } } })
    const kept = await upload(host, '/assets', 'kept.png', png())
    proxy.suffer({ kind: 'refuse' })
    t.match(await upload(host, '/assets', 'a.png', png()), { status: 502 })
    const { guid } = await host.newJob()
    t.match(await host.notify(guid), { status: 502 })
    t.match(await host.call('DELETE', `/assets/${encodeURIComponent(kept.body.data.key)}`), { status: 502 })
    t.match(await host.call('GET', '/assets'), { body: { data: [{ key: kept.body.data.key }] } })
    t.same([host.stored(), readdirSync(host.tempDir)], [[], []])
    proxy.suffer({ kind: 'none' })
    t.match(await host.notify(guid), { status: 200, body: { data: { status: 'completed' } } })
    t.match(await host.call('DELETE', `/assets/${encodeURIComponent(kept.body.data.key)}`), { status: 200 })
    t.equal((await s3.objects()).length, 1)
  },
)

// What is left of pushes that fail at any point: nothing, on either side.
import { readdirSync } from 'node:fs'
import t, { type Test } from 'tap'
import type { FileStorage } from '../../../src/storage/storage.ts'
import { png } from '../../support/fixtures/make-png.ts'
import { memoryStorage } from '../../support/fixtures/memory-storage.ts'
import { build, onEachEngine } from '../../support/hosts/build.ts'
import { upload } from '../../support/hosts/form.ts'
import { printHost } from '../../support/hosts/print.ts'
import {
  deleteAsset,
  dropboxRows,
  keysOf,
  marks,
  remoteShop,
  saveRows,
} from '../../support/hosts/remote-shop.ts'
import { app, type Fault } from '../../support/peers/dropbox.ts'

const cases: [name: string, at: string, what: Fault['what']][] = [
  ['the token is refused', 'oauth2/token', { status: 401 }],
  ['the connection breaks before the file', 'files/upload', 'cut'],
  ['the response to the file is lost', 'files/upload', 'lost'],
  ['the storage is overloaded', 'files/upload', { status: 503 }],
  ['the link cannot be made', 'create_shared_link', { status: 500 }],
]

for (const [name, at, what] of cases) {
  t.test(`${name}: 502, nothing is listed, nothing is left, and no secret is told`, (t) =>
    onEachEngine(t, async (t, engine) => {
      const { host, dropbox, log } = await remoteShop(t, { engine })
      const { guid } = await host.newJob()
      dropbox.suffer({ at, what, times: 1000 })
      const refused = await upload(host, '/assets', 'a.png', png())
      const told = await host.notify(guid)
      for (const response of [refused, told]) {
        t.match(response, { status: 502, body: { code: 'svc_storage_unavailable' } })
      }
      t.match(await host.call('GET', '/assets'), { body: { data: [], meta: { total: 0 } } })
      t.match(await host.job(guid), {
        status: 'pending',
        file_url: null,
        error: { code: 'svc_storage_unavailable' },
      })
      t.same([dropbox.paths().filter((path) => /uploads/.test(path)), host.stored()], [[], []])
      t.same(readdirSync(host.tempDir), [])
      const words = [...log, refused.text, told.text].join('\n')
      for (const secret of [...Object.values(app), 'access-of-the-test']) t.notOk(words.includes(secret))

      dropbox.suffer()
      t.match(await host.notify(guid), { status: 200, body: { data: { status: 'completed' } } })
      t.equal((await upload(host, '/assets', 'a.png', png())).status, 201)
      t.equal(dropbox.paths().length, 2)
    }),
  )
}

t.test(
  'what could not be removed after a failed push is removed later by whichever process finds its mark',
  (t) =>
    onEachEngine(t, async (t, engine) => {
      const { host, dropbox } = await remoteShop(t, { engine })
      dropbox.suffer(
        { at: 'files/upload', what: 'lost', times: 1000 },
        { at: 'delete_v2', what: 'cut', times: 1000 },
      )
      t.equal((await upload(host, '/assets', 'a.png', png())).status, 502)
      t.equal(dropbox.paths().length, 1)
      t.match(await marks(host), [{ storage: 'deleted:dropbox' }])
      dropbox.suffer()
      await host.db.updateTable(host.t.assets).set({ modified: 1 }).execute()
      const storage = { dropbox: { urls: dropbox.options.urls } }
      const other = await build(t, { address: host.address, storage })
      t.match(await other.call('GET', '/assets'), { body: { meta: { total: 0 } } })
      t.same([dropbox.paths(), await marks(host)], [[], []])
    }),
)

t.test('a list does not wait for a storage that does not respond to the removal of what was left', (t) =>
  onEachEngine(t, async (t, engine) => {
    const files = memoryStorage()
    const gate = Promise.withResolvers<void>()
    const { remove } = files
    const removed: string[] = []
    files.remove = async (key) => {
      await gate.promise
      await remove(key)
      removed.push(key)
    }
    const host = await printHost(t, { engine, storage: { use: 'vault', own: { vault: files } } })
    for (const name of ['a', 'b', 'c']) {
      const { key } = (await upload(host, '/assets', `${name}.png`, png())).body.data
      const left = { storage: 'deleted:vault', mime_type: '', modified: 1 }
      await host.db.updateTable(host.t.assets).set(left).where('key', '=', key).execute()
    }
    const other = await build(t, { address: host.address, storage: { use: 'vault', own: { vault: files } } })
    const began = performance.now()
    t.match(await other.call('GET', '/assets'), { status: 200, body: { data: [] } })
    t.ok(performance.now() - began < 5000, 'its own time is not used up')
    gate.resolve()
    const deadline = performance.now() + 10_000
    while (removed.length < 3 && performance.now() < deadline) await new Promise(setImmediate)
    t.same(await keysOf(files), [])
  }),
)

t.test('an asset whose file cannot be removed stays listed', (t) =>
  onEachEngine(t, async (t, engine) => {
    const { host, dropbox } = await remoteShop(t, { engine })
    const { key } = (await upload(host, '/assets', 'a.png', png())).body.data
    dropbox.suffer({ at: 'delete_v2', what: { status: 500 }, times: 1000 })
    t.match(await deleteAsset(host, key), { status: 502, body: { code: 'svc_storage_unavailable' } })
    t.match(await host.call('GET', '/assets'), { body: { data: [{ key }] } })
    const { guid } = await host.newJob()
    await host.notify(guid)
    t.equal((await host.call('DELETE', `/print-jobs/${guid}`)).status, 502)
    t.ok((await host.job(guid)).file_url)
    dropbox.suffer()
    t.equal((await deleteAsset(host, key)).status, 200)
    t.equal((await host.call('DELETE', `/print-jobs/${guid}`)).status, 200)
    t.same(dropbox.paths(), [])
  }),
)

t.test('a storage that is not complete is 503 that says what is missing', async (t) => {
  const { host } = await remoteShop(t)
  await saveRows(host, { svc_ae_dropbox_secret: '' })
  t.match(await upload(host, '/assets', 'a.png', png()), {
    status: 503,
    body: { code: 'svc_storage_not_configured', message: /Dropbox .* app secret/ },
  })
  await saveRows(host, { svc_ae_cloud: 's3' })
  t.match(await upload(host, '/assets', 'a.png', png()), { status: 503, body: { message: /no bucket/ } })
  await saveRows(host, dropboxRows)
  t.equal((await upload(host, '/assets', 'a.png', png())).status, 201)
})

t.test(
  'a storage of the host that never responds is 502 in its time, and what it stores later goes',
  async (t) => {
    const files = memoryStorage()
    const { put } = files
    const gate = Promise.withResolvers<void>()
    files.put = async (...args) => {
      await gate.promise
      await put(...args)
    }
    const host = await slow(t, files)
    const { guid } = await host.newJob()
    t.match(await host.notify(guid), { status: 502, body: { code: 'svc_storage_unavailable' } })
    t.match(await host.job(guid), { status: 'pending' })
    files.put = put
    t.match(await host.notify(guid), { status: 200, body: { data: { status: 'completed' } } })
    gate.resolve()
    const deadline = performance.now() + 10_000
    while ((await keysOf(files)).length > 1 && performance.now() < deadline) await new Promise(setImmediate)
    t.equal((await keysOf(files)).length, 1)
  },
)

const slow = (t: Test, files: FileStorage) =>
  printHost(t, { storage: { use: 'vault', own: { vault: files } }, printReady: { maxSeconds: 2 } })

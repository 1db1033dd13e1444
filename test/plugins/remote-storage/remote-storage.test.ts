// Uploads and print files at a remote storage: where they lie, and that they are found there.
import { readdirSync } from 'node:fs'
import t from 'tap'
import type { FileStorage } from '../../../src/storage/storage.ts'
import { png } from '../../support/fixtures/make-png.ts'
import { memoryStorage } from '../../support/fixtures/memory-storage.ts'
import { onEachEngine } from '../../support/hosts/build.ts'
import { upload } from '../../support/hosts/form.ts'
import { printHost } from '../../support/hosts/print.ts'
import { deleteAsset, keysOf, marks, remoteShop, saveRows } from '../../support/hosts/remote-shop.ts'

t.test('an upload is pushed, listed, found and deleted, and no copy lies on the disk', (t) =>
  onEachEngine(t, async (t, engine) => {
    const { host, dropbox } = await remoteShop(t, { engine })
    const made = await upload(host, '/assets', 'a.png', png())
    const { key, url } = made.body.data
    t.match(url, /^https:\/\/www\.dropbox\.com\/.*raw=1/)
    t.equal(made.headers.location, url)
    t.same(dropbox.paths(), [`/svc/uploads/${key}`])
    t.same(host.stored(), [])
    const asked = dropbox.calls.length
    t.match(await host.call('GET', '/assets'), { body: { data: [{ key, url }], meta: { total: 1 } } })
    t.equal(dropbox.calls.length, asked, 'a list asks the storage nothing')
    t.match(await host.call('GET', '/assets?search=a.png&type=png'), { body: { data: [{ key, url }] } })
    t.equal((await deleteAsset(host, key)).status, 200)
    t.same([dropbox.paths(), await marks(host)], [[], []])
  }),
)

t.test('a print file is pushed, and its job says where', (t) =>
  onEachEngine(t, async (t, engine) => {
    const { host, dropbox } = await remoteShop(t, { engine })
    const { guid } = await host.newJob({ order_id: 7, order_type: 'wc', item_id: 3 })
    const told = await host.notify(guid)
    t.match(told, {
      status: 200,
      body: { data: { status: 'completed', file_url: /^https:\/\/www\.dropbox/ } },
    })
    const { file_url } = told.body.data
    const [path = ''] = dropbox.paths()
    const row = await host.db.selectFrom(host.t.print_jobs).select('data').executeTakeFirstOrThrow()
    t.same(JSON.parse(String(row.data)), {
      local_file: file_url,
      storage: 'dropbox',
      location: '',
      key: path.slice(1),
    })
    t.equal((await host.job(guid)).file_url, file_url)
    t.same([host.stored(), readdirSync(host.tempDir)], [[], []])
    t.equal((await host.call('DELETE', `/print-jobs/${guid}`)).status, 200)
    t.same(dropbox.paths(), [])
  }),
)

t.test('the setting acts without a restart, and files stay where they are', (t) =>
  onEachEngine(t, async (t, engine) => {
    const { host, dropbox } = await remoteShop(t, { engine })
    const far = await upload(host, '/assets', 'far.png', png())
    await saveRows(host, { svc_ae_cloud: 'none' })
    const near = await upload(host, '/assets', 'near.png', png())
    t.same(host.stored(), [`svc/uploads/${near.body.data.key}`])
    const { body } = await host.call('GET', '/assets')
    t.same(
      new Set(body.data.map(({ url }: { url: string }) => url)),
      new Set([far.body.data.url, near.body.data.url]),
    )
    for (const made of [far, near]) t.equal((await deleteAsset(host, made.body.data.key)).status, 200)
    t.same([dropbox.paths(), host.stored()], [[], []])
  }),
)

/** A storage of the host's own, as a class whose methods lie on its prototype. */
function vault(files: FileStorage) {
  return new (class Vault {
    put: FileStorage['put'] = (...args) => files.put(...args)
    open(key: string) {
      return files.open(key)
    }
    stat(key: string) {
      return files.stat(key)
    }
    keys(folder: string) {
      return files.keys(folder)
    }
    remove(key: string) {
      return files.remove(key)
    }
    url(key: string) {
      return files.url(key)
    }
  })()
}

t.test('a storage of the host takes uploads and print files', (t) =>
  onEachEngine(t, async (t, engine) => {
    const files = memoryStorage()
    const host = await printHost(t, { engine, storage: { use: 'vault', own: { vault: vault(files) } } })
    const { key, url } = (await upload(host, '/assets', 'a.png', png())).body.data
    t.equal(url, `https://files.example/svc/uploads/${key}`)
    const { guid } = await host.newJob()
    const { file_url } = (await host.notify(guid)).body.data
    t.match(file_url, /^https:\/\/files\.example\/svc\/print_files\//)
    t.equal((await host.job(guid)).file_url, file_url)
    t.equal((await keysOf(files)).length, 2)
    await deleteAsset(host, key)
    await host.call('DELETE', `/print-jobs/${guid}`)
    t.same(await keysOf(files), [])
  }),
)

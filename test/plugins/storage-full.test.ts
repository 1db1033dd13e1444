// What uploads, print jobs and deletions respond while the storage has no room.
import { readdirSync } from 'node:fs'
import t from 'tap'
import { png } from '../support/fixtures/make-png.ts'
import { failingStorage, memoryStorage } from '../support/fixtures/memory-storage.ts'
import { onEachEngine } from '../support/hosts/build.ts'
import { upload } from '../support/hosts/form.ts'
import { printHost } from '../support/hosts/print.ts'
import { keysOf } from '../support/hosts/remote-shop.ts'

const isFull = {
  status: 507,
  body: {
    code: 'svc_storage_full',
    message: /^The disk for uploads and temporary files is full; nothing was stored\. The operator /,
    data: { reason: 'uploads-full' },
  },
}

t.test(
  'POST /assets, DELETE /assets/{key}, webhook: 507 while the storage is full, nothing half stored',
  (t) =>
    onEachEngine(t, async (t, engine) => {
      const { storage, failing } = failingStorage(memoryStorage())
      const host = await printHost(t, { engine, storage: { use: 'vault', own: { vault: storage } } })
      const { key } = (await upload(host, '/assets', 'a.png', png())).body.data
      const { guid } = await host.newJob()
      failing.add('put').add('remove')
      t.match(await upload(host, '/assets', 'b.png', png()), isFull)
      t.match(await host.call('DELETE', `/assets/${encodeURIComponent(key)}`), isFull)
      t.match(await host.notify(guid), isFull)
      t.match(await host.job(guid), {
        status: 'pending',
        file_url: null,
        error: { code: 'svc_storage_full', message: isFull.body.message },
      })
      failing.clear()
      t.match((await host.call('GET', '/assets')).body, { meta: { total: 1 }, data: [{ key }] })
      t.same([(await keysOf(storage)).length, host.stored(), readdirSync(host.tempDir)], [1, [], []])
      t.match(await host.notify(guid), { status: 200, body: { data: { status: 'completed' } } })
    }),
)

// check(): rows whose file is gone, and files that no row names, wherever they lie.
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import t from 'tap'
import { check } from '../../../plugins/index.ts'
import { dropboxStorage } from '../../../src/storage/dropbox.ts'
import { png } from '../../support/fixtures/make-png.ts'
import { onEachEngine } from '../../support/hosts/build.ts'
import { upload } from '../../support/hosts/form.ts'
import { dropboxRows, remoteShop, saveRows } from '../../support/hosts/remote-shop.ts'

const nothing = { missing: [], orphaned: [], unreachable: [] }

t.test('a sound installation has neither, and what is wrong is found on both sides and left as it is', (t) =>
  onEachEngine(t, async (t, engine) => {
    const { host, dropbox } = await remoteShop(t, { engine })
    const far = { storage: 'dropbox', location: '' }
    const near = { storage: 'local', location: null }
    const settings = {
      database: host.address,
      uploads: { dir: host.uploads, url: 'https://shop.example/uploads' },
      storage: { dropbox: { urls: dropbox.options.urls } },
    }
    const jobs = [await host.newJob(), await host.newJob()]
    await upload(host, '/assets', 'a.png', png())
    const gone = (await upload(host, '/assets', 'b.png', png())).body.data.key
    await host.notify(jobs[0]?.guid ?? '')
    await saveRows(host, { svc_ae_cloud: 'none' })
    await upload(host, '/assets', 'c.png', png())
    await host.notify(jobs[1]?.guid ?? '')
    t.same(await check(settings), nothing)

    const files = dropboxStorage({ ...dropbox.options, root: '' })
    await files.remove(`svc/uploads/${gone}`)
    await files.put('svc/print_files/0a/stray.pdf', Buffer.from('x'))
    await files.put('svc/uploads/2026/11/stray.png', Buffer.from('x'))
    await files.put('elsewhere/not-ours.pdf', Buffer.from('x'))
    const printed = host.stored().find((path) => /print_files/.test(path)) ?? ''
    rmSync(`${host.uploads}/${printed}`)
    mkdirSync(`${host.uploads}/svc/print_files/0b`)
    writeFileSync(`${host.uploads}/svc/print_files/0b/stray.pdf`, '')
    writeFileSync(`${host.uploads}/svc/uploads/of-the-cms.txt`, '')
    const before = [dropbox.paths(), readdirSync(host.uploads, { recursive: true })]
    const found = await check(settings)
    t.same(
      new Set(found.missing),
      new Set([
        { ...far, key: `svc/uploads/${gone}`, row: { asset: gone } },
        { ...near, key: printed, row: { printJob: jobs[1]?.id } },
      ]),
    )
    t.same(
      new Set(found.orphaned),
      new Set([
        { ...far, key: 'svc/print_files/0a/stray.pdf' },
        { ...far, key: 'svc/uploads/2026/11/stray.png' },
        { ...near, key: 'svc/print_files/0b/stray.pdf' },
      ]),
    )
    t.same([dropbox.paths(), readdirSync(host.uploads, { recursive: true })], before)
  }),
)

t.test('a storage that cannot be reached is named, and nothing is said about its files', async (t) => {
  const { host, dropbox } = await remoteShop(t)
  await upload(host, '/assets', 'a.png', png())
  await saveRows(host, { svc_ae_cloud: 'none' })
  dropbox.suffer({ at: '/', what: { status: 500 }, times: 1000 })
  const settings = { database: host.address, storage: { dropbox: { urls: dropbox.options.urls } } }
  t.match(await check(settings), {
    ...nothing,
    unreachable: [{ storage: 'dropbox', location: '', message: /could not be reached/ }],
  })
  await saveRows(host, { ...dropboxRows, svc_ae_cloud: 'none', svc_ae_dropbox_secret: '' })
  t.match(await check(settings), { ...nothing, unreachable: [{ storage: 'dropbox', message: /is not set/ }] })
})

t.test('a file that is being stored or removed is neither', async (t) => {
  const { host, dropbox } = await remoteShop(t)
  const settings = { database: host.address, storage: { dropbox: { urls: dropbox.options.urls } } }
  await host.db
    .insertInto(host.t.assets)
    .values([
      { key: 'a.png', storage: 'deleted:dropbox', location: '', size: 0, mime_type: '', modified: 0 },
      { key: 'b.png', storage: 'deleted:dropbox', location: '', size: 0, mime_type: '', modified: 0 },
    ])
    .execute()
  await dropboxStorage({ ...dropbox.options, root: '' }).put('svc/uploads/a.png', Buffer.from('x'))
  t.same(await check(settings), nothing)
})

t.test('options that are wrong are named', async (t) => {
  await t.rejects(check({ database: 'sqlite::memory:', storage: { use: 'S3' } }), /^storage\.use: must be/)
  await t.rejects(check({ database: 'sqlite::memory:', upload: {} } as never), /did you mean uploads\?/)
})

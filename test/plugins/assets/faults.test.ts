// What is left of an upload when the disk, the database or the process fails under it.
import { existsSync, readdirSync, symlinkSync } from 'node:fs'
import t, { type Test } from 'tap'
import { connect, databaseOn } from '../../../src/db/connect.ts'
import { totals } from '../../../src/db/totals.ts'
import type { AcceptedAsset } from '../../../src/files/accept.ts'
import { assetsRepository } from '../../../src/library/assets.ts'
import { localStorage } from '../../../src/storage/local.ts'
import { migrate } from '../../../src/upkeep/set-up.ts'
import { png } from '../../support/fixtures/make-png.ts'
import { failingStorage } from '../../support/fixtures/memory-storage.ts'
import { onlyLocal } from '../../support/fixtures/storages.ts'
import { build, type Engine, freshAddress, onEachEngine } from '../../support/hosts/build.ts'
import { upload } from '../../support/hosts/form.ts'

const accepted: AcceptedAsset = {
  type: 'png',
  extension: 'png',
  mimeType: 'image/png',
  bytes: png(),
  title: 'a.png',
  width: 1,
  height: 1,
  warning: undefined,
}

async function room(t: Test, engine: Engine) {
  const address = await freshAddress(t, engine)
  await migrate({ database: address })
  const database = await databaseOn(await connect({ database: address }))
  t.teardown(() => database.close())
  const dir = t.testdir({})
  const { storage, failing } = failingStorage(localStorage(dir, 'https://shop.example/uploads'))
  const files = () =>
    existsSync(`${dir}/svc`)
      ? readdirSync(`${dir}/svc`, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
      : []
  return { assets: assetsRepository(database, totals(), onlyLocal(storage)), database, failing, files }
}

for (const verb of ['put', 'stat'] as const) {
  t.test(`a storage that fails to ${verb} leaves no file and no row, and works again by itself`, (t) =>
    onEachEngine(t, async (t, engine) => {
      const { assets, failing, files } = await room(t, engine)
      failing.add(verb)
      await t.rejects(assets.create(accepted), { code: 'ENOSPC' })
      failing.clear()
      t.same(files(), [])
      t.match(await assets.list({ offset: 0, limit: 20 }), { total: 0 })
      await assets.create(accepted)
      t.match(await assets.list({ offset: 0, limit: 20 }), { total: 1, items: [{ mime_type: 'image/png' }] })
    }),
  )
}

t.test('a row that cannot be written takes its file with it', (t) =>
  onEachEngine(t, async (t, engine) => {
    const { assets, database, files } = await room(t, engine)
    await t.rejects(assets.create({ ...accepted, mimeType: null as never }))
    t.same(files(), [])
    t.same(await database.db.selectFrom(database.t.assets).selectAll().execute(), [])
  }),
)

t.test('a file that cannot be removed stays listed under its name, and can be deleted later', (t) =>
  onEachEngine(t, async (t, engine) => {
    const { assets, failing, files } = await room(t, engine)
    const { asset } = await assets.create(accepted)
    failing.add('remove')
    await t.rejects(assets.remove(asset.key), { code: 'ENOSPC' })
    failing.clear()
    t.match(await assets.list({ offset: 0, limit: 20, search: accepted.title }), {
      items: [{ key: asset.key }],
    })
    t.equal(await assets.remove(asset.key), true)
    t.same(files(), [])
  }),
)

t.test(
  'a folder that cannot be used gives 500 without its path, and is never followed as a link',
  async (t) => {
    const dir = t.testdir({ uploads: {}, elsewhere: {} })
    symlinkSync(`${dir}/elsewhere`, `${dir}/uploads/svc`)
    const app = await build(t, { uploads: { dir: `${dir}/uploads`, url: 'https://shop.example/uploads' } })
    for (const [path, name] of [
      ['/assets', 'a.png'],
      ['/fonts', 'a.ttf'],
    ] as const) {
      const answer = await upload(app, path, name, png())
      t.match(answer, { status: 500, body: { code: 'svc_internal_error' } })
      t.notMatch(answer.text, dir)
    }
    t.same(readdirSync(`${dir}/elsewhere`), [])
  },
)

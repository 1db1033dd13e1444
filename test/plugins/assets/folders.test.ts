// /assets beside a CMS that writes into the same folders, under names and in ways of its own.
import { mkdirSync, readdirSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import t, { type Test } from 'tap'
import { png } from '../../support/fixtures/make-png.ts'
import { type BuildOptions, build, onEachEngine } from '../../support/hosts/build.ts'
import { upload } from '../../support/hosts/form.ts'

const url = 'https://shop.example/uploads'

async function host(t: Test, options: BuildOptions = {}) {
  const dir = `${t.testdir({ uploads: { svc: { uploads: { 2024: { '05': {} } } } } })}/uploads`
  const app = await build(t, { uploads: { dir, url }, ...options })
  const list = async (query = '') => (await app.call('GET', `/assets?limit=100${query}`)).body.data
  return {
    ...app,
    dir,
    folder: `${dir}/svc/uploads/2024/05`,
    list,
    /** Asks for the list until it is as wanted; only a hang ends it otherwise. */
    async until(wanted: (list: { key: string; width: number }[]) => boolean) {
      const end = performance.now() + 20_000
      while (!wanted(await list()) && performance.now() < end);
      return t.ok(wanted(await list()))
    },
  }
}

t.test('a file that is written over shows its new size, time and picture, and keeps its title', (t) =>
  onEachEngine(t, async (t, engine) => {
    const app = await host(t, { engine })
    const { key } = (await upload(app, '/assets', 'My name.png', png())).body.data
    await app.list()
    writeFileSync(`${app.dir}/svc/uploads/${key}`, png({ width: 77, height: 5 }))
    utimesSync(`${app.dir}/svc/uploads/${key}`, 1e9, 1e9)
    await app.until(([asset]) => asset?.width === 77)
    t.match(await app.list('&search=my+name'), [{ key, width: 77, height: 5, modified: 1e9 }])
  }),
)

t.test('a file that comes piece by piece is listed once it is what its name says', (t) =>
  onEachEngine(t, async (t, engine) => {
    const app = await host(t, { engine })
    writeFileSync(`${app.folder}/slow.png`, '')
    t.same(await app.list(), [])
    writeFileSync(`${app.folder}/slow.png`, png())
    await app.until(([asset]) => asset?.key === '2024/05/slow.png')
  }),
)

t.test('the files of a removed folder are gone from the list', (t) =>
  onEachEngine(t, async (t, engine) => {
    const app = await host(t, { engine })
    writeFileSync(`${app.folder}/a.png`, png())
    const { key } = (await upload(app, '/assets', 'b.png', png())).body.data
    await app.until((list) => list.length === 2)
    rmSync(`${app.dir}/svc/uploads/2024`, { recursive: true })
    await app.until((list) => list.length === 1 && list[0]?.key === key)
    t.equal((await app.call('GET', '/assets')).body.meta.total, 1)
  }),
)

t.test('an uploads folder that is not there for a while costs no title', (t) =>
  onEachEngine(t, async (t, engine) => {
    const app = await host(t, { engine })
    const { key } = (await upload(app, '/assets', 'My name.png', png())).body.data
    renameSync(`${app.dir}/svc`, `${app.dir}/unmounted`)
    const second = await build(t, { engine, address: app.address, uploads: { dir: app.dir, url } })
    t.equal((await second.call('GET', '/assets')).status, 200)
    renameSync(`${app.dir}/unmounted`, `${app.dir}/svc`)
    t.match((await second.call('GET', '/assets?search=my+name')).body.data, [{ key }])
  }),
)

t.test('files with any name that can stand in an address are listed, and deleted by their keys', (t) =>
  onEachEngine(t, async (t, engine) => {
    const app = await host(t, { engine })
    const names = [
      'a#b',
      'a?b',
      '100%',
      'a%20b',
      '(x)',
      '😀',
      '[1]{2}$',
      `"'<>|*`,
      '…',
      'n\u00e9',
      'ne\u0301',
    ]
    for (const name of [...names, 'x'.repeat(200)]) writeFileSync(`${app.folder}/${name}.png`, png())
    const list: { key: string; filename: string; url: string }[] = await app.list()
    t.strictSame(
      list.map(({ filename }) => filename).sort(),
      [...names, 'x'.repeat(200)].map((name) => `${name}.png`).sort(),
    )
    for (const { key, url: address } of list) {
      t.equal(decodeURIComponent(new URL(address).pathname), `/uploads/svc/uploads/${key}`)
      t.equal((await app.call('DELETE', `/assets/${encodeURIComponent(key)}`)).status, 200, key)
    }
    t.same(readdirSync(`${app.dir}/svc/uploads`, { recursive: true }), ['2024'])
  }),
)

t.test('a key is taken with its slashes as they are, too, and no key is no route', async (t) => {
  const app = await host(t)
  writeFileSync(`${app.folder}/a.png`, png())
  t.equal((await app.call('DELETE', '/assets/2024/05/a.png')).body.data.key, '2024/05/a.png')
  t.match(await app.call('DELETE', '/assets/2024/05/a.png'), { body: { code: 'svc_asset_not_found' } })
  t.match(await app.call('DELETE', '/assets/2024/../2024/05/a.png'), { status: 404 })
  for (const headers of [{}, { authorization: undefined }])
    t.match(await app.call('DELETE', '/assets/', undefined, headers), { body: { code: 'rest_no_route' } })
})

t.test('of many who delete one asset at once one is told that it is done', (t) =>
  onEachEngine(t, async (t, engine) => {
    const app = await host(t, { engine })
    const { key } = (await upload(app, '/assets', 'a.png', png())).body.data
    const path = `/assets/${encodeURIComponent(key)}`
    const responses = await Promise.all(Array.from({ length: 10 }, () => app.call('DELETE', path)))
    t.equal(responses.filter(({ status }) => status === 200).length, 1)
    t.equal(responses.filter(({ status }) => status === 404).length, 9)
  }),
)

t.test('a link in the place of the uploads folder ends uploads and lists, not the rest', async (t) => {
  const app = await host(t)
  renameSync(`${app.dir}/svc`, `${app.dir}/elsewhere`)
  symlinkSync('elsewhere', `${app.dir}/svc`)
  for (const answer of [await app.call('GET', '/assets'), await upload(app, '/assets', 'a.png', png())]) {
    t.equal(answer.status, 500)
    t.notMatch(answer.text, app.dir)
  }
  t.equal((await app.call('GET', '/system')).status, 200)
  t.same(readdirSync(app.folder.replace('/svc/', '/elsewhere/')), [])
})

t.test('of uploads within one second the later comes first', (t) =>
  onEachEngine(t, async (t, engine) => {
    const app = await host(t, { engine })
    const keys: string[] = []
    for (let i = 0; i < 8; i++) keys.unshift((await upload(app, '/assets', 'a.png', png())).body.data.key)
    t.strictSame(
      (await app.list()).map(({ key }: { key: string }) => key),
      keys,
    )
  }),
)

t.test('folders whose clock is ahead are listed, and what comes into them is seen', async (t) => {
  const app = await host(t)
  writeFileSync(`${app.folder}/a.png`, png())
  for (const path of ['a.png', '', '..', '../../..'])
    utimesSync(`${app.folder}/${path}`, Date.now() / 1000 + 1e6, Date.now() / 1000 + 1e6)
  await app.until((list) => list.length === 1)
  mkdirSync(`${app.folder}/../06`)
  writeFileSync(`${app.folder}/../06/b.png`, png())
  writeFileSync(`${app.folder}/c.png`, png())
  await app.until((list) => list.length === 3)
})

// /assets: what uploads answer, what is listed, what is deleted.
import { execFileSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import t from 'tap'
import { passSecond } from '../../support/fixtures/clock.ts'
import { png } from '../../support/fixtures/make-png.ts'
import { jpeg } from '../../support/hostile/hostile-pictures.ts'
import { build, type Engine, onEachEngine, type TestHost } from '../../support/hosts/build.ts'
import { upload } from '../../support/hosts/form.ts'

const svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 30 20"><rect width="9" height="9"/></svg>'
const url = 'https://shop.example/wp-content/uploads'

const root = t.testdir({})
const hosts = new Map<string, Promise<TestHost>>()

/** The host of an engine, with an empty uploads folder: starting the process that checks uploads takes most of a test. */
async function host(engine: Engine = 'SQLite') {
  const dir = `${root}/${engine}`
  const started = hosts.get(engine) ?? build(t, { engine, uploads: { dir, url } })
  hosts.set(engine, started)
  const app = await started
  for (const table of [app.t.assets, app.t.print_profiles]) await app.db.deleteFrom(table).execute()
  rmSync(`${dir}/svc`, { recursive: true, force: true })
  passSecond()
  return { ...app, dir }
}

const files = (dir: string) =>
  existsSync(`${dir}/svc/uploads`)
    ? readdirSync(`${dir}/svc/uploads`, { recursive: true, withFileTypes: true })
        .filter((entry) => !entry.isDirectory())
        .map((entry) => entry.name)
    : []

t.test(
  'an upload is stored under a name that nobody can guess, and its response has address, size and original name',
  (t) =>
    onEachEngine(t, async (t, engine) => {
      const { dir, ...app } = await host(engine)
      const answer = await upload(app, '/assets', 'My Photo.jpg', await jpeg(40, 30))
      t.match(answer, { status: 201, body: { success: true } })
      const { data } = answer.body
      t.strictSame(Object.keys(data).sort(), [
        'filename',
        'height',
        'image_src',
        'key',
        'mime_type',
        'modified',
        'size',
        'title',
        'url',
        'warning',
        'width',
      ])
      t.equal(data.title, 'My Photo.jpg')
      t.equal((await app.call('GET', '/assets')).body.data[0]?.title, 'My Photo.jpg')
      t.strictSame((await app.call('GET', '/assets?search=photo&fields=title')).body.data, [
        { title: 'My Photo.jpg' },
      ])
      const month = new Date().toISOString().slice(0, 7).replace('-', '/')
      t.match(data.key, new RegExp(`^${month}/[0-9a-f]{32}\\.jpg$`))
      t.match(data, { width: 40, height: 30, mime_type: 'image/jpeg', warning: null, image_src: data.url })
      t.equal(data.url, `${url}/svc/uploads/${data.key}`)
      t.equal(answer.headers.location, data.url)
      t.equal(`${data.filename}.jpg`, data.key.split('/').at(-1))
      const stored = statSync(`${dir}/svc/uploads/${data.key}`)
      t.equal(stored.size, data.size)
      t.equal(stored.mode & 0o777, 0o644)
      t.equal(files(dir).length, 1)
    }),
)

t.test('the list has the newest first, with total and the headers of CMS clients', (t) =>
  onEachEngine(t, async (t, engine) => {
    const { dir, ...app } = await host(engine)
    const made = []
    for (const name of ['a.png', 'b.svg', 'c.jpg']) {
      const content = name.endsWith('svg') ? svg : name.endsWith('png') ? png() : await jpeg()
      made.push((await upload(app, '/assets', name, content)).body.data.key)
    }
    for (const [i, time] of [100, 300, 200].entries()) utimesSync(`${dir}/svc/uploads/${made[i]}`, time, time)
    const { body, headers } = await app.call('GET', '/assets?limit=2')
    t.strictSame(
      body.data.map((asset: { key: string }) => asset.key),
      [made[1], made[2]],
    )
    t.strictSame(Object.keys(body.data[0]).sort(), [
      'filename',
      'height',
      'key',
      'mime_type',
      'modified',
      'size',
      'title',
      'url',
      'width',
    ])
    t.match(body.data[0], { width: 30, height: 20, mime_type: 'image/svg+xml' })
    for (const { filename, key } of body.data) t.equal(filename, key.split('/').at(-1))
    t.strictSame(body.meta, { page: 1, limit: 2, total: 3, pages: 2 })
    t.match(headers, { 'x-wp-total': '3', 'x-wp-totalpages': '2', link: /page=2>; rel="next"/ })
    t.match((await app.call('GET', '/assets?page=7')).body, { data: [], meta: { total: 3 } })
    t.match(await app.call('GET', '/assets?fields=key'), { body: { data: [{ key: made[1] }, {}, {}] } })
  }),
)

t.test(
  'search finds parts of the name that the client gave or that is stored, and type chooses the kind of file',
  (t) =>
    onEachEngine(t, async (t, engine) => {
      const { dir, ...app } = await host(engine)
      await upload(app, '/assets', 'Äpfel 100%.png', png())
      await upload(app, '/assets', 'birnen.svg', svg)
      const names = async (query: string) =>
        (await app.call('GET', `/assets?${query}`)).body.data.map(
          (asset: { mime_type: string }) => asset.mime_type,
        )
      t.strictSame(await names(`search=${encodeURIComponent('äPFEL')}`), ['image/png'])
      t.strictSame(await names('search=100%25'), ['image/png'])
      t.strictSame(await names('search=_'), [])
      t.strictSame(await names('type=svg'), ['image/svg+xml'])
      t.equal((await app.call('GET', '/assets?type=svg&limit=1')).body.meta.total, 1, 'of this type')
      t.strictSame(await names('search=birnen&type=png'), [])
      const [{ filename, key }] = (await app.call('GET', '/assets?search=birnen')).body.data
      t.strictSame(await names(`search=${filename.slice(3, 20).toUpperCase()}`), ['image/svg+xml'])
      t.strictSame(await names(`search=${filename}`), ['image/svg+xml'])
      t.strictSame(await names(`search=${key.slice(0, 7)}`), [], 'the folder is no part of the name')
      t.equal((await app.call('GET', '/assets?type=gif')).status, 400)
    }),
)

t.test('limits and pages outside of what is allowed are 400', async (t) => {
  const app = await host()
  for (const query of [
    'limit=0',
    'limit=101',
    'limit=-1',
    'limit=1e9',
    'limit=1;drop',
    'page=NaN',
    'page=0',
    'page=1e15',
  ])
    t.equal((await app.call('GET', `/assets?${query}`)).status, 400, query)
  t.match(await app.call('GET', '/assets?page=1000000000000000'), { status: 200, body: { data: [] } })
})

t.test(
  'files that the CMS put into the folders are listed, links, pipes, hidden and strange files are not',
  (t) =>
    onEachEngine(t, async (t, engine) => {
      const { dir, ...app } = await host(engine)
      const folder = `${dir}/svc/uploads/2024/05`
      mkdirSync(folder, { recursive: true })
      writeFileSync(`${folder}/Photo (1).JPG`, await jpeg(50, 20))
      writeFileSync(`${folder}/photo (1).jpg`, await jpeg(20, 50))
      writeFileSync(`${folder}/drawing.svg`, svg)
      writeFileSync(`${folder}/page.png`, '<!DOCTYPE html><html></html>')
      writeFileSync(`${folder}/shell.php`, '<?php')
      writeFileSync(`${folder}/.htaccess`, '')
      writeFileSync(`${folder}/.upload.01234567-89ab-cdef-0123-456789abcdef.part`, '')
      writeFileSync(`${folder}/half.tmp`, '')
      symlinkSync('drawing.svg', `${folder}/link.svg`)
      symlinkSync('/', `${folder}/08`)
      execFileSync('mkfifo', [`${folder}/pipe.png`])
      utimesSync(`${folder}/drawing.svg`, 1e9, 1e9)
      const { body } = await app.call('GET', '/assets')
      t.equal(body.meta.total, 3)
      t.match(body.data[2], {
        filename: 'drawing',
        title: 'drawing.svg',
        modified: 1e9,
        width: 30,
        height: 20,
      })
      t.same(body.data.map((asset: { width: number }) => asset.width).sort(), [20, 30, 50])
      t.match(body.data.map((asset: { url: string }) => asset.url).join(), /Photo%20\(1\)\.JPG/)
    }),
)

t.test('what is added, and what is gone, shows within a second', (t) =>
  onEachEngine(t, async (t, engine) => {
    const { dir, ...app } = await host(engine)
    const folder = `${dir}/svc/uploads/2024/05`
    mkdirSync(folder, { recursive: true })
    const total = async () => (await app.call('GET', '/assets')).body.meta.total
    const until = async (wanted: number) => {
      const end = performance.now() + 30_000
      while ((await total()) !== wanted && performance.now() < end) await setTimeout(50)
      t.equal(await total(), wanted)
    }
    await until(0)
    writeFileSync(`${folder}/a.png`, png())
    writeFileSync(`${folder}/b.png`, png())
    await until(2)
    rmSync(`${folder}/a.png`)
    await until(1)
    rmSync(`${dir}/svc/uploads/2024`, { recursive: true })
    const second = await build(t, { engine, address: app.address, uploads: { dir, url } })
    t.equal((await second.call('GET', '/assets')).body.meta.total, 0)
  }),
)

t.test('deleting removes the file and its row, and a second time is 404', (t) =>
  onEachEngine(t, async (t, engine) => {
    const { dir, ...app } = await host(engine)
    const { key } = (await upload(app, '/assets', 'a.png', png())).body.data
    const path = `/assets/${encodeURIComponent(key)}`
    t.strictSame((await app.call('DELETE', path)).body, { success: true, data: { key, deleted: true } })
    t.same(files(dir), [])
    t.match(await app.call('DELETE', path), { status: 404, body: { code: 'svc_asset_not_found' } })
    t.equal((await app.call('GET', '/assets')).body.meta.total, 0)
  }),
)

t.test('a key that leads elsewhere deletes nothing', async (t) => {
  const { dir, ...app } = await host()
  writeFileSync(`${dir}/secret.png`, png())
  for (const key of [
    '../../secret.png',
    '..%2f..%2fsecret.png',
    '2024/../../secret.png',
    '%00',
    '.htaccess',
    '*',
  ])
    t.equal((await app.call('DELETE', `/assets/${encodeURIComponent(key)}`)).status, 404, key)
  t.ok(existsSync(`${dir}/secret.png`))
})

t.test('a picture outside of the limits of the master print profile is taken with a warning', (t) =>
  onEachEngine(t, async (t, engine) => {
    const { dir, ...app } = await host(engine)
    const customImageParameters = { minDPI: 300, minW: 100, maxH: 10 }
    const data = JSON.stringify({ customImageParameters })
    await app.db.insertInto(app.t.print_profiles).values({ name: 'Master', data, is_master: 1 }).execute()
    const { status, body } = await upload(app, '/assets', 'a.jpg', await jpeg(40, 30))
    t.equal(status, 201)
    t.match(body.data.warning, /narrower than 100 pixels/)
    t.match(body.data.warning, /taller than 10 pixels/)
  }),
)

t.test(
  'the same upload sent again with its key makes one asset; another file with that key is refused',
  (t) =>
    onEachEngine(t, async (t, engine) => {
      const { dir, ...app } = await host(engine)
      const headers = { 'idempotency-key': 'upload-1' }
      const drawing = svg.replace('<rect', '<script>alert(1)</script><rect')
      const first = await upload(app, '/assets', 'a.svg', drawing, { headers })
      const second = await upload(app, '/assets', 'a.svg', drawing, { headers })
      t.match(first, { status: 201, body: { data: { warning: /active content/ } } })
      t.strictSame(second.body, first.body)
      t.equal(second.headers['idempotency-replayed'], 'true')
      t.equal(second.headers.location, first.headers.location)
      t.equal(files(dir).length, 1)
      t.match(await upload(app, '/assets', 'a.svg', svg, { headers }), {
        body: { code: 'svc_idempotency_key_reused' },
      })
      t.match(await upload(app, '/assets', 'b.svg', drawing, { headers }), { status: 422 })
      t.equal(files(dir).length, 1)
    }),
)

t.test('fifty uploads of one name at once are fifty files, each with its own bytes', async (t) => {
  const { dir, ...app } = await host()
  const responses = await Promise.all(
    Array.from({ length: 50 }, (_, i) =>
      upload(app, '/assets', 'same.svg', svg.replace('width="9"', `width="${i + 1}"`)),
    ),
  )
  const stored = new Set(
    responses.map(({ body }) => readFileSync(`${dir}/svc/uploads/${body.data.key}`, 'utf8')),
  )
  t.equal(stored.size, 50)
  t.equal(files(dir).length, 50)
})

t.test('without an uploads folder the routes say so', async (t) => {
  const app = await build(t)
  t.match(await app.call('GET', '/assets'), { status: 503, body: { code: 'svc_storage_not_configured' } })
  t.match(await upload(app, '/assets', 'a.png', png()), {
    status: 503,
    body: { code: 'svc_storage_not_configured' },
  })
  t.match(await app.call('DELETE', '/assets/a'), {
    status: 503,
    body: { code: 'svc_storage_not_configured' },
  })
  t.match(await app.call('GET', '/fonts'), { status: 503, body: { code: 'svc_storage_not_configured' } })
})

t.test('a switched-off group answers uploads as an unknown route does', async (t) => {
  const dir = t.testdir({})
  const app = await build(t, { uploads: { dir, url } })
  await app.db
    .insertInto(app.t.options)
    .values({ option_name: 'svc_api_assets_enabled', option_value: 'no', autoload: 'yes' })
    .execute()
  t.match(await upload(app, '/assets', 'a.png', png()), { status: 404, body: { code: 'rest_no_route' } })
  t.same(files(dir), [])
})

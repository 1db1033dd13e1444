// The settings screen when something is wrong: database, storage, the host's own hooks, values of a hostile size.
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { svcSettingsScreen } from '../../../plugins/index.ts'
import { readForm } from '../../../src/pages/form.ts'
import { isLinear } from '../../support/fixtures/growth.ts'
import { failingStorage, memoryStorage } from '../../support/fixtures/memory-storage.ts'
import { faultyHost } from '../../support/hosts/faults.ts'
import { keysOf } from '../../support/hosts/remote-shop.ts'
import { buildScreen, rowsOf, screenClient, store } from '../../support/hosts/screen.ts'

t.test('without its database a tab is 503, and the status page says what does not respond', async (t) => {
  const host = await faultyHost(t, 'an address', {
    after: (app) => app.register(svcSettingsScreen, { prefix: '/settings', authorize: () => true }),
    uploads: { dir: t.testdir({}), url: 'https://shop.example/uploads' },
  })
  const client = screenClient(host.app)
  const page = await client.get('export')
  host.proxy.suffer({ kind: 'swallow' })
  const [tab, saved, status] = await Promise.all([
    client.get('export'),
    client.submit(page, 'export', { svc_ae_s3_bucket: 'x' }),
    client.get('status'),
  ])
  for (const response of [tab, saved]) {
    t.equal(response.status, 503)
    t.match(response.headers['retry-after'], /^\d+$/)
    t.match(response.texts('[role=alert]')[0], 'try again')
  }
  t.equal(status.status, 200)
  t.match(
    status.texts('dl')[0],
    /Database\s*Does not respond\s*Check that the database server runs.* doctor finds the cause\.\s*File storage\s*Writable/,
  )
  t.match(saved.texts('main')[0], 'Your entries are still on this page')
  t.equal(tab.texts('main form').length, 0)
  host.proxy.suffer({ kind: 'none' })
  // The form of the failed response, as it is.
  t.equal((await client.submit(saved, 'export', {})).status, 303)
  t.match((await client.get('export')).text, 'value="x"')
})

t.test(
  'without its database a form that is no tab is 503, and nothing leads to a tab that does not exist',
  async (t) => {
    const host = await faultyHost(t, 'an address', {
      after: (app) => app.register(svcSettingsScreen, { prefix: '/settings', authorize: () => true }),
    })
    const client = screenClient(host.app)
    const page = await client.get('import-color-library')
    host.proxy.suffer({ kind: 'swallow' })
    const saved = await client.submit(page, 'import-color-library', { model: '{}' })
    t.equal(saved.status, 503)
    t.match(saved.texts('[role=alert]')[0], 'try again')
    t.equal(saved.texts('main form').length, 0)
  },
)

t.test('a part of the status page that cannot be read does not take the others with it', async (t) => {
  const dir = t.testdir({})
  const { host, client } = await buildScreen(t, { uploads: { dir, url: 'https://shop.example/uploads' } })
  await host.db.schema.dropTable(host.t.print_jobs).execute()
  // Where the folder should be stands a file.
  await mkdir(join(dir, 'svc'), { recursive: true })
  await writeFile(join(dir, 'svc/uploads'), '')
  const page = await client.get('status')
  t.equal(page.status, 200)
  t.match(
    page.texts('dl')[0],
    /Database\s*Responds in \d+ ms\s*File storage\s*Cannot be written\s*Allow the user of the server to write/,
  )
  t.match(page.texts('main')[0], /Last print jobs Cannot be read/)
  t.match(page.texts('section[aria-labelledby=section-controllers]')[0], 'Cannot be read')
})

t.test(
  'the status page says whether the remote storage of new files works, and leaves nothing in it',
  async (t) => {
    const { storage: vault, failing } = failingStorage(memoryStorage())
    const { host, client } = await buildScreen(t, {
      uploads: { dir: t.testdir({}), url: 'https://shop.example/uploads' },
      storage: { own: { vault } },
    })
    const health = async () => (await client.get('status')).texts('dl')[0]
    t.notMatch(await health(), /new files/)
    await store(host, { svc_ae_cloud: 'vault' })
    t.match(await health(), /Storage of new files\s*vault: Writable in \d+ ms/)
    t.same(await keysOf(vault), [])
    failing.add('put')
    t.match(await health(), /Storage of new files\s*vault: Cannot be written\s*Check the keys/)
    await store(host, { svc_ae_cloud: 's3', svc_ae_s3_bucket: '' })
    t.match(await health(), /Correct it in the export settings/)
    t.match(await health(), /Storage of new files\s*S3 is chosen as the file storage, but no bucket is set/)
  },
)

t.test('headers, parsers, hooks and queries of the host do not weaken the pages', async (t) => {
  const { client } = await buildScreen(
    t,
    {
      server: { routerOptions: { querystringParser: () => ({ q: { toString: null } }) } } as never,
      before: (app) => {
        app.addContentTypeParser('application/x-www-form-urlencoded', (_request, body, done) => {
          body.resume().on('end', () => done(null, { hijacked: true }))
        })
        app.addHook('onRequest', async (request, reply) => {
          if (request.url.endsWith('/fonts')) throw new Error('a hook of the host')
          reply.headers({ 'content-security-policy': 'default-src *', 'referrer-policy': 'no-referrer' })
        })
        app.addHook('onSend', async (_request, _reply, payload) => {
          await new Promise((resolve) => setTimeout(resolve, 20))
          return payload
        })
      },
    },
    { authorize: async ({ url }, reply) => (url.endsWith('/status') ? reply.redirect('/login') : true) },
  )
  const page = await client.get('search?q=webhook+url')
  t.match(page.headers['content-security-policy'], /^default-src 'none'/)
  t.equal(page.headers['referrer-policy'], 'same-origin')
  t.equal(page.texts('.found li').length, 1)
  t.strictSame((await client.save('export', { svc_ae_s3_bucket: 'x' })).texts('[role=status]'), [
    '1 setting was saved.',
  ])
  const broken = await client.get('fonts')
  t.equal(broken.status, 500)
  t.match(broken.headers['content-security-policy'], /^default-src 'none'/)
  t.notMatch(broken.text, 'a hook of the host')
  const login = await client.get('status')
  t.strictSame([login.status, login.headers.location], [302, '/login'])
})

t.test('a host keeps its own not-found handler, parsers and error handler', async (t) => {
  const { host } = await buildScreen(t, {
    before: (app) => {
      app.setNotFoundHandler((_request, reply) => reply.code(404).send('mine'))
      app.post('/form', async () => 'never')
    },
  })
  t.equal((await host.app.inject('/other')).body, 'mine')
  t.equal((await host.app.inject('/settingsx')).body, 'mine')
  const response = await host.app.inject({
    method: 'POST',
    url: '/form',
    payload: 'a=b',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })
  t.equal(response.statusCode, 415)
  t.equal(response.headers['content-security-policy'], undefined)
})

t.test('values of hostile depth and length, stored or entered, cost no more than a page', async (t) => {
  const { host, client } = await buildScreen(t)
  const deep = `${'['.repeat(30_000)}${']'.repeat(30_000)}`
  const wide = `{"a":[${'['.repeat(90)}${'0,'.repeat(20_000)}0${']'.repeat(90)}]}`
  for (const stored of [deep, `{"a":${deep}}`, `{"a":12345678901234567890,"b":${deep}}`, wide]) {
    await store(host, { svc_color_lists: stored, svc_hex_names: 'x'.repeat(1_000_000), svc_languages: deep })
    t.equal((await host.call('GET', '/settings/groups/colors')).status, 200)
    const page = await client.get('colors')
    t.equal(page.status, 200)
    t.ok(page.text.length < 500_000, String(page.text.length))
    t.equal((await client.get('general')).status, 200)
  }
  await store(host, { svc_color_lists: '{}', svc_languages: 'a:0:{}' })
  const before = await rowsOf(host)
  for (const entered of [deep, `{"a":${deep}}`, '{"__proto__":{"a":1}}', '[1', 'null', '1e999', '""']) {
    const page = await client.save('colors', { svc_color_lists: entered })
    t.strictSame([page.status, page.texts('[role=alert] li').length], [400, 1], entered.slice(0, 20))
  }
  for (const entered of ['1e999', '0x10', 'Infinity', '1_000', '１', '--1', '1.2.3', `${'9'.repeat(5000)}e`])
    t.equal((await client.save('export', { svc_ae_image_dpi: entered })).status, 400, entered.slice(0, 20))
  t.strictSame(await rowsOf(host), before)
})

t.test('reading a form costs time in proportion to its length', async (t) => {
  for (const piece of ['%41', '+', 'ü', '&', '=', '%', '&a=%f0%9f%98%80'])
    t.ok(
      await isLinear(
        (size) => Buffer.from(`a=${piece.repeat(Math.ceil((4 * size) / piece.length))}`),
        (body) => {
          try {
            readForm(body)
          } catch {}
        },
      ),
      piece,
    )
})

t.test('objects in lists may have any properties of their own', async (t) => {
  const odd = '{"__proto__":{"a":1},"constructor":{},"toString":1,"valueOf":[],"toJSON":"x"}'
  const { host, client } = await buildScreen(t)
  for (const stored of [odd, `[${odd}]`]) {
    await store(host, { svc_color_lists: stored, svc_common_fonts: stored, svc_color_prices: stored })
    for (const tab of ['colors', 'fonts']) t.equal((await client.get(tab)).status, 200, `${tab} ${stored}`)
  }
})

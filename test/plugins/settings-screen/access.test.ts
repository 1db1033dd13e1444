// Who may use the settings screen, and what other sites, clients and requests cannot make of it.
import { Writable } from 'node:stream'
import type { RouteOptions } from 'fastify'
import t from 'tap'
import { type SettingsScreenOptions, svcApi, svcContext, svcSettingsScreen } from '../../../plugins/index.ts'
import { exchange, listen } from '../../support/hostile/raw-http.ts'
import { build, freshAddress, token } from '../../support/hosts/build.ts'
import { Fastify } from '../../support/hosts/fastify.ts'
import { buildScreen, frameLinks, rowsOf, screenClient, store } from '../../support/hosts/screen.ts'

const formType = { 'content-type': 'application/x-www-form-urlencoded' }

/** The reason why a host with these options does not start. */
async function refusal(options: Record<string, unknown>, prefix = '/settings', api = true): Promise<string> {
  const app = Fastify()
  try {
    if (api)
      app.register(svcApi, { database: 'sqlite::memory:', siteUrl: 'https://shop.example', migrate: true })
    app.register(svcSettingsScreen, { prefix, ...options } as unknown as SettingsScreenOptions)
    await app.ready()
    return ''
  } catch (error) {
    return String(Reflect.get(Object(error), 'message'))
  } finally {
    await app.close()
  }
}

t.test(
  'no host starts without authorize, without a prefix, without an API or with a wrong option',
  async (t) => {
    const authorize = () => true
    t.match(await refusal({}), 'authorize: must be a function')
    t.match(await refusal({ authorize: true }), 'authorize: must be a function')
    t.match(await refusal({ authorise: authorize }), 'did you mean authorize?')
    t.match(await refusal({ authorize }, ''), 'prefix: must be given')
    t.match(await refusal({ authorize }, '/settings', false), 'register svcApi or svcContext before')
    t.match(
      await refusal({ authorize, secret: 'short' }),
      'secret: must be a string of at least 32 characters',
    )
    t.match(await refusal({ authorize, baseUrl: '/other' }), 'baseUrl: must name one of the APIs')
    for (const documentUrl of ['javascript:alert(1)', '//evil.example', 'openapi.json'])
      t.match(await refusal({ authorize, documentUrl }), 'documentUrl: must be')
    for (const deskUrl of ['javascript:alert(1)', '//evil.example', 'desk', 7])
      t.match(
        await refusal({ authorize, deskUrl }),
        'deskUrl: must be an http or https URL, a path that starts',
      )
    t.equal(await refusal({ authorize, documentUrl: 'https://shop.example/openapi.json' }), '')
  },
)

t.test('every route asks authorize first, and refuses whom it does not let in', async (t) => {
  const routes: RouteOptions[] = []
  let asked = 0
  const { host } = await buildScreen(
    t,
    {
      before: (app) =>
        app.addHook('onRoute', (route) => void (route.url.startsWith('/settings') && routes.push(route))),
    },
    {
      authorize: () => {
        asked++
        return undefined
      },
    },
  )
  const before = await rowsOf(host)
  const requests = routes.flatMap(({ method, url }) => [method].flat().map((one) => [one, url] as const))
  t.ok(requests.length >= 8)
  const unknown = [['GET', '/settings/a/b'] as const, ['DELETE', '/settings/api'] as const]
  for (const [method, url] of [...requests, ...unknown]) {
    asked = 0
    const response = await host.app.inject({
      method: method as 'GET',
      url: url.replace(':tab', 'api'),
      headers: { ...(method === 'POST' ? formType : {}), host: 'localhost', origin: 'http://localhost' },
    })
    t.strictSame([response.statusCode, asked], [403, 1], `${method} ${url}`)
    t.notMatch(response.payload, token)
    t.notMatch(response.payload, '<nav')
  }
  t.strictSame(await rowsOf(host), before)
})

t.test('only true and a name let somebody in', async (t) => {
  let verdict: unknown
  const { client } = await buildScreen(t, {}, { authorize: async () => verdict as boolean })
  for (verdict of [false, undefined, null, '', 0, 1, {}, 'anna', true]) {
    const expected = verdict === 'anna' || verdict === true ? 200 : 403
    t.equal((await client.get('api')).status, expected, String(verdict))
  }
})

t.test('authorize may ask for a login, lead to one, fail and hang', async (t) => {
  const login = Object.assign(new Error('Please log in.'), {
    statusCode: 401,
    headers: { 'www-authenticate': 'Basic realm="shop"' },
  })
  const { client } = await buildScreen(
    t,
    {},
    {
      authorize: async ({ url }, reply) => {
        if (url.endsWith('/api')) throw login
        if (url.endsWith('/status')) await reply.redirect('/login')
        if (url.endsWith('/export')) throw new Error('secret reason')
        if (url.endsWith('/fonts')) await new Promise(() => {})
        return undefined
      },
    },
  )
  const asked = await client.get('api')
  t.strictSame([asked.status, asked.headers['www-authenticate']], [401, 'Basic realm="shop"'])
  t.match(asked.texts('[role=alert]')[0], 'Please log in.')
  const led = await client.get('status')
  t.strictSame([led.status, led.headers.location], [302, '/login'])
  const failed = await client.get('export')
  t.equal(failed.status, 500)
  t.notMatch(failed.text, 'secret reason')
  t.match(failed.texts('[role=alert]')[0], 'Request id')
  t.equal((await client.get('fonts')).status, 503)
})

t.test('a form is taken only from a page of the same origin', async (t) => {
  const { host, client } = await buildScreen(t)
  const page = await client.get('export')
  const before = await rowsOf(host)
  const send = (headers: Record<string, string | undefined>) =>
    client.submit(page, 'export', { svc_ae_s3_bucket: 'x' }, headers)
  for (const headers of [
    { origin: undefined, 'sec-fetch-site': undefined },
    { origin: 'null', 'sec-fetch-site': undefined },
    { origin: 'null' },
    { origin: 'https://evil.example' },
    { origin: 'http://localhost.evil.example' },
    { origin: 'http://localhost:8080', 'sec-fetch-site': undefined },
    { origin: 'localhost', 'sec-fetch-site': undefined },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'none' },
  ]) {
    const response = await send(headers)
    t.equal(response.status, 403, JSON.stringify(headers))
    t.strictSame(response.texts('[role=alert]'), ['This form was not sent by a page of this site.'])
  }
  t.strictSame(await rowsOf(host), before)
  for (const headers of [
    { origin: undefined },
    { 'sec-fetch-site': undefined },
    { origin: 'http://localhost:8443' },
  ])
    t.equal((await send(headers)).status, 303, JSON.stringify(headers))
})

t.test(
  'a form without its cookie, of another browser or of another user saves nothing and keeps what was entered',
  async (t) => {
    let user = 'anna'
    const { host, client } = await buildScreen(t, {}, { authorize: () => user })
    const other = screenClient(host.app)
    const before = await rowsOf(host)
    const page = await client.get('export')
    const theirs = await other.get('export')
    const changes = { svc_ae_s3_bucket: 'mine' }
    const tries = [
      () => client.submit(page, 'export', { ...changes, _form: undefined }),
      () => client.submit(page, 'export', { ...changes, _form: 'x' }),
      () => client.submit(theirs, 'export', changes),
      () => client.submit(page, 'export', changes, { cookie: undefined }),
      () => client.submit(page, 'export', changes, { cookie: 'svc_settings_form=' }),
      () => {
        user = 'bert'
        return client.submit(page, 'export', changes)
      },
    ]
    for (const [index, attempt] of tries.entries()) {
      const response = await attempt()
      t.equal(response.status, 403, String(index))
      t.equal(response.document.getElementById('svc_ae_s3_bucket')?.getAttribute('value'), 'mine')
    }
    t.equal((await client.submit(page, 'clear-token')).status, 403)
    t.strictSame(await rowsOf(host), before)
    user = 'anna'
    t.equal((await client.save('export', changes)).status, 200)
  },
)

t.test('processes with the same secret take each other’s forms', async (t) => {
  const address = await freshAddress(t, 'SQLite')
  const secret = 's'.repeat(32)
  const { client } = await buildScreen(t, { address }, { secret })
  const page = await client.get('export')
  const cookie = page.headers['set-cookie']?.split(';', 1)[0]
  for (const [given, status] of [
    [secret, 303],
    ['t'.repeat(32), 403],
  ] as const) {
    const { client: elsewhere } = await buildScreen(t, { address }, { secret: given })
    t.equal((await elsewhere.submit(page, 'export', {}, { cookie })).status, status)
  }
})

t.test('the cookie is of no use to scripts and other sites, and secure where the site is', async (t) => {
  const { host, client } = await buildScreen(t, { server: { trustProxy: true } })
  t.match(
    (await client.get('api')).headers['set-cookie'],
    /^svc_settings_form=[\w-]{24}; HttpOnly; SameSite=Lax$/,
  )
  t.equal((await client.get('api')).headers['set-cookie'], undefined)
  const behindProxy = await screenClient(host.app, { headers: { 'x-forwarded-proto': 'https' } }).get('api')
  t.match(behindProxy.headers['set-cookie'], /; Secure$/)
})

t.test('no page is cached or framed, and none runs or loads what is not of this origin', async (t) => {
  const { client } = await buildScreen(t)
  for (const path of ['', 'api', 'status', 'search?q=x', 'clear-token', 'screen.css', 'screen.js', 'nope']) {
    const { headers, text } = await client.get(path)
    t.equal(headers['cache-control'], 'private, no-store', path)
    t.strictSame([headers['x-content-type-options'], headers['x-frame-options']], ['nosniff', 'DENY'])
    const policy = headers['content-security-policy'] ?? ''
    t.match(policy, /^default-src 'none'; .*form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/)
    t.notMatch(policy.replace("img-src 'self' data:", ''), /unsafe|\*|data:|https?:/)
    t.notMatch(text, / style="|<style| on[a-z]+="/, path)
    t.notMatch(headers.location ?? '', token)
  }
})

t.test(
  'links of pages of errors lead to the screen, whether its path ends with a slash or has more below',
  async (t) => {
    const { client } = await buildScreen(t)
    const expected = frameLinks(await client.get('api'), '/settings/api')
    const deep = await client.get('api/nope')
    t.strictSame([deep.status, frameLinks(deep, '/settings/api/nope')], [404, expected])
    const { host } = await buildScreen(t, {}, { authorize: () => false })
    for (const path of ['settings', 'settings/', 'settings/a/b']) {
      const page = await screenClient(host.app, { prefix: '' }).get(path)
      t.strictSame(
        [page.status, frameLinks(page, `/${path}`)],
        [403, ['/settings/screen.css', '/settings/screen.js']],
        path,
      )
    }
  },
)

t.test('bodies are bounded, and only well-formed forms are read', async (t) => {
  const { host, client } = await buildScreen(t, { bodyLimits: { json: 20_000 } })
  const before = await rowsOf(host)
  const page = await client.get('export')
  t.equal((await client.submit(page, 'export', { svc_ae_s3_bucket: 'x'.repeat(20_000) })).status, 413)
  const many = Array.from({ length: 6000 }, (): [string, string] => ['a', ''])
  t.equal((await client.post('export', many)).status, 400)
  for (const body of ['svc_ae_s3_bucket=%ff', 'a=%', 'a=%zz', '%c3%28=1']) {
    const response = await client.send('POST', 'export', body, { ...formType, origin: 'http://localhost' })
    t.strictSame(
      [response.status, response.texts('[role=alert]')],
      [400, ['The form is not UTF-8, or is wrongly escaped.']],
    )
  }
  for (const type of ['application/json', 'text/plain', 'multipart/form-data; boundary=x'])
    t.equal(
      (await client.send('POST', 'export', '{}', { 'content-type': type, origin: 'http://localhost' }))
        .status,
      415,
    )
  t.equal((await client.send('POST', 'export', undefined, { origin: 'http://localhost' })).status, 403)
  t.strictSame(await rowsOf(host), before)
})

t.test('the form of another site is not waited for', async (t) => {
  const { host } = await buildScreen(t)
  const port = await listen(host.app)
  const head = `POST /settings/export HTTP/1.1\r\nHost: localhost:${port}\r\nOrigin: https://evil.example\r\nConnection: close\r\nContent-Type: ${formType['content-type']}\r\nContent-Length: 100\r\n\r\na=`
  t.match(await exchange(port, head), /^HTTP\/1\.1 403 /)
})

t.test('neither log lines nor URLs hold the token, a secret or what was entered', async (t) => {
  let log = ''
  const stream = new Writable({
    write(chunk, _encoding, done) {
      log += chunk
      done()
    },
  })
  const { host, client } = await buildScreen(t, { server: { logger: { level: 'trace', stream } } })
  await store(host, { svc_printful_api_key: 'hush-hush' })
  const urls = [
    await client.save('export', { svc_printful_api_key: 'hush-new', svc_ae_image_dpi: 'hush-wrong' }),
    await client.save('export', { svc_printful_api_key: 'hush-new' }),
    await client.submit(await client.get('clear-token'), 'clear-token'),
    await client.save('export', { svc_pro_export_webhook_url: 'hush-url', _form: 'hush-form' }),
  ].map(({ headers }) => String(headers.location))
  await client.get('api')
  t.match(log, 'request completed')
  for (const secret of [token, 'hush-']) t.notMatch(log + urls.join(' '), secret)
})

t.test('of several APIs in one app the screen administers the one that baseUrl names', async (t) => {
  const { app, call } = await build(t, {
    prefix: '/one',
    after: (app) => {
      app.register(svcApi, {
        database: 'sqlite::memory:',
        siteUrl: 'https://two.example',
        migrate: true,
        prefix: '/two',
      })
      const screen = (name: string) =>
        app.register(svcSettingsScreen, {
          prefix: `/admin-${name}`,
          baseUrl: `/${name}/wp-json`,
          authorize: () => true,
        })
      screen('one')
      screen('two')
    },
  })
  const [one, two] = ['one', 'two'].map((name) => screenClient(app, { prefix: `/admin-${name}` }))
  t.match((await one?.get('api'))?.text, 'https://shop.example/one/wp-json/svc/v1')
  t.match((await two?.get('api'))?.text, 'https://two.example/two/wp-json/svc/v1')
  await two?.save('api', { svc_api_products_enabled: 'no' })
  t.equal((await call('GET', '/products')).status, 200)
  t.equal((await app.inject('/two/wp-json/svc/v1/products')).statusCode, 404)
})

t.test('beside single groups the screen knows which of them the app serves', async (t) => {
  const app = Fastify()
  t.teardown(() => app.close())
  app.register(async (scope) => {
    scope.register(svcContext, {
      database: 'sqlite::memory:',
      siteUrl: 'https://shop.example',
      migrate: true,
    })
    scope.register(svcSettingsScreen, { prefix: '/settings', authorize: () => true })
  })
  await app.ready()
  const page = await screenClient(app).get('api')
  t.strictSame(page.texts('#field-svc_api_products_enabled .off'), ['Not part of this app'])
})

t.test('a tab of the host that would hide a page of the screen is refused at start', async (t) => {
  const app = Fastify()
  t.teardown(() => app.close().catch(() => {}))
  const setting = { id: 'svc_x', type: 'text', label: 'x', description: 'x', default: '' } as const
  app.register(svcApi, {
    database: 'sqlite::memory:',
    siteUrl: 'https://shop.example',
    migrate: true,
    settings: [{ ...setting, tab: 'status', section: 'x', sectionLabel: 'x' }],
  })
  app.register(svcSettingsScreen, { prefix: '/settings', authorize: () => true })
  await t.rejects(async () => app.ready(), /"status" cannot be the slug of a tab/)
})

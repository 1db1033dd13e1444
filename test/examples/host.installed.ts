// What the example host prints and serves after `npm start`.
import t from 'tap'
import { ensureCommands } from '../support/debian.ts'
import { freshAddress, onEachEngine } from '../support/hosts/build.ts'
import { start, stop, tokenIn, type Variables } from '../support/hosts/example-host.ts'
import { freshDatabase } from '../support/peers/mariadb.ts'
import { installWordpress } from '../support/wordpress/wordpress.ts'

await ensureCommands({ curl: 'curl' })

t.test('the printed command lists a shop; a second start finds it and no longer prints the token', (t) =>
  onEachEngine(t, async (t, engine) => {
    const cwd = t.testdir({})
    const variables: Variables = engine === 'SQLite' ? {} : { DATABASE_URL: await freshAddress(t, engine) }
    const first = await start(t, cwd, variables)
    t.strictSame([first.products.length, new Set(first.products.map(({ type }) => type)).size], [8, 1])
    t.equal(new Set(first.products.flatMap(({ categories }) => categories)).size, 4)
    t.equal((await first.get('/ready')).status, 200)
    t.equal(await stop(first, 'SIGTERM'), 0)

    const second = await start(t, cwd, variables)
    t.strictSame(second.products, first.products)
    const token = tokenIn(first) ?? ''
    t.notMatch(second.printed, token)
    const command = /To see it, in this environment: (.+)$/m.exec(second.printed)?.[1] ?? ''
    t.equal(await second.shell(command), `${token}\n`)
    t.equal(await stop(second, 'SIGINT'), 0)
  }),
)

t.test(
  'each product has two views with text, picture and upload zone, and every URL in them resolves',
  async (t) => {
    const token = 'ab'.repeat(32)
    const running = await start(t, t.testdir({}), { SVC_API_TOKEN: token })
    const response = await fetch(
      `${/Listening on +(\S+)/.exec(running.printed)?.[1]}/wp-json/svc/v1/products?type=all&include_views=true`,
      { headers: { authorization: `Bearer ${token}` } },
    )
    const { data } = (await response.json()) as { data: { type: string; thumbnail: string; views: View[] }[] }
    t.strictSame([data.length, data.filter(({ type }) => type === 'template').length], [9, 1])
    for (const { views } of data) {
      t.equal(views.length, 2)
      for (const { elements } of views) {
        t.ok(elements.some(({ type }) => type === 'text'))
        t.ok(elements.some(({ type, parameters }) => type === 'image' && !parameters.uploadZone))
        t.ok(elements.some(({ parameters }) => parameters.uploadZone === true))
      }
    }
    const pictures = data.flatMap(({ thumbnail, views }) => [
      thumbnail,
      ...views.flatMap((view) => [view.thumbnail, ...imagesOf(view)]),
    ])
    for (const address of new Set(pictures)) {
      const { status, headers } = await running.get(address)
      t.strictSame([status, headers.get('content-type')], [200, 'image/svg+xml'], address)
      t.equal(headers.get('x-content-type-options'), 'nosniff')
      t.match(headers.get('content-security-policy'), /default-src 'none'.*sandbox/)
    }
  },
)

interface View {
  thumbnail: string
  elements: { type: string; source: string; parameters: Record<string, unknown> }[]
}

const imagesOf = ({ elements }: View) =>
  elements.filter(({ type }) => type === 'image').map(({ source }) => source)

t.test('uploads are never served as a page, a listing or a hidden file', async (t) => {
  const page = '<script>alert(1)</script>'
  const cwd = t.testdir({ files: { 'a.html': page, 'a.PDF': page, '.htaccess': page, '.git': { a: page } } })
  const running = await start(t, cwd, { UPLOADS_DIR: 'files', SVC_DEMO: '0' })
  t.strictSame(running.products, [])
  const html = await running.get('/uploads/a.html')
  t.equal(html.headers.get('content-type'), 'application/octet-stream')
  t.equal(html.headers.get('content-disposition'), 'attachment')
  t.match((await running.get('/uploads/a.PDF')).headers.get('content-security-policy'), /sandbox/)
  for (const path of ['/uploads/', '/uploads/.htaccess', '/uploads/.git/a', '/uploads/..%2f.htaccess']) {
    const { status, headers } = await running.get(path)
    t.ok(status === 403 || status === 404, path)
    t.equal(headers.get('x-content-type-options'), 'nosniff')
  }
  const broken = await running.get('/wp-json/svc/v1/views/%zz')
  t.strictSame([broken.status, Object(await broken.json()).code], [404, 'rest_no_route'])
})

t.test(
  'on a WordPress database, PHP reads the printed token, and demo content is created only on request',
  async (t) => {
    const url = await freshDatabase(t)
    const { wp } = await installWordpress(t, url, { siteUrl: 'https://shop.example' })
    const cwd = t.testdir({})
    const beside = await start(t, cwd, { DATABASE_URL: url })
    t.strictSame(beside.products, [])
    t.notMatch(beside.printed, 'shop.example')
    t.equal(await wp('echo get_option("svc_api_token");'), tokenIn(beside))
    t.equal(await stop(beside, 'SIGTERM'), 0)
    t.equal((await start(t, cwd, { DATABASE_URL: url, SVC_DEMO: '1' })).products.length, 8)
  },
)

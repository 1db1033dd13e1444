// The example host as a newcomer meets it: started as a process, asked with the line that it prints, stopped by a signal.
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { promisify } from 'node:util'
import { createConnection } from 'mysql2/promise'
import t, { type Test } from 'tap'
import { readEnvironment } from '../../examples/host/environment.ts'
import { onEachEngine } from '../support/build.ts'
import { ensureCommands } from '../support/debian.ts'
import { freshDatabase } from '../support/mariadb.ts'
import { installWordpress } from '../support/wordpress.ts'

const host = resolve(import.meta.dirname, '../../examples/host/index.ts')

await ensureCommands({ curl: 'curl' })

type Variables = Record<string, string>

interface Running {
  child: ChildProcess
  printed: string
  /** What the printed curl line answers. */
  products: { id: number; title: string; type: string; thumbnail: string; categories: number[] }[]
  get(path: string): Promise<Response>
}

/** Nothing of the caller's own settings reaches the host. */
function launch(cwd: string, variables: Variables) {
  const env = { PATH: process.env.PATH ?? '', PORT: '0', ...variables }
  return spawn(process.execPath, [host], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
}

async function start(t: Test, cwd: string, variables: Variables = {}): Promise<Running> {
  const child = launch(cwd, variables)
  t.teardown(() => child.kill('SIGKILL'))
  let printed = ''
  let errors = ''
  child.stderr.setEncoding('utf8').on('data', (part: string) => {
    errors += part
  })
  await new Promise<void>((started, failed) => {
    child.stdout.setEncoding('utf8').on('data', (part: string) => {
      printed += part
      if (/^curl .*\n/m.test(printed)) started()
    })
    child.once('exit', () => failed(new Error(errors)))
  })
  const curl = /^curl .*$/m.exec(printed)?.[0] ?? ''
  const { stdout } = await promisify(execFile)('sh', ['-c', curl])
  const address = /Listening on +(\S+)/.exec(printed)?.[1]
  return { child, printed, products: JSON.parse(stdout).data, get: (path) => fetch(`${address}${path}`) }
}

async function stop({ child }: Running, signal: 'SIGTERM' | 'SIGINT'): Promise<unknown> {
  const exit = once(child, 'exit')
  child.kill(signal)
  return (await exit)[0]
}

t.test('the printed line lists a shop, which a second start finds and does not add again', (t) =>
  onEachEngine(t, async (t, engine) => {
    const cwd = t.testdir({})
    const variables: Variables = engine === 'MariaDB' ? { DATABASE_URL: await freshDatabase(t) } : {}
    const first = await start(t, cwd, variables)
    t.equal(first.products.length, 6)
    t.equal(new Set(first.products.flatMap(({ categories }) => categories)).size, 3)
    t.equal((await first.get('/ready')).status, 200)
    t.equal(await stop(first, 'SIGTERM'), 0)

    const second = await start(t, cwd, variables)
    t.strictSame(second.products, first.products)
    t.equal(tokenIn(second), tokenIn(first))
    t.equal(await stop(second, 'SIGINT'), 0)
  }),
)

const tokenIn = ({ printed }: Running) => /API token +([0-9a-f]{64})$/m.exec(printed)?.[1]

t.test(
  'each product has two views with text, picture and upload zone, and every address in them resolves',
  async (t) => {
    const token = 'ab'.repeat(32)
    const running = await start(t, t.testdir({}), { SVC_API_TOKEN: token })
    const answer = await fetch(
      `${/Listening on +(\S+)/.exec(running.printed)?.[1]}/wp-json/svc/v1/products?type=all&include_views=true`,
      { headers: { authorization: `Bearer ${token}` } },
    )
    const { data } = (await answer.json()) as { data: { type: string; thumbnail: string; views: View[] }[] }
    t.strictSame([data.length, data.filter(({ type }) => type === 'template').length], [7, 1])
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
      const { status, headers } = await fetch(address)
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
  'on the database of a WordPress, PHP reads the printed token, and demo content comes only when asked for',
  async (t) => {
    const url = await freshDatabase(t)
    const { wp } = await installWordpress(t, url, { siteUrl: 'https://shop.example' })
    const cwd = t.testdir({})
    const beside = await start(t, cwd, { DATABASE_URL: url })
    t.strictSame(beside.products, [])
    t.notMatch(beside.printed, 'shop.example')
    t.equal(await wp('echo get_option("svc_api_token");'), tokenIn(beside))
    t.equal(await stop(beside, 'SIGTERM'), 0)
    t.equal((await start(t, cwd, { DATABASE_URL: url, SVC_DEMO: '1' })).products.length, 6)
  },
)

const bad: [name: string, value: string][] = [
  ['PORT', '80a'],
  ['PORT', '65536'],
  ['HOST', 'http://localhost'],
  ['BASE_URL', 'wp-json'],
  ['BASE_URL', '/a//b'],
  ['BASE_URL', '/a/../b'],
  ['SITE_URL', 'shop.example'],
  ['DATABASE_URL', 'postgres://user:secret@localhost/shop'],
  ['DATABASE_URL', 'mysql://user:secret@localhost'],
  ['DATABASE_URL', 'sqlite:'],
  ['DATABASE_URL', 'sqlite::memory:'],
  ['TABLE_PREFIX', 'wp-'],
  ['UPLOADS_URL', '/uploads'],
  ['SVC_API_TOKEN', 'secret'],
  ['SVC_DEMO', 'yes'],
  ['LOG_LEVEL', 'loud'],
]

t.test(
  'a value that cannot be meant is refused with one sentence that names it and keeps secrets',
  async (t) => {
    for (const [name, value] of bad) {
      t.throws(
        () => readEnvironment({ [name]: value }),
        { message: new RegExp(`^${name} (?!.*secret).+\\.$`) },
        `${name}=${value}`,
      )
    }
  },
)

const hopeless: [name: string, value: string][] = [
  ['SVC_API_TOKEN', 'secret'],
  ['HOST', '192.0.2.1'],
  ['DATABASE_URL', 'mysql://user:secret@127.0.0.1:1/shop'],
  ['UPLOADS_DIR', '/dev/null'],
  ['UPLOADS_DIR', '/proc/none/uploads'],
  ['DATABASE_URL', 'sqlite:/proc/none/svc.sqlite'],
  ['SVC_PRINT_READY_ALLOW', 'router.internal:99999'],
]

t.test('a host that cannot start says why in one sentence, keeps secrets and ends with code 1', async (t) => {
  const cwd = t.testdir({})
  for (const [name, value] of hopeless) {
    const child = launch(cwd, { [name]: value })
    let errors = ''
    child.stderr.setEncoding('utf8').on('data', (part: string) => {
      errors += part
    })
    t.equal((await once(child, 'close'))[0], 1)
    t.match(errors, new RegExp(`^The host did not start\\. [^\\n]*${name}\\b[^\\n]+\\.\\n$`))
    t.notMatch(errors, 'secret')
  }
})

t.test('the password of the database is not printed', async (t) => {
  const url = new URL(await freshDatabase(t))
  const user = `u${url.pathname.slice(-12)}`
  const root = await createConnection(url.href)
  await root.query(
    `grant all on ${url.pathname.slice(1)}.* to ${user}@'127.0.0.1' identified by 'hidden-word'`,
  )
  t.teardown(async () => {
    await root.query(`drop user ${user}@'127.0.0.1'`)
    await root.end()
  })
  const address = Object.assign(new URL(url), { username: user, password: 'hidden-word' }).href
  const running = await start(t, t.testdir({}), { DATABASE_URL: address })
  t.match(running.printed, `mysql://${user}@127.0.0.1`)
  t.notMatch(running.printed, 'hidden-word')
  await stop(running, 'SIGTERM')
})

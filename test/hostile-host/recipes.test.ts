// Runs the recipes of the guide to embedding verbatim with the real packages, registered before and after us.
import { spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { svcApi } from '../../plugins/index.ts'
import { unpackPackage } from '../support/debian.ts'
import { png } from '../support/fixtures/make-png.ts'
import { newProduct } from '../support/fixtures/rows.ts'
import { build, freshAddress, token } from '../support/hosts/build.ts'
import { blockUnder } from '../support/hosts/documents.ts'
import { Fastify } from '../support/hosts/fastify.ts'
import { upload } from '../support/hosts/form.ts'
import { freePort } from '../support/peers/free-port.ts'

const guide = 'docs/guide/embedding.md'

/** The block as a function of the app. Its packages resolve from inside this folder. */
async function recipe(t: Test, heading: string): Promise<(app: FastifyInstance) => Promise<void>> {
  const lines = blockUnder(guide, heading, 'js').split('\n')
  const isImport = (line: string) => line.startsWith('import ')
  const text = [
    ...lines.filter(isImport),
    'export default async (app) => {',
    ...lines.filter((line) => !isImport(line)),
    '}',
  ]
  const file = `${t.testdir({ 'recipe.mjs': text.join('\n') })}/recipe.mjs`
  return (await import(file)).default
}

/** A host that follows the recipe before or after it registers the API. */
async function following(t: Test, heading: string, order: 'before' | 'after', server = {}) {
  const follow = await recipe(t, heading)
  const app = Fastify(server)
  t.teardown(() => app.close())
  const options = {
    database: await freshAddress(t, 'SQLite'),
    siteUrl: 'https://shop.example',
    migrate: true,
  }
  if (order === 'before') await follow(app)
  await app.register(svcApi, options)
  if (order === 'after') await follow(app)
  await app.ready()
  const ask = (
    method: 'GET' | 'POST' | 'OPTIONS' | 'PUT',
    path: string,
    headers: Record<string, string> = {},
  ) => app.inject({ method, url: `/wp-json/svc/v1${path}`, headers })
  return { app, ask }
}

const origin = 'https://editor.example'

for (const order of ['before', 'after'] as const) {
  t.test(`the recipe for CORS lets a browser write and read what it needs, ${order} us`, async (t) => {
    const { ask } = await following(t, 'CORS', order)
    const wanted = 'authorization,content-type,if-match,if-none-match,idempotency-key,prefer,x-request-id'
    for (const method of ['PATCH', 'PUT', 'DELETE', 'POST']) {
      const { statusCode, headers } = await ask('OPTIONS', '/products/1', {
        origin,
        'access-control-request-method': method,
        'access-control-request-headers': wanted,
      })
      t.equal(statusCode, 204)
      t.equal(headers['access-control-allow-origin'], origin)
      t.ok(String(headers['access-control-allow-methods']).split(', ').includes(method))
      const allowed = String(headers['access-control-allow-headers']).toLowerCase().split(', ')
      t.strictSame(
        wanted.split(',').filter((name) => !allowed.includes(name)),
        [],
      )
    }
    for (const path of ['/products', '/nothing', '/products/77']) {
      const { headers } = await ask('GET', path, { origin, authorization: 'Bearer x' })
      t.equal(headers['access-control-allow-origin'], origin, path)
      const exposed = String(headers['access-control-expose-headers']).toLowerCase().split(', ')
      for (const name of ['etag', 'x-wp-total', 'location', 'link', 'x-request-id'])
        t.ok(exposed.includes(name), name)
    }
    const stranger = await ask('OPTIONS', '/products', {
      origin: 'https://evil.example',
      'access-control-request-method': 'POST',
    })
    t.notOk(stranger.headers['access-control-allow-origin'])
  })

  t.test(`the recipe for a rate limit counts every request on our paths, ${order} us`, async (t) => {
    const { app, ask } = await following(t, 'Rate limit', order)
    const paths = ['/products', '/nothing', '', '/products/x', '/system', '/assets']
    for (let count = 0; count < 300; count++) {
      const method = count % 5 === 4 ? 'PUT' : 'GET'
      const { statusCode, headers } = await ask(method, paths[count % paths.length] ?? '')
      if (statusCode === 429) return t.fail(`request ${count} was refused`)
      if (count === 299) t.equal(headers['x-ratelimit-remaining'], '0')
    }
    for (const path of paths) {
      const refused = await ask('GET', path)
      t.equal(refused.statusCode, 429, path)
      t.match(refused.json(), { success: false, code: /./, message: /rate limit/i, data: { status: 429 } })
      t.ok(Number(refused.headers['retry-after']) > 0)
    }
    t.equal((await app.inject('/elsewhere')).statusCode, 429)
  })

  t.test(`the recipe for helmet leaves our headers as they are, ${order} us`, async (t) => {
    const { ask } = await following(t, 'Helmet', order)
    for (const path of ['/products', '/nothing']) {
      const { headers, statusCode } = await ask('GET', path)
      t.equal(statusCode, path === '/nothing' ? 404 : 401)
      t.equal(headers['x-content-type-options'], 'nosniff')
      t.equal(headers['cache-control'], 'private, no-store')
      t.equal(headers['cross-origin-resource-policy'], 'cross-origin')
      t.match(headers['strict-transport-security'], /max-age/)
    }
  })
}

/** Debian's nginx with the guide's `location` in front of a port, with an existing working folder. */
async function nginx(t: Test, dir: string, block: string): Promise<number> {
  const folder = join(tmpdir(), 'svc-nginx')
  await unpackPackage('nginx', folder)
  mkdirSync(`${dir}/logs`)
  const port = await freePort()
  const temp = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${dir}/${name};`,
  )
  writeFileSync(
    `${dir}/nginx.conf`,
    `daemon off; worker_processes 1; pid ${dir}/pid; error_log ${dir}/logs/error.log; events {}
     http { access_log off; ${temp.join(' ')} server { listen 127.0.0.1:${port}; ${block} } }`,
  )
  const child = spawn(join(folder, 'usr/sbin/nginx'), ['-p', dir, '-c', `${dir}/nginx.conf`], {
    stdio: 'inherit',
  })
  t.teardown(async () => {
    child.kill('SIGTERM')
    if (child.exitCode === null) await new Promise((resolve) => child.once('exit', resolve))
  })
  for (let tries = 0; tries < 200; tries++) {
    if (
      await fetch(`http://127.0.0.1:${port}/`).then(
        () => true,
        () => false,
      )
    )
      return port
    await delay(50)
  }
  throw new Error('nginx did not start.')
}

t.test(
  'the recipe for a reverse proxy passes tokens, uploads, encoded keys and ids, and names the client',
  async (t) => {
    const seen: string[] = []
    const dir = t.testdir({ uploads: {}, nginx: {} })
    const host = await build(t, {
      server: { trustProxy: '127.0.0.1', requestIdHeader: 'x-request-id' },
      uploads: { dir: `${dir}/uploads`, url: 'https://shop.example/uploads' },
      before: (app) => {
        app.addHook('onRequest', async ({ ip }) => void seen.push(ip))
      },
    })
    await newProduct(host)
    const made = await upload(host, '/assets', 'a.png', png())
    await host.app.listen({ port: 0, host: '127.0.0.1' })
    const { port: inner } = host.app.server.address() as AddressInfo
    const port = await nginx(
      t,
      `${dir}/nginx`,
      blockUnder('docs/guide/deployment.md', 'Reverse proxy', 'nginx').replace(
        '127.0.0.1:3000',
        `127.0.0.1:${inner}`,
      ),
    )
    const base = `http://127.0.0.1:${port}/wp-json/svc/v1`
    const headers = { authorization: `Bearer ${token}` }

    const one = await fetch(`${base}/products/1`, { headers })
    t.equal(one.status, 200)
    t.match(one.headers.get('x-request-id'), /^[0-9a-f]{32}$/, 'the id that nginx made')
    t.equal(
      (
        await fetch(`${base}/products/1`, {
          headers: { ...headers, 'if-none-match': one.headers.get('etag') ?? '' },
        })
      ).status,
      304,
    )
    t.equal((await fetch(`${base}/products`)).status, 401)

    seen.length = 0
    await fetch(`${base}/products`, { headers: { ...headers, 'x-forwarded-for': '203.0.113.9' } })
    t.strictSame(seen, ['127.0.0.1'], 'what a client claims is not passed on')

    const body = new FormData()
    body.append('file', new Blob([new Uint8Array(9 * 1024 * 1024)]), 'a.png')
    t.equal(
      (await fetch(`${base}/assets`, { method: 'POST', headers, body })).status,
      422,
      'nine megabytes arrive',
    )
    const refused = await fetch(`${base}/assets`, { method: 'POST', body }).catch(() => undefined)
    t.ok(refused === undefined || refused.status === 401)
    const gone = await fetch(`${base}/assets/${encodeURIComponent(made.body.data.key)}`, {
      method: 'DELETE',
      headers,
    })
    t.equal(gone.status, 200)
  },
)

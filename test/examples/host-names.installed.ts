// The example host under names that are not its own, as pages of others reach it after DNS rebinding.
import { request } from 'node:http'
import type { FastifyRequest } from 'fastify'
import t from 'tap'
import { ownNames } from '../../examples/host/own-names.ts'
import { launch, start } from '../support/hosts/example-host.ts'

const own = ['shop.example:8080', 'cdn.example', 'api']
const isServed = (host: string | undefined) =>
  ownNames(own)({ headers: { host } } as FastifyRequest).then(
    () => true,
    () => false,
  )

t.test('own names, localhost and addresses are served, whatever case and port', async (t) => {
  const good = ['shop.example', 'SHOP.example:3000', 'shop.example.', 'cdn.example:443', 'api', 'api:3000']
  good.push('localhost', 'localhost:80', 'LOCALHOST:1', '127.0.0.1', '127.0.0.1:3000', '[::1]:3000', '[::1]')
  for (const host of [...good, '192.168.1.5:3000', '10.0.0.1', '[fd00::5]:80', undefined])
    t.ok(await isServed(host), String(host))
})

t.test('any other name is refused', async (t) => {
  const bad = [
    'evil.example',
    'evil.example:3000',
    'shop.example.evil.example',
    'xshop.example',
    'localhost.evil.example',
  ]
  bad.push(
    '',
    ' ',
    'a b',
    'shop.example@evil.example',
    'evil.example#shop.example',
    'evil.example/shop.example',
    '[::1',
  )
  for (const host of [...bad, '127.0.0.1.evil.example', 'localhost\\.evil.example', 'example', '::1'])
    t.notOk(await isServed(host), host)
})

t.test('the host responds 421 under a foreign name, on every path, and serves its own', async (t) => {
  const running = await start(t, t.testdir({}), {
    SITE_URL: 'https://shop.example',
    UPLOADS_URL: 'https://cdn.example/files',
    SVC_HOST_NAMES: 'internal.example, other.example:8080',
  })
  const { port } = new URL((await running.get('/ready')).url)
  const get = (path: string, host: string, headers = {}) =>
    new Promise<{ status: number | undefined; text: string }>((resolve, reject) => {
      request({ host: '127.0.0.1', port, path, headers: { ...headers, host } }, (response) => {
        let text = ''
        response.setEncoding('utf8').on('data', (part: string) => {
          text += part
        })
        response.on('end', () => resolve({ status: response.statusCode, text }))
      })
        .on('error', reject)
        .end()
    })
  const names = ['shop.example', 'cdn.example', 'internal.example', 'other.example', `localhost:${port}`]
  for (const name of [...names, `127.0.0.1:${port}`, `[::1]:${port}`])
    t.equal((await get('/ready', name)).status, 200, name)
  const [, password = ''] = /user admin, password (.+)$/m.exec(running.printed) ?? []
  const authorization = `Basic ${Buffer.from(`admin:${password}`).toString('base64')}`
  for (const path of ['/settings/api', '/wp-json/svc/v1/products', '/uploads/x.png', '/ready', '/nothing']) {
    const { status, text } = await get(path, 'evil.example', { authorization, origin: 'http://evil.example' })
    t.equal(status, 421, path)
    t.match(text, /SVC_HOST_NAMES/)
  }
  t.equal((await get('/settings/api', `localhost:${port}`, { authorization })).status, 200)
})

t.test('a malformed SVC_HOST_NAMES ends the start with a sentence', async (t) => {
  const { ended, errors } = launch(t, t.testdir({}), { SVC_HOST_NAMES: 'http://x/' })
  t.equal(await ended, 1)
  t.match(errors(), /SVC_HOST_NAMES must be names like/)
})

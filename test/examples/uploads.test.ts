// How the example host serves files: each under the address that the API gives it, none as a page of the site.
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import Fastify from 'fastify'
import t, { type Test } from 'tap'
import { uploads } from '../../examples/host/uploads.ts'
import { localStorage } from '../../src/storage/local.ts'
import { answersIn, exchange, listen, requestText } from '../support/raw-http.ts'

async function host(t: Test, files: string[]) {
  const dir = t.testdir({ 'secret.txt': 'secret', uploads: { svc: {} } })
  for (const file of files) writeFileSync(`${dir}/uploads/svc/${file}`, `bytes of ${file}`)
  const app = Fastify()
  t.teardown(() => app.close())
  app.register(uploads, { prefix: '/uploads/', dir: `${dir}/uploads` })
  const port = await listen(app)
  const get = async (path: string, headers: Record<string, string> = {}, method = 'GET') => {
    const [answer] = answersIn(await exchange(port, requestText(method, path, headers)))
    if (!answer) throw new Error(`${path} was not answered.`)
    return answer
  }
  return { get, dir: `${dir}/uploads` }
}

t.test('whatever the name of a file, its address gives its bytes', async (t) => {
  const stems = [
    '#',
    '?',
    '100%',
    'a%20b',
    'a%23b',
    'a b',
    '&;+,=@$',
    '(x)',
    '😀',
    `"'<>|*`,
    'n\u00e9',
    'ne\u0301',
  ]
  const names = stems.map((stem) => `${stem}.png`)
  const { get, dir } = await host(t, names)
  for (const name of names) {
    const address = localStorage(dir, '/uploads').url(`svc/${name}`)
    t.match(await get(address), {
      status: 200,
      body: `bytes of ${name}`,
      headers: { 'content-type': 'image/png' },
    })
  }
})

t.test('every type has the headers that keep it from acting as a page', async (t) => {
  const types = {
    'a.png': 'image/png',
    'a.JPG': 'image/jpeg',
    'a.svg': 'image/svg+xml',
    'a.PDF': 'application/pdf',
    'a.ttf': 'font/ttf',
    'a.php.ttf': 'font/ttf',
    'a.html': 'application/octet-stream',
    'a.php': 'application/octet-stream',
    'a.svg.html': 'application/octet-stream',
    a: 'application/octet-stream',
  }
  const { get } = await host(t, Object.keys(types))
  for (const [name, type] of Object.entries(types)) {
    for (const [method, headers, status] of [
      ['GET', {}, 200],
      ['HEAD', {}, 200],
      ['GET', { range: 'bytes=0-4' }, 206],
      ['GET', { range: 'bytes=999-' }, 416],
    ] as const) {
      const answer = await get(`/uploads/svc/${name}`, headers, method)
      t.equal(answer.status, status, `${method} ${name} ${JSON.stringify(headers)}`)
      t.equal(answer.headers['x-content-type-options'], 'nosniff')
      if (status === 416) continue
      t.equal(answer.headers['content-type'], type)
      t.equal(answer.headers['content-disposition'], type.endsWith('stream') ? 'attachment' : undefined)
      t.equal(/sandbox/.test(answer.headers['content-security-policy'] ?? ''), /\.(svg|pdf)$/i.test(name))
    }
  }
})

t.test('nothing outside of the folder, nothing hidden and no listing is given out', async (t) => {
  const { get, dir } = await host(t, ['.htaccess', '.upload.x.part', 'a.png'])
  mkdirSync(`${dir}/.git`)
  writeFileSync(`${dir}/.git/config`, 'secret')
  symlinkSync('a.png', `${dir}/svc/link.png`)
  for (const path of [
    '../secret.txt',
    '%2e%2e/secret.txt',
    '%2e%2e%2fsecret.txt',
    '..%2fsecret.txt',
    '..%5csecret.txt',
    'svc/../../secret.txt',
    'svc/%2e%2e/%2e%2e/secret.txt',
    '%252e%252e/secret.txt',
    '/etc/passwd',
    '%2fetc/passwd',
    'svc/.htaccess',
    'svc/%2ehtaccess',
    'svc/.upload.x.part',
    '.git/config',
    'svc/a.png%00.html',
    'svc/a.png/',
    'svc/a.png/x',
    'svc',
    'svc/',
    '',
  ]) {
    const { status, body } = await get(`/uploads/${path}`)
    t.ok(status >= 400 && status < 500, `${path} is ${status}`)
    t.notMatch(body, /secret$|root:|bytes|a\.png"/, path)
  }
})

// How the example host serves files: each at the URL that the API returns, none as a page of the site.
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import {
  mkdirSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { get as httpGet } from 'node:http'
import { connect } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { uploads } from '../../examples/host/uploads.ts'
import { localStorage } from '../../src/storage/local.ts'
import { exchange, listen, parseResponses, rawRequest } from '../support/hostile/raw-http.ts'
import { Fastify } from '../support/hosts/fastify.ts'

async function host(t: Test, files: string[]) {
  const dir = t.testdir({ 'secret.txt': 'secret', uploads: { svc: {} } })
  for (const file of files) writeFileSync(`${dir}/uploads/svc/${file}`, `bytes of ${file}`)
  const app = Fastify()
  t.teardown(() => app.close())
  app.register(uploads, { prefix: '/uploads/', dir: `${dir}/uploads` })
  const port = await listen(app)
  const get = async (path: string, headers: Record<string, string> = {}, method = 'GET') => {
    const [response] = parseResponses(await exchange(port, rawRequest(method, path, headers)))
    if (!response) throw new Error(`No response to ${path}.`)
    return response
  }
  return { get, port, dir: `${dir}/uploads` }
}

t.test('whatever the name of a file, its URL returns its bytes', async (t) => {
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
      const response = await get(`/uploads/svc/${name}`, headers, method)
      t.equal(response.status, status, `${method} ${name} ${JSON.stringify(headers)}`)
      t.equal(response.headers['x-content-type-options'], 'nosniff')
      if (status === 416) continue
      t.equal(response.headers['content-type'], type)
      t.equal(response.headers['content-disposition'], type.endsWith('stream') ? 'attachment' : undefined)
      t.equal(/sandbox/.test(response.headers['content-security-policy'] ?? ''), /\.(svg|pdf)$/i.test(name))
    }
  }
})

t.test('files outside the folder, hidden files and listings are not served', async (t) => {
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

t.test('no link, pipe or device is opened, and no link leads out of the folder', async (t) => {
  const { get, dir } = await host(t, ['a.png', '.hidden'])
  writeFileSync(`${dir}/../outside.png`, 'secret')
  symlinkSync('../../outside.png', `${dir}/svc/file.png`)
  symlinkSync('../..', `${dir}/svc/folder`)
  symlinkSync('.hidden', `${dir}/svc/hidden.png`)
  symlinkSync('/dev/zero', `${dir}/svc/zero.png`)
  symlinkSync('round.png', `${dir}/svc/round.png`)
  execFileSync('mkfifo', [`${dir}/svc/pipe.png`])
  const names = ['file', 'folder/outside', 'hidden', 'zero', 'round', 'pipe']
  // More requests than file system threads: one that waits for a pipe would block all others.
  const all = [...names, ...names, ...names].map((name) => get(`/uploads/svc/${name}.png`))
  for (const { status, body } of await Promise.all(all)) {
    t.equal(status, 404)
    t.notMatch(body, /secret|bytes/)
  }
  t.equal((await get('/uploads/svc/a.png')).status, 200)
})

t.test('a file that is replaced while it is read is sent whole, either old or new', async (t) => {
  const { port, dir } = await host(t, [])
  const storage = localStorage(dir)
  const files = [30_000, 300_000].map((size) => Buffer.alloc(size, `${size},`))
  await storage.put('svc/fonts/a.ttf', files[0] as Buffer)
  let isDone = false
  const replacing = (async () => {
    for (let i = 0; i < 300; i++) await storage.put('svc/fonts/a.ttf', files[i % 2] as Buffer)
    isDone = true
  })()
  let read = 0
  const torn: string[] = []
  const reader = async () => {
    while (!isDone) {
      const response = await fetch(`http://127.0.0.1:${port}/uploads/svc/fonts/a.ttf`)
      const body = new Uint8Array(await response.arrayBuffer().catch(() => new ArrayBuffer(0)))
      const isWhole = files.some((file) => file.equals(body))
      if (response.status !== 200 || !isWhole) torn.push(`${response.status}, ${body.length} bytes`)
      read++
    }
  }
  await Promise.all([replacing, reader(), reader(), reader(), reader()])
  t.ok(read > 100)
  t.same(torn, [])
})

t.test(
  'a file that is truncated while it is read breaks the connection instead of passing as complete',
  async (t) => {
    const { port, dir } = await host(t, [])
    writeFileSync(`${dir}/svc/a.zip`, Buffer.alloc(64_000_000))
    const received = await new Promise<{ announced: number; bytes: number; isComplete: boolean }>(
      (resolve) => {
        httpGet(`http://127.0.0.1:${port}/uploads/svc/a.zip`, (response) => {
          let bytes = 0
          truncateSync(`${dir}/svc/a.zip`, 1_000_000)
          response.on('data', (part: Buffer) => {
            bytes += part.length
          })
          response.on('error', () => {})
          response.on('close', () =>
            resolve({
              announced: Number(response.headers['content-length']),
              bytes,
              isComplete: response.complete,
            }),
          )
        })
      },
    )
    t.equal(received.announced, 64_000_000)
    t.ok(received.bytes < 64_000_000)
    t.equal(received.isComplete, false)
  },
)

t.test('ranges and conditions are those of the file that was opened', async (t) => {
  const { get, dir } = await host(t, ['a.png'])
  const path = '/uploads/svc/a.png'
  const whole = await get(path)
  const { etag = '', 'last-modified': modified = '' } = whole.headers
  t.match(whole.headers, { 'content-length': '14', 'accept-ranges': 'bytes', 'cache-control': /max-age=0/ })
  for (const [range, status, body, place] of [
    ['bytes=0-4', 206, 'bytes', 'bytes 0-4/14'],
    ['bytes=9-', 206, 'a.png', 'bytes 9-13/14'],
    ['bytes=-5', 206, 'a.png', 'bytes 9-13/14'],
    ['bytes=-99', 206, 'bytes of a.png', 'bytes 0-13/14'],
    ['bytes=9-99', 206, 'a.png', 'bytes 9-13/14'],
    ['bytes=14-', 416, undefined, 'bytes */14'],
    ['bytes=-0', 416, undefined, 'bytes */14'],
    // An invalid header, or more than one range, gets the whole file.
    ['bytes=5-1', 200, 'bytes of a.png', undefined],
    ['bytes=0-1,4-5', 200, 'bytes of a.png', undefined],
    ['lines=1-2', 200, 'bytes of a.png', undefined],
  ] as const) {
    const response = await get(path, { range })
    t.equal(response.status, status, range)
    t.equal(response.headers['content-range'], place)
    if (body !== undefined) t.equal(response.body, body)
  }
  t.equal((await get(path, { 'if-none-match': `"other", W/${etag}` })).status, 304)
  t.equal((await get(path, { 'if-modified-since': modified })).status, 304)
  t.equal((await get(path, { 'if-none-match': '"other"', 'if-modified-since': modified })).status, 200)
  t.equal((await get(path, { range: 'bytes=0-4', 'if-range': etag })).status, 206)
  t.equal((await get(path, { range: 'bytes=0-4', 'if-range': '"other"' })).status, 200)
  const head = await get(path, { range: 'bytes=0-4' }, 'HEAD')
  t.match([head.status, head.headers['content-length'], head.body], [200, '14', ''])
  await localStorage(dir).put('svc/a.png', Buffer.from('bytes of B.png'))
  t.not((await get(path)).headers.etag, etag)
  t.equal((await get(path, { range: 'bytes=0-4', 'if-range': etag })).status, 200)
})

t.test(
  'a connection has one file open, however many it asks for, and is closed if those are too many',
  async (t) => {
    const { port, dir } = await host(t, ['a.png'])
    const file = `${dir}/svc/a.png`
    truncateSync(file, 50_000_000)
    const isOpen = (fd: string) => readlinkOf(`/proc/self/fd/${fd}`) === realpathSync(file)
    const opened = () => readdirSync('/proc/self/fd').filter(isOpen).length
    const ask = rawRequest('GET', '/uploads/svc/a.png', { connection: 'keep-alive' })
    const socket = connect(port, '127.0.0.1')
      .on('error', () => {})
      .pause()
    t.teardown(() => socket.destroy())
    socket.write(ask.repeat(50))
    while (opened() === 0) await delay(1)
    await delay(100)
    t.equal(opened(), 1)
    const greedy = connect(port, '127.0.0.1')
      .on('error', () => {})
      .pause()
    const closed = once(greedy, 'close')
    greedy.write(ask.repeat(200))
    greedy.resume()
    await closed
  },
)

function readlinkOf(path: string): string | undefined {
  try {
    return readlinkSync(path)
  } catch {
    return undefined
  }
}

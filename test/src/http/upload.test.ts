// How forms come in: bounded in size, parts and time, and nothing left behind by those that fail.
import { existsSync, readdirSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import t, { type Test } from 'tap'
import { png } from '../../support/fixtures/make-png.ts'
import { type BuildOptions, build, token } from '../../support/hosts/build.ts'
import { boundary, filePart, form, formHeaders, upload, wire } from '../../support/hosts/form.ts'

const MB = 1_048_576
const pdf = (size: number) => Buffer.concat([Buffer.from('%PDF-1.4\n'), Buffer.alloc(size - 9, 0x20)])

async function host(t: Test, options: BuildOptions = {}) {
  const dir = t.testdir({ uploads: {} })
  const uploads = { dir: `${dir}/uploads`, url: 'https://shop.example/uploads' }
  const app = await build(t, { uploads, ...options })
  const left = () =>
    existsSync(uploads.dir)
      ? readdirSync(uploads.dir, { recursive: true, withFileTypes: true }).filter(
          (entry) => !entry.isDirectory(),
        ).length
      : 0
  return { ...app, left }
}

/** Resolves when the condition holds; only a hang ends it otherwise. */
async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setImmediate(resolve))
}

async function setLimit({ db, t: names }: Awaited<ReturnType<typeof host>>, value: string) {
  await db
    .insertInto(names.options)
    .values({ option_name: 'svc_uploaded_designs_parameter_maxSize', option_value: value, autoload: 'yes' })
    .execute()
}

t.test('a file of exactly the limit is read whole, one byte more is refused', async (t) => {
  const app = await host(t)
  await setLimit(app, '0.5')
  // A PDF of spaces fails its check, which shows that it was received.
  for (const [size, code] of [
    [MB / 2 - 1, 'svc_upload_rejected'],
    [MB / 2, 'svc_upload_rejected'],
    [MB / 2 + 1, 'svc_upload_too_large'],
  ] as const)
    t.equal((await upload(app, '/assets', 'a.pdf', pdf(size))).body.code, code)
  t.match(await upload(app, '/assets', 'a.pdf', pdf(MB)), {
    status: 413,
    body: { message: /0\.5 MB/, data: { limit: MB / 2 } },
  })
  t.equal(app.left(), 0)
})

t.test('the master print profile sets the limit; nonsense anywhere means 10 MB', async (t) => {
  const app = await host(t)
  const code = async (size: number) => (await upload(app, '/assets', 'a.pdf', pdf(size))).body.code
  const profile = { name: 'Master', is_master: 1 }
  const stored = (maxSize: unknown) => ({ data: JSON.stringify({ customImageParameters: { maxSize } }) })
  await setLimit(app, '2')
  t.equal(await code(3 * MB), 'svc_upload_too_large')
  await app.db
    .insertInto(app.t.print_profiles)
    .values({ ...profile, ...stored(4) })
    .execute()
  t.equal(await code(3 * MB), 'svc_upload_rejected')
  t.equal(await code(5 * MB), 'svc_upload_too_large')
  for (const nonsense of [0, -1, 'abc', 1e9, [], true]) {
    await app.db.updateTable(app.t.print_profiles).set(stored(nonsense)).execute()
    t.equal(await code(9 * MB), 'svc_upload_rejected', String(nonsense))
    t.equal(await code(11 * MB), 'svc_upload_too_large', String(nonsense))
  }
  for (const data of ['not JSON', stored('').data, stored(' ').data, stored(null).data]) {
    await app.db.updateTable(app.t.print_profiles).set({ data }).execute()
    t.equal(await code(3 * MB), 'svc_upload_too_large', `the setting counts beside ${data}`)
  }
})

t.test('an unreadable or absent setting means 10 MB', async (t) => {
  for (const value of ['', '0', '-5', 'abc', '1000000000', 'Infinity', '1e3']) {
    const app = await host(t)
    await setLimit(app, value)
    t.equal((await upload(app, '/assets', 'a.pdf', pdf(11 * MB))).status, 413, value)
  }
})

t.test('without the right token no byte of an upload is stored', async (t) => {
  const app = await host(t)
  const body = form([filePart('a.png', Buffer.alloc(9 * MB))])
  for (const path of ['/assets', '/fonts']) {
    for (const [authorization, status] of [
      [undefined, 401],
      ['Bearer ', 401],
      ['Bearer wrong', 403],
    ] as const)
      t.equal((await app.call('POST', path, body, { ...formHeaders(), authorization })).status, status)
  }
  t.equal(app.left(), 0)
})

t.test('a form that is not exactly one file and known fields is 400', async (t) => {
  const app = await host(t)
  const file = filePart('a.png', png())
  const field = (name: string, content: string | Uint8Array = 'x') => ({ name, content })
  const forged = '{"file":true,"buffer":"x","filename":"../../x"}'
  const forms = {
    'no file': form([]),
    'two files': form([file, file]),
    'another name': form([{ ...file, name: 'upload' }]),
    'no file name': form([{ ...file, filename: '' }]),
    'a text named file': form([field('file')]),
    'an unknown field': form([file, field('title')]),
    'five thousand fields': form(Array.from({ length: 5000 }, (_, i) => field(`f${i}`))),
    'five thousand empty parts': Buffer.from(`--${boundary}\r\n\r\n\r\n`.repeat(5000)),
    'a field of 50 MB': form([field('name', Buffer.alloc(50 * MB, 0x61)), file]),
    'a prototype as field': form([field('__proto__'), file]),
    'a prototype as file': form([{ ...file, name: '__proto__' }]),
    'a constructor as file': form([{ ...file, name: 'constructor' }]),
    'a forged file in JSON': form([{ ...field('file', forged), type: 'application/json' }]),
    'a cut form': form([file]).subarray(0, -10),
    'no form at all': Buffer.from('hello'),
    nothing: Buffer.alloc(0),
  }
  for (const [name, body] of Object.entries(forms)) {
    for (const path of ['/assets', '/fonts'])
      t.equal((await app.call('POST', path, body, formHeaders())).status, 400, `${name} at ${path}`)
  }
  t.equal(app.left(), 0)
})

t.test('a boundary over 70 characters, or none, is 400', async (t) => {
  const app = await host(t)
  for (const length of [71, 251, 252, 253]) {
    const mark = 'b'.repeat(length)
    t.equal(
      (await app.call('POST', '/assets', form([filePart('a.png', png())], mark), formHeaders(mark))).status,
      400,
    )
  }
  const mark = 'b'.repeat(70)
  t.equal(
    (await app.call('POST', '/assets', form([filePart('a.png', png())], mark), formHeaders(mark))).status,
    201,
  )
  t.equal(
    (await app.call('POST', '/assets', form([]), { 'content-type': 'multipart/form-data' })).status,
    400,
  )
})

t.test(
  'a body that is no form is 400 as JSON and 415 as anything else, and forms are taken nowhere else',
  async (t) => {
    const app = await host(t)
    const forged = { file: { file: true, buffer: 'x', filename: '../../x' } }
    t.equal((await app.call('POST', '/assets', forged)).status, 400)
    t.match(await app.call('POST', '/assets'), { status: 400, body: { data: { params: ['file'] } } })
    t.equal((await app.call('POST', '/assets', 'x', { 'content-type': 'text/plain' })).status, 415)
    t.equal((await app.call('POST', '/categories', form([]), formHeaders())).status, 415)
    t.equal((await app.call('DELETE', '/assets/x', form([]), formHeaders())).status, 415)
    t.equal(app.left(), 0)
  },
)

/** A form over a socket that sends what it is told. */
function sender(t: Test, port: number): Socket {
  const socket = connect(port, '127.0.0.1')
  t.teardown(() => socket.destroy())
  socket.on('error', () => {})
  socket.write(
    `POST /wp-json/svc/v1/assets HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${token}\r\n` +
      `Content-Type: multipart/form-data; boundary=${boundary}\r\nTransfer-Encoding: chunked\r\n\r\n`,
  )
  return socket
}

const chunk = (data: Buffer | string) =>
  Buffer.concat([
    Buffer.from(`${data.length.toString(16)}\r\n`),
    Buffer.from(data as string),
    Buffer.from('\r\n'),
  ])
const start = form([filePart('a.png', '')]).subarray(0, -boundary.length - 8)

t.test('an endless upload without a length is refused at the limit, and its connection ends', async (t) => {
  const app = await host(t)
  await setLimit(app, '1')
  const { port } = await wire(app)
  const socket = sender(t, port)
  let text = ''
  socket.on('data', (data) => {
    text += data
  })
  const closed = new Promise((resolve) => socket.once('close', resolve))
  socket.write(chunk(start))
  const block = chunk(Buffer.alloc(64 * 1024))
  const more = () => {
    while (!socket.destroyed && socket.write(block));
  }
  socket.on('drain', more)
  more()
  await closed
  t.match(text, /^HTTP\/1\.1 413 /)
  t.ok(socket.bytesWritten < 50 * MB, 'it does not go on')
  t.equal(app.left(), 0)
})

t.test('a form that is sent too slowly is 408, while others are served', async (t) => {
  const app = await host(t, { uploadSeconds: 3 })
  const { port, post } = await wire(app)
  const slow = Array.from({ length: 50 }, () => sender(t, port))
  const responses = slow.map((socket) => {
    socket.write(chunk(start))
    return new Promise((resolve) => socket.once('data', resolve))
  })
  t.equal((await post('/assets', form([filePart('a.png', png())]))).status, 201)
  for (const response of await Promise.all(responses)) t.match(String(response), /^HTTP\/1\.1 408 /)
  t.equal(app.left(), 1)
})

t.test('uploads that are cut off leave no file and no open one', async (t) => {
  const app = await host(t)
  const { port, post } = await wire(app)
  const open = () => readdirSync('/proc/self/fd').length
  await post('/assets', form([filePart('a.png', png())]))
  const before = open()
  for (let round = 0; round < 10; round++) {
    const sockets = Array.from({ length: 10 }, () => sender(t, port))
    for (const socket of sockets) socket.write(Buffer.concat([chunk(start), chunk(Buffer.alloc(100_000))]))
    await until(() => app.left() > 1)
    for (const socket of sockets) socket.resetAndDestroy()
    await until(() => app.left() === 1)
  }
  await until(() => open() <= before + 2)
  t.equal((await post('/assets', form([filePart('a.png', png())]))).status, 201)
})

t.test('an upload that is broken off before it is looked at leaves no file and no open one', async (t) => {
  // So much time that no deadline cleans up.
  const app = await host(t, { uploadSeconds: 3600 })
  const { port, post } = await wire(app)
  await post('/assets', form([filePart('a.png', png())]))
  for (let round = 0; round < 10; round++) {
    const socket = sender(t, port)
    // Node refuses the request while its handler is still finding out how large a file may be.
    socket.write('no chunk\r\n')
    await new Promise((resolve) => socket.resume().once('close', resolve))
  }
  // In order: what the handlers of these requests do has been begun before.
  t.equal((await post('/assets', form([filePart('a.png', png())]))).status, 201)
  await until(() => app.left() === 2)
})

t.test('a host that takes forms itself keeps its own way, and so do we', async (t) => {
  const app = await host(t, {
    before: (app) => {
      app.decorateRequest('isMultipart', () => true)
      app.addContentTypeParser('multipart/form-data', (_request, _payload, done) => done(null, 'of the host'))
      app.post('/own', async ({ body }) => ({ body }))
    },
  })
  t.equal((await upload(app, '/assets', 'a.png', png())).status, 201)
  const own = await app.app.inject({ method: 'POST', url: '/own', payload: form([]), headers: formHeaders() })
  t.same(own.json(), { body: 'of the host' })
})

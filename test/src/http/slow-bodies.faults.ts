// Bodies that come too slowly, or behind a refusal: the client gets its response and the connection ends.
import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import t from 'tap'
import { build, token } from '../../support/build.ts'
import { listen, parseResponses, rawRequest } from '../../support/raw-http.ts'
import { newProduct, newView } from '../../support/rows.ts'

const json = { 'content-type': 'application/json', connection: 'keep-alive' }
const right = { ...json, authorization: `Bearer ${token}` }

/** Sends the head, then a byte each 100 ms; resolves with what came back and the milliseconds until the connection ended. */
function dribble(port: number, head: string): Promise<{ text: string; time: number }> {
  return new Promise((resolve) => {
    const started = performance.now()
    const socket = connect(port, '127.0.0.1', () => socket.write(head))
    const timer = setInterval(() => socket.write(' '), 100)
    let text = ''
    socket.on('data', (part) => {
      text += part
    })
    socket.on('error', () => {})
    socket.on('close', () => {
      clearInterval(timer)
      resolve({ text, time: performance.now() - started })
    })
  })
}

// The server's own limits are off: the API must not depend on them.
const server = { requestTimeout: 0, http: { headersTimeout: 0 } }

t.test('a body that comes too slowly gives 408, and its connection is closed', async (t) => {
  const host = await build(t, { bodySeconds: 1, server })
  const port = await listen(host.app)
  const guid = '/wp-json/svc-export/v1.0/print_job/x'
  await Promise.all(
    (
      [
        ['POST', '/wp-json/svc/v1/products', right],
        ['PUT', '/wp-json/svc/v1/color-library', right],
        ['PATCH', '/wp-json/svc/v1/settings', right],
        ['POST', guid, json],
        ['POST', guid, { ...json, 'content-type': 'application/x-www-form-urlencoded' }],
      ] as const
    ).map(async ([method, path, headers]) => {
      const { text, time } = await dribble(
        port,
        rawRequest(method, path, { ...headers, 'content-length': '5000' }),
      )
      const [response] = parseResponses(text)
      t.equal(response?.status, 408, `${method} ${path}`)
      t.match(JSON.parse(response?.body ?? ''), { success: false, code: 'svc_body_too_slow' })
      t.ok(time < 30_000)
    }),
  )
})

t.test('a body with a steady rate may take longer', async (t) => {
  const host = await build(t, { bodySeconds: 1, server })
  const port = await listen(host.app)
  const size = 400_000
  const body = `{"title":"x","options":{"a":"${'x'.repeat(size)}"}}`
  const head = rawRequest('POST', '/wp-json/svc/v1/products', {
    ...right,
    'content-length': String(body.length),
  })
  const text = await new Promise<string>((resolve) => {
    let received = ''
    const socket = connect(port, '127.0.0.1', async () => {
      socket.write(head)
      for (let at = 0; at < body.length; at += 40_000) {
        socket.write(body.slice(at, at + 40_000))
        await pause(250)
      }
    })
    socket.on('data', (part) => {
      received += part
      if (received.includes('201 Created')) socket.destroy()
    })
    socket.on('error', () => {})
    socket.on('close', () => resolve(received))
  })
  t.match(text, /^HTTP\/1\.1 201 /)
})

t.test(
  'behind a refusal the body is not waited for: the response comes at once, then the connection ends',
  async (t) => {
    const host = await build(t, { bodyLimits: { json: 1000 }, server })
    await newView(host, await newProduct(host))
    const port = await listen(host.app)
    const base = '/wp-json/svc/v1'
    const length = (bytes: number) => ({ 'content-length': String(bytes) })
    const form = { 'content-type': 'multipart/form-data; boundary=x' }
    await Promise.all(
      (
        [
          [401, 'POST', `${base}/products`, { ...json, ...length(500) }],
          [403, 'POST', `${base}/products`, { ...json, ...length(500), authorization: 'Bearer wrong' }],
          [
            403,
            'POST',
            `${base}/assets`,
            { ...json, ...form, ...length(500), authorization: 'Bearer wrong' },
          ],
          [401, 'PATCH', `${base}/views/1`, { ...json, 'transfer-encoding': 'chunked' }],
          [404, 'POST', `${base}/nothing`, { ...json, ...length(500) }],
          [404, 'DELETE', `${base}/products`, { ...right, ...length(500) }],
          [413, 'POST', `${base}/categories`, { ...right, ...length(5000) }],
          [415, 'POST', `${base}/categories`, { ...right, ...length(500), 'content-type': 'text/plain' }],
        ] as const
      ).map(async ([status, method, path, headers]) => {
        const { text, time } = await dribble(port, rawRequest(method, path, headers))
        t.equal(parseResponses(text)[0]?.status, status, `${method} ${path}`)
        t.ok(time < 30_000, `the connection of ${status} ended after ${Math.round(time)} ms`)
      }),
    )
  },
)

// `Expect: 100-continue`: a client is asked for its body only when the request has passed the gate.
import { connect } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import t from 'tap'
import { svcSettingsScreen } from '../../../plugins/index.ts'
import { listen, parseResponses, rawRequest } from '../../support/hostile/raw-http.ts'
import { build, token } from '../../support/hosts/build.ts'

const expecting = { 'content-type': 'application/json', expect: '100-continue' }
const body = '{"title":"Cups"}'

/** Sends the body only when the server asks for it. */
function exchange(port: number, head: string): Promise<string> {
  return new Promise((resolve) => {
    let text = ''
    const socket = connect(port, '127.0.0.1', () => socket.write(head))
    socket.on('data', (part) => {
      text += part
      if (text === 'HTTP/1.1 100 Continue\r\n\r\n') socket.write(body)
    })
    socket.on('error', () => {})
    socket.on('close', () => resolve(text))
  })
}

t.test('the body is asked for after the gate, and never behind a refusal', async (t) => {
  const { app } = await build(t, { after: (app) => app.post('/own', async () => ({ own: true })) })
  const port = await listen(app)
  const ask = (path: string, headers: Record<string, string>, length = body.length) =>
    exchange(port, rawRequest('POST', path, { ...expecting, 'content-length': String(length), ...headers }))
  const base = '/wp-json/svc/v1'
  const right = { authorization: `Bearer ${token}` }

  const made = await ask(`${base}/categories`, right)
  t.match(made, /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 201 /)
  for (const [status, path, headers, length] of [
    [401, `${base}/categories`, { connection: 'keep-alive' }],
    [403, `${base}/categories`, { authorization: 'Bearer wrong', connection: 'keep-alive' }],
    [404, `${base}/nothing`, { ...right, connection: 'keep-alive' }],
    [404, base, { ...right, connection: 'keep-alive' }],
    [401, '/%77p%2Djson/svc/%761/categories', { connection: 'keep-alive' }],
    [401, `http://shop.example${base}/categories?x`, { connection: 'keep-alive' }],
    [413, `${base}/categories`, { ...right, connection: 'keep-alive' }, 2 ** 21],
  ] as const) {
    const text = await ask(path, headers, length)
    t.notMatch(text, /100 Continue/, `${status} without asking for the body`)
    t.equal(parseResponses(text)[0]?.status, status)
  }
  t.match(
    await ask('/own', {}),
    /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 /,
    "the host's own routes as ever",
  )
})

t.test("a host's own routes below our paths are asked for when they read the body", async (t) => {
  const base = '/wp-json/svc/v1'
  const { app } = await build(t, {
    after: (app) =>
      app.register(async (own) => {
        own.addContentTypeParser('text/own', async (_request: unknown, payload: AsyncIterable<Buffer>) => {
          const parts = []
          for await (const part of payload) parts.push(part)
          return Buffer.concat(parts).toString()
        })
        own.post(`${base}/own`, async ({ body }) => ({ got: body }))
        const refusing = {
          onRequest: async (_request: unknown, reply: FastifyReply) => reply.code(403).send('no'),
        }
        own.post(`${base}/unread`, refusing, () => {})
        own.post(`${base}0/unread`, refusing, () => {})
      }),
  })
  const port = await listen(app)
  const ask = (path: string, type: string) => {
    const headers = { ...expecting, 'content-type': type, 'content-length': String(body.length) }
    return exchange(port, rawRequest('POST', path, headers))
  }
  for (const type of ['application/json', 'text/own']) {
    const text = await ask(`${base}/own`, type)
    t.match(text, /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 .*"got":.*Cups/s, type)
    t.equal(text.match(/100 Continue/g)?.length, 1)
  }
  t.match(await ask(`${base}/unread`, 'application/json'), /^HTTP\/1\.1 403 /)
  t.match(
    await ask(`${base}0/unread`, 'application/json'),
    /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 403 /,
    'as Node does by default',
  )
})

t.test('forms of pages are asked for once their visitor is admitted, and not before', async (t) => {
  const authorize = ({ headers }: FastifyRequest) => headers['x-user'] === 'admin'
  const { app } = await build(t, {
    after: (app) => void app.register(svcSettingsScreen, { prefix: '/settings', authorize }),
  })
  const port = await listen(app)
  const ask = (headers: Record<string, string>) => {
    const form = { ...expecting, 'content-type': 'application/x-www-form-urlencoded' }
    const origin = { host: '127.0.0.1', origin: 'http://127.0.0.1', 'content-length': String(body.length) }
    return exchange(port, rawRequest('POST', '/settings/rotate-token', { ...form, ...origin, ...headers }))
  }
  t.match(await ask({}), /^HTTP\/1\.1 403 /)
  t.match(await ask({ 'x-user': 'admin' }), /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 [34]\d\d /)
})

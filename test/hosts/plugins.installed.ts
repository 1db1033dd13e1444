// Plugins that hosts commonly register: each one before this API, and all of them together, change none of its responses.
import accepts from '@fastify/accepts'
import auth from '@fastify/auth'
import basicAuth from '@fastify/basic-auth'
import bearerAuth from '@fastify/bearer-auth'
import caching from '@fastify/caching'
import compress from '@fastify/compress'
import cookie from '@fastify/cookie'
import cors from '@fastify/cors'
import csrfProtection from '@fastify/csrf-protection'
import etag from '@fastify/etag'
import express from '@fastify/express'
import formbody from '@fastify/formbody'
import helmet from '@fastify/helmet'
import jwt from '@fastify/jwt'
import middie from '@fastify/middie'
import multipart from '@fastify/multipart'
import rateLimit from '@fastify/rate-limit'
import requestContext from '@fastify/request-context'
import responseValidation from '@fastify/response-validation'
import sensible from '@fastify/sensible'
import session from '@fastify/session'
import staticFiles from '@fastify/static'
import swagger from '@fastify/swagger'
import underPressure from '@fastify/under-pressure'
import websocket from '@fastify/websocket'
import type { FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { png } from '../support/fixtures/make-png.ts'
import { build, token } from '../support/hosts/build.ts'
import { filePart, form, formHeaders } from '../support/hosts/form.ts'

type Register = (app: FastifyInstance) => void

const secret = 'a secret of at least thirty-two characters'
const plugins: Record<string, Register> = {
  accepts: (app) => app.register(accepts),
  auth: (app) => app.register(auth),
  'basic-auth': (app) => app.register(basicAuth, { validate: async () => {}, authenticate: true }),
  'bearer-auth': (app) => app.register(bearerAuth, { keys: [secret], addHook: false }),
  caching: (app) => app.register(caching, { privacy: 'private' }),
  compress: (app) => app.register(compress),
  cookie: (app) => app.register(cookie),
  cors: (app) => app.register(cors, { origin: ['https://editor.example'] }),
  'csrf-protection': (app) => app.register(csrfProtection),
  etag: (app) => app.register(etag),
  express: (app) =>
    app
      .register(express)
      .after(() => app.use('/pages', (_request: unknown, _reply: unknown, next: () => void) => next())),
  formbody: (app) => app.register(formbody),
  helmet: (app) => app.register(helmet),
  jwt: (app) => app.register(jwt, { secret }),
  middie: (app) => app.register(middie),
  multipart: (app) => app.register(multipart, { attachFieldsToBody: true }),
  'rate-limit': (app) => app.register(rateLimit, { max: 1000 }),
  'request-context': (app) => app.register(requestContext),
  'response-validation': (app) => app.register(responseValidation),
  sensible: (app) => app.register(sensible),
  session: (app) => app.register(cookie).register(session, { secret }),
  static: (app) => app.register(staticFiles, { root: import.meta.dirname, prefix: '/files/' }),
  swagger: (app) => app.register(swagger, { openapi: { openapi: '3.1.0' } }),
  // It takes a loop that was blocked for a whole sample, as while a host starts, for one under pressure.
  'under-pressure': (app) =>
    app.register(underPressure, { maxEventLoopDelay: 60_000, sampleInterval: 60_000 }),
  websocket: (app) => app.register(websocket),
}

/** What a client sees of a shop that it fills. */
async function seenBy(t: Test, before: (app: FastifyInstance) => void): Promise<unknown[]> {
  const uploads = { dir: t.testdir({}), url: 'https://shop.example/uploads' }
  const { app } = await build(t, { before, uploads })
  const url = `${await app.listen({ port: 0, host: '127.0.0.1' })}/wp-json/svc/v1`
  const seen = async (method: string, path: string, body?: BodyInit, more = {}) => {
    const type = { 'content-type': 'application/json' }
    const headers = { authorization: `Bearer ${token}`, ...(body && type), ...more }
    const response = await fetch(url + path, { method, headers, ...(body && { body }) })
    return [response.status, response.headers.get('content-type'), await response.text()]
  }
  const element = { type: 'text', source: 'Hi' }
  return [
    await seen('POST', '/products', JSON.stringify({ title: 'Mug', options: { a: [1, 2] } })),
    await seen('POST', '/products/1/views', JSON.stringify({ title: 'Front', elements: [element] })),
    await seen('GET', '/products?include_views=true'),
    await seen('PATCH', '/views/1', '{"title":"Back"}', { 'if-match': '"stale"' }),
    await seen('PATCH', '/views/1', '{"title":7}'),
    await seen('HEAD', '/views/1'),
    (await seen('POST', '/assets', new Uint8Array(form([filePart('a.png', png())])), formHeaders()))[0],
    await seen('GET', '/settings/groups/labels'),
    await seen('GET', '/none'),
    await seen('GET', '/products', undefined, { authorization: '' }),
    await seen('DELETE', '/products/1'),
  ]
}

const expected = await seenBy(t, () => {})

for (const [name, register] of Object.entries(plugins)) {
  t.test(`@fastify/${name} before it`, async (t) => {
    t.strictSame(await seenBy(t, register), expected)
  })
}

t.test('all of them together', async (t) => {
  const found = await seenBy(t, (app) => {
    // The session brings the one, and Express the other.
    const { cookie: _, middie: __, ...others } = plugins
    for (const register of Object.values(others)) register(app)
  })
  t.strictSame(found, expected)
})

t.test('schemas of responses are plain JSON Schema, without keywords of our own', async (t) => {
  const { routes } = await build(t)
  t.ok(routes.length > 60)
  for (const { method, url, schema } of routes)
    t.notMatch(JSON.stringify(schema?.response ?? {}), /"x-/, `${method} ${url}`)
})

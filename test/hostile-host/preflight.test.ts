// The host handles OPTIONS, whether its CORS plugin is registered before or after us; without one it is a plain 404.
import cors from '@fastify/cors'
import type { FastifyInstance } from 'fastify'
import t from 'tap'
import { type BuildOptions, build, token } from '../support/hosts/build.ts'

const origin = 'https://editor.example'
const preflight = { origin, 'access-control-request-method': 'PATCH', authorization: undefined }
const paths = [
  '/products',
  '/products/7',
  '/nothing',
  '',
  '/',
  '/assets/a%2Fb.png',
  `/products/${'1'.repeat(300)}`,
]

const ways: Record<string, (app: FastifyInstance) => void> = {
  'its CORS plugin': (app) => void app.register(cors, { origin }),
  'its CORS plugin with delegated options': (app) => void app.register(cors, () => async () => ({ origin })),
  'its CORS plugin that leaves preflights to routes': (app) =>
    void app.register(cors, { origin, preflightContinue: true, optionsSuccessStatus: 200 }),
  'a hook of its own': (app) => {
    app.addHook('onRequest', async (request, reply) => {
      reply.header('access-control-allow-origin', origin)
      if (request.method === 'OPTIONS') return reply.code(204).send()
    })
  },
  'a route of its own': (app) => {
    app.addHook(
      'onRequest',
      async (_request, reply) => void reply.header('access-control-allow-origin', origin),
    )
    app.options('*', async (_request, reply) => reply.code(204).send())
  },
}

for (const [way, register] of Object.entries(ways)) {
  for (const order of ['before', 'after'] as const) {
    t.test(`a host handles preflights by ${way}, registered ${order} us`, async (t) => {
      const options: BuildOptions = { [order]: register }
      const { app, call } = await build(t, options)
      for (const path of paths) {
        const { status, headers } = await call('OPTIONS', path, undefined, preflight)
        t.match(status, /^20[04]$/, path)
        t.equal(headers['access-control-allow-origin'], origin, path)
      }
      const webhook = await app.inject({
        method: 'OPTIONS',
        url: '/wp-json/svc-export/v1.0/print_job/x',
        headers: { origin, 'access-control-request-method': 'POST' },
      })
      t.match(webhook.statusCode, /^20[04]$/)
      for (const [method, path, authorization, status] of [
        ['GET', '/products', `Bearer ${token}`, 200],
        ['GET', '/products', undefined, 401],
        ['GET', '/products', 'Bearer wrong', 403],
        ['GET', '/products/7', `Bearer ${token}`, 404],
        ['GET', '/nothing', undefined, 404],
        ['PUT', '/products', undefined, 404],
        ['GET', '/nothing', undefined, 404],
        ['GET', '', undefined, 200],
      ] as const) {
        const response = await call(method, path, undefined, { origin, authorization })
        t.equal(response.status, status)
        t.equal(response.headers['access-control-allow-origin'], origin, `${method} ${path} ${status}`)
      }
    })
  }
}

t.test('without CORS a preflight gets byte for byte the 404 of an unknown route', async (t) => {
  const { call } = await build(t)
  const { text } = await call('GET', '/nothing')
  for (const path of paths) {
    const response = await call('OPTIONS', path, undefined, preflight)
    t.strictSame([response.status, response.text], [404, text], path)
    t.notOk(Object.keys(response.headers).some((name) => name.startsWith('access-control-')))
  }
  const odd = await call('OPTIONS', '/products', 'x', { ...preflight, 'content-type': 'text/odd' })
  t.strictSame([odd.status, odd.text], [404, text])
})

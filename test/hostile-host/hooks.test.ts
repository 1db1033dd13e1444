// Hooks of the host that reject or fail on our routes: their error is returned in our format, and nothing else is affected.

import type { FastifyInstance } from 'fastify'
import { fastifyPlugin } from 'fastify-plugin'
import t from 'tap'
import { build } from '../support/hosts/build.ts'

class TooMany extends Error {
  readonly statusCode = 429
  readonly code = 'HOST_RATE_LIMIT'
  readonly headers = { 'retry-after': '60', 'x-ratelimit-limit': '5' }
}

const busy = Object.assign(new Error('event loop of shop-7 is late'), { statusCode: 503 })
const busyFor9 = Object.assign(new Error('shop-7 pauses'), {
  statusCode: 503,
  headers: { 'retry-after': '9' },
})
const broken = new Error('secret of the host')

const isOurs = ({ url }: { url: string }) => url.startsWith('/wp-json')

/** Hooks that throw `error` in each possible way, at each step before the handler. */
const ways: Record<string, (app: FastifyInstance, error: unknown) => void> = {
  'at once in onRequest': (app, error) =>
    app.addHook('onRequest', (request, _reply, done) => {
      if (isOurs(request)) throw error
      done()
    }),
  'by callback in onRequest': (app, error) =>
    app.addHook('onRequest', (request, _reply, done) => done(isOurs(request) ? (error as Error) : undefined)),
  'by promise in onRequest': (app, error) =>
    app.addHook('onRequest', async (request) => {
      if (isOurs(request)) throw error
    }),
  'by promise in preParsing': (app, error) =>
    app.addHook('preParsing', async (request) => {
      if (isOurs(request)) throw error
    }),
  'by promise in preValidation': (app, error) =>
    app.addHook('preValidation', async (request) => {
      if (isOurs(request)) throw error
    }),
  'by callback in preHandler': (app, error) =>
    app.addHook('preHandler', (request, _reply, done) =>
      done(isOurs(request) ? (error as Error) : undefined),
    ),
}

for (const [way, hang] of Object.entries(ways)) {
  t.test(`an error that a host throws ${way} is returned, and its own routes keep working`, async (t) => {
    for (const [error, status, code] of [
      [new TooMany('slow down'), 429, 'HOST_RATE_LIMIT'],
      [busy, 503, 'svc_unavailable'],
      [busyFor9, 503, 'svc_unavailable'],
      [broken, 500, 'svc_internal_error'],
      ['a text', 500, 'svc_internal_error'],
    ] as const) {
      const { app, call } = await build(t, {
        before: (app) => {
          hang(app, error)
          app.get('/own', async () => 'fine')
        },
      })
      const response = await call('GET', '/products')
      t.equal(response.status, status)
      t.match(response.body, { success: false, code, data: { status } })
      t.equal(response.headers['cache-control'], 'private, no-store')
      t.equal(response.headers['x-content-type-options'], 'nosniff')
      t.ok(response.headers['x-request-id'])
      t.notMatch(response.text, /secret|shop-7|at .*\.ts/)
      const pause = error === busyFor9 ? '9' : { 429: '60', 503: '2', 500: undefined }[status]
      t.equal(response.headers['retry-after'], pause)
      t.equal((await app.inject('/own')).payload, 'fine')
    }
  })
}

t.test('a rate limit added to each route applies to ours, before the token is checked', async (t) => {
  let seen = 0
  const { app, call } = await build(t, {
    before: (app) => {
      app.addHook('onRoute', (route) => {
        route.onRequest = [
          async () => {
            if (++seen > 2) throw new TooMany('slow down')
          },
        ]
      })
    },
  })
  t.equal((await call('GET', '/products', undefined, { authorization: undefined })).status, 401)
  t.equal((await call('GET', '/products')).status, 200)
  t.equal((await call('GET', '/products', undefined, { authorization: undefined })).status, 429)
  t.equal((await app.inject({ method: 'HEAD', url: '/wp-json/svc/v1/products' })).statusCode, 429)
})

t.test('checks that a host adds to each route before validation run on ours with a body, too', async (t) => {
  const seen: unknown[] = []
  const { call } = await build(t, {
    before: (app) => {
      app.addHook('onRoute', (route) => {
        route.preValidation = async ({ body }) => void seen.push(body)
      })
    },
  })
  t.equal((await call('POST', '/categories', { title: 'Mugs' })).status, 201)
  t.equal((await call('POST', '/categories', { title: 1 })).status, 400)
  t.strictSame(seen, [{ title: 'Mugs' }, { title: 1 }])
})

t.test('a hook that fails while a response is sent turns that response alone into a 500', async (t) => {
  let failing = true
  const { call } = await build(t, {
    before: (app) => {
      app.addHook('onSend', async (request) => {
        if (!failing || !isOurs(request)) return
        failing = false
        throw broken
      })
    },
  })
  const response = await call('GET', '/products')
  t.equal(response.status, 500)
  t.match(response.body, { code: 'svc_internal_error' })
  t.equal((await call('GET', '/products')).status, 200)
})

t.test('hooks of another plugin of the host do not run on our routes', async (t) => {
  let seen = 0
  const counting = fastifyPlugin(async (app: FastifyInstance) => {
    app.addHook('onRequest', async () => {
      seen++
    })
  })
  const { app, call } = await build(t, {
    before: (app) => {
      app.register(async (scope) => {
        scope.register(counting)
        scope.get('/own', async () => 'fine')
      })
    },
  })
  t.equal((await call('GET', '/products')).status, 200)
  t.equal(seen, 0)
  await app.inject('/own')
  t.equal(seen, 1)
})

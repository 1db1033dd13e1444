// Host apps that change everything Fastify allows to change. Each must get the same responses as a plain one.
import type { FastifyInstance, FastifyServerOptions } from 'fastify'

export interface HostileHost {
  server?: FastifyServerOptions
  /** What the host does before and after it registers the API. */
  before?(app: FastifyInstance): void
  after?(app: FastifyInstance): void
  /** Where the host mounts the API's REST root. */
  prefix?: string
}

const hostError = { host: 'has its own words' }

/** Custom responses of every kind, instead of Fastify's. */
function ownResponses(app: FastifyInstance): void {
  app.setErrorHandler((error, _request, reply) => {
    const status = Number(Reflect.get(Object(error), 'statusCode') ?? 500)
    reply
      .code(status)
      .type('text/x-host')
      .send(`host error: ${Reflect.get(Object(error), 'message')}`)
  })
  app.setNotFoundHandler((request, reply) => {
    reply.code(404).type('text/x-host').send(`host: nothing at ${request.method} ${request.url}`)
  })
  app.setSchemaErrorFormatter(() => Object.assign(new Error('host schema words'), hostError))
  app.setReplySerializer((payload) => `host(${JSON.stringify(payload)})`)
}

/** Compilers that accept everything, and change it. */
function ownCompilers(app: FastifyInstance): void {
  app.setValidatorCompiler(() => (value) => ({ value: { replaced: value } }))
  app.setSerializerCompiler(() => () => '"the host\'s serializer"')
}

function ownParsers(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, text, done) => {
    done(null, { parsedByHost: String(text) })
  })
  app.addContentTypeParser(/^multipart\//, (_request, stream, done) => {
    stream.resume()
    stream.on('end', () => done(null, { parts: 0 }))
  })
  app.addContentTypeParser('*', (_request, stream, done) => {
    stream.resume()
    stream.on('end', () => done(null, 'anything'))
  })
}

/** Decorator names that a library like ours might use, already taken by useless values. */
const takenNames = [
  'svc',
  'svcApi',
  'svcContext',
  'context',
  'db',
  'database',
  'config',
  'settings',
  'token',
  'access',
  'totals',
  'site',
  'uploads',
  'groups',
  'idempotency',
  'user',
  'verify',
  'mysql',
  'kysely',
  'storage',
]

function takenDecorations(app: FastifyInstance): void {
  for (const name of takenNames) {
    app.decorate(name, `the host's ${name}`)
    app.decorateRequest(name, `the host's request ${name}`)
    app.decorateReply(name, `the host's reply ${name}`)
  }
}

/** One hook of every kind; each sets a header if it still can. */
function busyHooks(app: FastifyInstance): void {
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers({ 'x-host-request': '1', 'cache-control': 'public, max-age=99', 'x-request-id': 'host' })
  })
  app.addHook('preParsing', async (_request, reply) => {
    reply.header('x-host-parsing', '1')
  })
  app.addHook('preValidation', (_request, reply, done) => {
    reply.header('x-host-validation', '1')
    done()
  })
  app.addHook('preHandler', async (_request, reply) => {
    reply.header('x-host-handler', '1')
  })
  app.addHook('preSerialization', async (_request, _reply, payload) => ({ host: payload }))
  app.addHook('onSend', async (_request, reply) => {
    reply.header('x-host-send', '1')
  })
  app.addHook('onError', async (_request, reply) => {
    reply.header('x-host-error', '1')
  })
  app.addHook('onResponse', async () => {})
  app.addHook('onRequestAbort', async (_request) => {})
  app.addHook('onTimeout', async () => {})
}

/** Adds hooks to every route as it is registered, as rate limiters do. */
function hooksOnRoutes(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    route.onRequest = (_request, reply, done) => {
      reply.header('x-host-route', '1')
      done()
    }
    route.onSend = async (_request, reply) => {
      reply.header('x-host-route-send', '1')
    }
  })
}

/** The kinds of hosts by description. */
export const hostileHosts: Record<string, HostileHost> = {
  'with its own error handler, 404, schema errors and serializer': { before: ownResponses },
  'that sets its own responses after us': { after: ownResponses },
  'with its own validator and serializer compilers': { before: ownCompilers },
  'with its own body parsers': { before: ownParsers },
  'that takes no body of more than 10 bytes': { server: { bodyLimit: 10 } },
  'that reads queries its own way': {
    server: { routerOptions: { querystringParser: (text) => ({ nested: { text }, limit: [{}] }) as never } },
  },
  'with another Ajv': {
    server: { ajv: { customOptions: { coerceTypes: 'array', removeAdditional: 'all', useDefaults: false } } },
  },
  'without HEAD routes': { server: { exposeHeadRoutes: false } },
  'whose router ignores slashes and case': {
    server: {
      routerOptions: { ignoreTrailingSlash: true, ignoreDuplicateSlashes: true, caseSensitive: false },
    },
  },
  'whose router ignores slashes, without HEAD routes': {
    server: { exposeHeadRoutes: false, routerOptions: { ignoreTrailingSlash: true } },
  },
  'whose router takes short parameters only': { server: { routerOptions: { maxParamLength: 3 } } },
  'whose decorations took all likely names': { before: takenDecorations },
  'with hooks of every kind': { before: busyHooks },
  'that hangs hooks on every route': { before: hooksOnRoutes },
  'that hangs hooks on every route and has no HEAD routes': {
    server: { exposeHeadRoutes: false },
    before: hooksOnRoutes,
  },
  'with ids, timeouts and closing manners of its own': {
    server: {
      return503OnClosing: false,
      genReqId: () => 'host-id',
      requestIdHeader: 'x-host-id',
      requestIdLogLabel: 'request_id',
      requestTimeout: 60_000,
      keepAliveTimeout: 1,
      onProtoPoisoning: 'ignore',
      onConstructorPoisoning: 'ignore',
      trustProxy: true,
    },
  },
  'that mounts us under a prefix': { prefix: '/shop' },
  'that does all of this at once': {
    prefix: '/shop',
    server: {
      bodyLimit: 10,
      exposeHeadRoutes: false,
      return503OnClosing: false,
      routerOptions: {
        ignoreTrailingSlash: true,
        caseSensitive: false,
        querystringParser: (text) => ({ nested: { text } }) as never,
      },
    },
    before(app) {
      for (const change of [
        ownResponses,
        ownCompilers,
        ownParsers,
        takenDecorations,
        busyHooks,
        hooksOnRoutes,
      ]) {
        change(app)
      }
    },
  },
}

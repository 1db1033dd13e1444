// A host's own responses are byte for byte the same with and without the API.
import type { FastifyInstance, FastifyPluginAsync } from 'fastify'
import t, { type Test } from 'tap'
import { svcApi } from '../../plugins/index.ts'
import { exchange, listen, rawRequest } from '../support/hostile/raw-http.ts'
import { freshAddress } from '../support/hosts/build.ts'
import { Fastify } from '../support/hosts/fastify.ts'
import { type HostileHost, hostileHosts } from '../support/hosts/hostile-host.ts'

const json = { 'content-type': 'application/json' }

/** Routes that use everything an app shares: parsers, compilers, serializer, decorations, error handler. */
const shop: FastifyPluginAsync = async (app) => {
  app.decorateRequest('shopper', 'nobody')
  const schema = {
    querystring: { type: 'object', properties: { limit: { type: 'integer' } } },
    response: {
      200: { type: 'object', properties: { limit: { type: 'integer' }, names: { type: 'array' } } },
    },
  }
  app.get('/', { schema }, async ({ query }) => ({ ...(query as object), names: ['a'] }))
  app.get('/:id', async ({ params, raw }) => ({ params, seen: raw.url }))
  app.post('/', { schema: { body: { type: 'object', required: ['title'] } } }, async ({ body }) => ({ body }))
  app.get('/known', async (request, reply) => ({ request: namesOf(request), reply: namesOf(reply) }))
  app.get('/fails', async () => {
    throw new Error('the shop is on fire')
  })
}

/** These include whatever decorates requests and replies. */
function namesOf(value: object): string[] {
  const prototype: unknown = Object.getPrototypeOf(value)
  return [...Object.keys(value), ...(prototype ? namesOf(prototype) : Object.getOwnPropertyNames(value))]
}

async function hostApp(t: Test, { server, before, after, prefix = '' }: HostileHost, withApi: boolean) {
  const app: FastifyInstance = Fastify({ ...server, forceCloseConnections: true })
  t.teardown(() => app.close())
  before?.(app)
  app.register(shop, { prefix: '/before' })
  app.get('/wp-json/wp/v2/posts', async () => [{ id: 1 }])
  if (withApi) {
    const database = await freshAddress(t, 'SQLite')
    await app.register(svcApi, { database, siteUrl: 'https://shop.example', migrate: true, prefix })
  } else {
    // Awaiting a plugin loads those before it, whichever it is.
    await app.register(async () => {})
  }
  app.register(shop, { prefix: '/after' })
  app.options('/after', async () => 'the host allows it')
  after?.(app)
  return app
}

const requests = ['/before', '/after'].flatMap((path) => [
  rawRequest('GET', `${path}?limit=5`),
  rawRequest('GET', `${path}?limit=x&limit=2&a[b]=c`),
  rawRequest('GET', `${path}/known`),
  rawRequest('GET', `${path}/7?x=1;y=2`),
  rawRequest('GET', `${path.toUpperCase()}//`),
  rawRequest('GET', `${path}/fails`, { 'x-request-id': 'mine' }),
  rawRequest('HEAD', `${path}/7`),
  rawRequest('OPTIONS', path),
  rawRequest('PUT', path),
  rawRequest('POST', path, json, '{"title":5,"extra":null}'),
  rawRequest('POST', path, json, '{"title":'),
  rawRequest('POST', path, json, '{"__proto__":1}'),
  rawRequest('POST', path, { 'content-type': 'text/plain' }, 'title'),
  rawRequest('POST', path, { 'content-type': 'multipart/form-data; boundary=x' }, '--x--'),
  rawRequest('POST', path, { 'content-type': 'application/x-thing' }, 'thing'),
  rawRequest('GET', `${path}/%zz`),
])
const beside = ['', '/', '/wp-json', '/wp-json/', '/wp-json/svc', '/wp-json/svc/v2/x', '/wp-json/wp/v2/posts']
for (const path of beside) requests.push(rawRequest('GET', path || '*'), rawRequest('DELETE', path || '/x'))

/** The response of the host to each request, without the time of day. */
async function answersOf(app: FastifyInstance): Promise<Record<string, string>> {
  const port = await listen(app)
  const responses: Record<string, string> = {}
  for (const request of requests) {
    responses[request] = (await exchange(port, request)).replace(/^date: .*\r\n/im, '')
  }
  return responses
}

for (const [kind, host] of Object.entries({ 'that changed nothing': {}, ...hostileHosts })) {
  t.test(`a host ${kind} responds as it would without us`, async (t) => {
    const [without, beside] = await Promise.all([hostApp(t, host, false), hostApp(t, host, true)])
    const expected = await answersOf(without)
    t.ok(Object.values(expected).every((response) => response.startsWith('HTTP/1.1 ')))
    t.strictSame(await answersOf(beside), expected)
  })
}

t.test('the route table contains the routes of the host and ours, and nothing else', async (t) => {
  const routesOf = async (withApi: boolean) => {
    const routes = new Set<string>()
    const before = (app: FastifyInstance) =>
      app.addHook('onRoute', ({ method, url }) => {
        routes.add(`${[method].flat().join()} ${url}`)
      })
    const app = await hostApp(t, { before }, withApi)
    await app.ready()
    return routes
  }
  const without = await routesOf(false)
  const beside = await routesOf(true)
  t.ok([...without].every((route) => beside.has(route)))
  const added = [...beside].filter((route) => !without.has(route))
  t.ok(added.includes('PATCH /wp-json/svc/v1/products/:id'))
  t.strictSame(
    added.filter((route) => !/^\S+ \/wp-json\/svc(?:\/v1|-export\/v1\.0)(?:\/|$)/.test(route)),
    [],
  )
})

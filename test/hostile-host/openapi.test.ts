// The document that the host's own @fastify/swagger generates from our routes is valid, complete, and usable by generators.
import fastifySwagger, { type FastifyDynamicSwaggerOptions } from '@fastify/swagger'
import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv } from 'ajv'
import type { FastifyInstance, FastifyServerOptions } from 'fastify'
import t, { type Test } from 'tap'
import { svcApi } from '../../plugins/index.ts'
import { type BuildOptions, build, token } from '../support/hosts/build.ts'

interface Operation {
  operationId: string
  security?: Record<string, string[]>[]
  parameters?: { name: string; in: string }[]
  requestBody?: { content: Record<string, { schema: { properties: Record<string, object> } }> }
  responses: Record<string, { content: Record<string, { schema: object }> }>
}
interface Document {
  paths: Record<string, Record<string, Operation>>
  components: { securitySchemes: Record<string, object> }
}

/** A host whose document the plugin generates with these options, and that document. */
async function documented(t: Test, options: FastifyDynamicSwaggerOptions = {}, more: BuildOptions = {}) {
  const host = await build(t, {
    ...more,
    before: (app) => {
      app.register(fastifySwagger, { openapi: { openapi: '3.1.0' }, ...options })
      more.before?.(app)
    },
  })
  return { ...host, document: documentOf(host.app) }
}

const documentOf = (app: FastifyInstance) => JSON.parse(JSON.stringify(app.swagger())) as Document

const operationsOf = ({ paths }: Document) =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, ...operation })),
  )

const headersOf = ({ parameters = [] }: Operation) =>
  parameters.filter((parameter) => parameter.in === 'header').map(({ name }) => name)

async function assertValid(t: Test, document: Document): Promise<void> {
  const { valid, errors } = await new Validator().validate(structuredClone(document) as never)
  t.ok(valid, JSON.stringify(errors))
  const ids = operationsOf(document).map(({ operationId }) => operationId)
  t.notOk(ids.includes(undefined as never), 'every operation has an id')
  t.same(ids.length, new Set(ids).size)
}

t.test('it is a valid document in each version, without catch-all paths and trailing slashes', async (t) => {
  for (const openapi of ['3.0.3', '3.1.0'] as const) {
    const { document, routes } = await documented(t, { openapi: { openapi } })
    await assertValid(t, document)
    const operations = operationsOf(document)
    const served = routes
      .filter(({ method }) => method !== 'HEAD')
      .map(({ schema }) => Reflect.get(schema ?? {}, 'operationId'))
    t.same(operations.map(({ operationId }) => operationId).sort(), [...new Set(served)].sort())
    for (const path of Object.keys(document.paths)) t.notMatch(path, /\*|.\/$/, path)
  }
})

t.test('all its schemas compile, so that a generator can derive types from them', async (t) => {
  const { document } = await documented(t)
  const ajv = new Ajv({ strict: false, formats: { binary: true } })
  let compiled = 0
  for (const { requestBody, responses } of operationsOf(document)) {
    for (const { content } of [requestBody, ...Object.values(responses)].filter(
      (part) => part !== undefined,
    )) {
      for (const { schema } of Object.values(content)) {
        ajv.compile(schema)
        compiled++
      }
    }
  }
  t.ok(compiled > 100)
})

t.test('the token is a security scheme of every operation but the webhook', async (t) => {
  const { document } = await documented(t)
  t.match(document.components.securitySchemes.svcToken, { type: 'http', scheme: 'bearer' })
  for (const { operationId, path, security } of operationsOf(document))
    t.same(security, path.includes('/svc-export/') ? [] : [{ svcToken: [] }], operationId)
})

t.test('uploads are described as forms, and the notification in both of its formats', async (t) => {
  const { document } = await documented(t)
  const bodyOf = (id: string) =>
    operationsOf(document).find(({ operationId }) => operationId === id)?.requestBody?.content
  t.match(bodyOf('upload_asset'), {
    'multipart/form-data': { schema: { properties: { file: { format: 'binary' } } } },
  })
  t.match(bodyOf('upload_font'), {
    'multipart/form-data': { schema: { properties: { file: {}, name: {} } } },
  })
  for (const id of ['announce_print_file', 'put_print_file', 'patch_print_file']) {
    t.same(Object.keys(bodyOf(id) ?? {}), ['application/json', 'application/x-www-form-urlencoded'])
    t.match(bodyOf(id)?.['application/json'], { schema: { properties: { file_url: {}, print_job_id: {} } } })
  }
})

t.test('request headers are documented where they are read', async (t) => {
  const { document } = await documented(t)
  for (const operation of operationsOf(document)) {
    const { method, operationId: id, path } = operation
    const expected = new Set<string>()
    // Its response has no ETag.
    const isPlain = path.includes('/svc-export/') || id === 'set_print_state'
    const isWrite = ['post', 'put', 'patch'].includes(method) && !isPlain
    if (isWrite) expected.add('prefer')
    if (isWrite && method === 'post') expected.add('idempotency-key')
    const isConditional = /put|patch|delete/.test(method) && !/_(asset|font)$/.test(id)
    if (!isPlain && (isConditional || id === 'set_print_profile_master')) expected.add('if-match')
    t.same(
      headersOf(operation)
        .filter((name) => name !== 'if-none-match')
        .sort(),
      [...expected].sort(),
      id,
    )
  }
})

t.test('If-None-Match is documented exactly where a response has an ETag', async (t) => {
  const { document, call, db, t: tables } = await documented(t)
  const make = async (path: string, body: object) => {
    const { id, category_data } = (await call('POST', path, body)).body.data
    return String(id ?? category_data.id)
  }
  const product = await make('/products', { title: 'Mug' })
  const job = await db
    .insertInto(tables.print_jobs)
    .values({ guid: 'g', status: 'pending', details: '{}', data: '' })
    .executeTakeFirstOrThrow()
  const ids: Record<string, string> = {
    '/products/{id}': product,
    '/products/{id}/views': product,
    '/views/{id}': await make(`/products/${product}/views`, { title: 'Front' }),
    '/categories/{id}': await make('/categories', { title: 'Mugs' }),
    '/design-categories/{id}': await make('/design-categories', { title: 'Birds' }),
    '/pricing-rules/{id}': await make('/pricing-rules', { name: 'Rule', data: {} }),
    '/print-profiles/{id}': await make('/print-profiles', { name: 'Profile' }),
    '/user-interfaces/{id}': await make('/user-interfaces', { name: 'Layout' }),
    '/shortcode-orders/{id}': await make('/shortcode-orders', { views: [{}] }),
    '/text-templates/{index}': '0',
    '/settings/groups/{tab}': 'general',
    '/print-jobs/{id}': String(job.insertId),
  }
  ids['/orders/{id}'] = ids['/shortcode-orders/{id}'] ?? ''
  ids['/orders/{id}/print-states'] = ids['/orders/{id}']
  await call('POST', '/text-templates', { text: 'Hello' })
  const queries: Record<string, string> = {
    '/orders/{id}': '?type=shortcode',
    '/orders/{id}/print-states': '?type=shortcode',
    '/orders': '?type=shortcode',
    '/settings/values': '?keys=svc_api_products_enabled',
    '/color-library/usages': '?type=color&id=c-000000',
  }
  let okCount = 0
  for (const operation of operationsOf(document).filter(({ method }) => method === 'get')) {
    const path = operation.path.replace('/wp-json/svc/v1', '')
    // Those need the renderer. The tags of previews have a test of their own; preflights have none.
    if (/\/(preview|preflight)$/.test(path)) {
      t.equal(headersOf(operation).includes('if-none-match'), path.endsWith('/preview'), path)
      continue
    }
    const response = await call('GET', path.replace(/\{\w+\}/, ids[path] ?? '') + (queries[path] ?? ''))
    if (response.status === 200) okCount++
    else t.ok(/assets|fonts|usages/.test(path), `${path} gives ${response.status}`)
    t.equal(headersOf(operation).includes('if-none-match'), response.headers.etag !== undefined, path)
  }
  t.ok(okCount > 20)
})

t.test(
  'two instances in one host have distinct operation ids, and their keys and routes work as before',
  async (t) => {
    const { app, document, call } = await documented(
      t,
      {},
      {
        after: (app) => {
          app.register(svcApi, {
            database: 'sqlite::memory:',
            siteUrl: 'https://other.example',
            migrate: true,
            prefix: '/other',
          })
        },
      },
    )
    await assertValid(t, document)
    const ids = operationsOf(document).map(({ operationId }) => operationId)
    t.ok(ids.includes('list_products'))
    t.ok(ids.includes('list_products_2'))
    t.equal((await call('GET', '/products')).status, 200)
    t.equal((await app.inject('/other/wp-json/svc/v1/products')).statusCode, 401)
  },
)

const hosts: [name: string, server: FastifyServerOptions][] = [
  ['without HEAD routes', { exposeHeadRoutes: false }],
  ['that ignores slashes at the end', { routerOptions: { ignoreTrailingSlash: true } }],
]

t.test('HEAD works in every host, and is never an operation of the document', async (t) => {
  for (const [name, server] of hosts) {
    const { app, document } = await documented(t, {}, { server })
    await assertValid(t, document)
    t.notOk(
      operationsOf(document).some(({ method }) => method === 'head'),
      name,
    )
    for (const path of ['/products', '/products/', '/system']) {
      const url = `/wp-json/svc/v1${path}`
      const { statusCode, payload } = await app.inject({
        method: 'HEAD',
        url,
        headers: { authorization: `Bearer ${token}` },
      })
      t.same([statusCode, payload], [200, ''], `${name}: ${path}`)
    }
  }
})

t.test("the host's own routes, schemes and transform are left as they are", async (t) => {
  const mine = { mine: { type: 'apiKey', in: 'header', name: 'x-key' } } as const
  const seen: string[] = []
  const { document } = await documented(
    t,
    {
      openapi: { openapi: '3.1.0', components: { securitySchemes: mine } },
      transform: ({ schema, url }) => {
        seen.push(url)
        return { schema, url }
      },
    },
    {
      before: (app) =>
        void app.after(() => app.get('/mine', { schema: { operationId: 'mine' } }, () => 'mine')),
    },
  )
  t.same(Object.keys(document.components.securitySchemes).sort(), ['mine', 'svcToken'])
  t.same(Object.keys(mine), ['mine'])
  t.equal(document.paths['/mine']?.get?.operationId, 'mine')
  t.same(
    // Hidden routes do not appear in the document, but exist.
    seen.filter((url) => !/\*$|\/svc(?:-export)?\/v[\d.]+$/.test(url)),
    ['/mine'],
  )
})

t.test('Swagger 2.0, the default of the plugin, also documents the token', async (t) => {
  const { app } = await documented(t, { swagger: {}, openapi: null as never })
  const document = JSON.parse(JSON.stringify(app.swagger()))
  t.match(document.securityDefinitions, { svcToken: { type: 'apiKey', name: 'authorization' } })
  t.equal(document.paths['/wp-json/svc/v1/products'].get.operationId, 'list_products')
})

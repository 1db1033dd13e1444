// A group of one route: what else is known about it follows from the table of groups and the schema of the route.

import { Type } from '@sinclair/typebox'
import Fastify, { type FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import {
  categories,
  ensureToken,
  errorTable,
  openapi,
  settings,
  svcContext,
  system,
} from '../../../plugins/index.ts'
import { changedResources } from '../../../src/core/change.ts'
import { SvcError } from '../../../src/core/errors.ts'
import { isScope, scopeNames } from '../../../src/core/scopes.ts'
import { group } from '../../../src/http/group.ts'
import { ok } from '../../../src/http/response.ts'
import { IdParams, responses } from '../../../src/http/schema.ts'
import { token } from '../../support/hosts/build.ts'

const { declaration: declared } = categories
const taken = 'svc_category_title_taken'

/** The group of categories with one route. */
const stub = group('categories', (app) => {
  app.get('/:id', {
    config: { causes: [taken] },
    schema: {
      operationId: 'get_category',
      summary: 'Get a category',
      params: IdParams,
      response: responses(200, Type.Object({ id: Type.Integer() })),
    },
    handler: async (request) => {
      const { id } = request.params
      if (id === 2) throw new SvcError(taken)
      return ok({ id })
    },
  })
})

async function shop(t: Test): Promise<FastifyInstance> {
  const database = `sqlite:${t.testdir({})}/shop.sqlite`
  const app = Fastify()
  t.teardown(() => app.close())
  app.register(async (scope) => {
    scope.register(svcContext, { database, siteUrl: 'https://shop.example', migrate: true })
    for (const plugin of [system, settings, stub, openapi])
      scope.register(plugin, { prefix: `/wp-json/svc/v1${plugin.declaration.path}` })
  })
  await app.ready()
  await ensureToken({ database, token })
  return app
}

t.test('groups: scopes, events and error codes derive from the table', async (t) => {
  t.ok(isScope('categories:read') && isScope('categories:write'))
  t.notOk(isScope('categories') || isScope('categories:read:write') || isScope('openapi:read'))
  t.ok(scopeNames.includes('categories:write'))
  t.ok(changedResources.includes('category'))
  t.strictSame(errorTable[taken], [409, 'Another product category already has this title.'])
})

t.test('group(): it is served, documented, counted, and switched off by its setting', async (t) => {
  const app = await shop(t)
  const call = async (method: 'GET' | 'PATCH', path: string, payload?: object) => {
    const headers = { authorization: `Bearer ${token}` }
    const url = `/wp-json/svc/v1${path}`
    const response = await app.inject({ method, url, headers, ...(payload && { payload }) })
    return { status: response.statusCode, body: response.json() }
  }
  t.match(await call('GET', '/categories/1'), { status: 200, body: { data: { id: 1 } } })
  t.match(await call('GET', '/categories/2'), {
    status: 409,
    body: { code: taken, message: 'Another product category already has this title.' },
  })
  const { body: document } = await call('GET', '/openapi.json')
  const { responses: named } = document.paths['/svc/v1/categories/{id}'].get
  const codesOf = (status: number) =>
    Object.keys(
      document.components.responses[named[status].$ref.split('/').pop()].content['application/json'].examples,
    )
  t.strictSame(Object.keys(named).map(Number), [200, 304, 400, 401, 403, 404, 409, 500, 503])
  t.strictSame(codesOf(404), ['rest_no_route', 'svc_category_not_found'], 'of its form and its group')
  t.strictSame(codesOf(409), [taken], 'of its route')
  t.strictSame(codesOf(500), ['svc_internal_error'], 'its values can always be read')
  t.match(document.paths['/svc/v1/categories/{id}'].get, {
    tags: ['categories'],
    'x-required-scope': 'categories:read',
  })
  t.match(
    document.tags.find(({ name }: { name: string }) => name === 'categories'),
    { description: declared.tag },
  )
  const { data } = (await call('GET', '/system')).body
  t.match(data, { counts: { categories: 0 }, controllers: { categories: true, fonts: false } })
  t.match((await call('GET', '/settings/values?keys=svc_api_categories_enabled')).body.data, {
    svc_api_categories_enabled: true,
  })
  await call('PATCH', '/settings', { svc_api_categories_enabled: false })
  t.match(await call('GET', '/categories/1'), { status: 404, body: { code: 'rest_no_route' } })
})

// A group that only declares itself: everything about it follows from the declaration and its routes.

import { Type } from '@sinclair/typebox'
import Fastify, { type FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { ensureToken, errorTable, openapi, settings, svcContext, system } from '../../../plugins/index.ts'
import { changedResources } from '../../../src/core/change.ts'
import { type ErrorCode, SvcError } from '../../../src/core/errors.ts'
import type { Declaration } from '../../../src/core/groups.ts'
import { isScope, scopeNames } from '../../../src/core/scopes.ts'
import { group } from '../../../src/http/group.ts'
import { ok } from '../../../src/http/response.ts'
import { IdParams, responses } from '../../../src/http/schema.ts'
import { token } from '../../support/hosts/build.ts'

const declaration = {
  name: 'paper_bags',
  path: '/paper-bags',
  tag: 'What things are carried home in.',
  toggle: { label: 'Paper Bags API' },
  errors: { svc_paper_bag_torn: [409, 'This bag is torn.'], svc_paper_bag_not_found: [404, 'No such bag.'] },
  missing: 'svc_paper_bag_not_found',
  readable: true,
  events: ['paper_bag'],
  counts: { paper_bags: 'views' },
} as const satisfies Declaration

const torn = 'svc_paper_bag_torn' as ErrorCode

const bags = group(declaration, (app) => {
  app.get('/:id', {
    config: { causes: [torn] },
    schema: {
      operationId: 'get_paper_bag',
      summary: 'Get a bag',
      params: IdParams,
      response: responses(200, Type.Object({ id: Type.Integer() })),
    },
    handler: async (request) => {
      const { id } = request.params
      if (id === 2) throw new SvcError(torn)
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
    for (const plugin of [system, settings, bags, openapi])
      scope.register(plugin, { prefix: `/wp-json/svc/v1${plugin.declaration.path}` })
  })
  await app.ready()
  await ensureToken({ database, token })
  return app
}

t.test('its scopes, events and error codes are known', async (t) => {
  t.ok(isScope('paper_bags:read') && isScope('paper_bags:write'))
  t.notOk(isScope('paper_bags') || isScope('paper_bags:read:write') || isScope('openapi:read'))
  t.ok(scopeNames().some((name) => String(name) === 'paper_bags:write'))
  t.ok(changedResources().some((name) => String(name) === 'paper_bag'))
  t.strictSame(errorTable[torn], [409, 'This bag is torn.'])
})

t.test('it is served, documented, counted, and switched off by its setting', async (t) => {
  const app = await shop(t)
  const call = async (method: 'GET' | 'PATCH', path: string, payload?: object) => {
    const headers = { authorization: `Bearer ${token}` }
    const url = `/wp-json/svc/v1${path}`
    const response = await app.inject({ method, url, headers, ...(payload && { payload }) })
    return { status: response.statusCode, body: response.json() }
  }
  t.match(await call('GET', '/paper-bags/1'), { status: 200, body: { data: { id: 1 } } })
  t.match(await call('GET', '/paper-bags/2'), {
    status: 409,
    body: { code: torn, message: 'This bag is torn.' },
  })
  const { body: document } = await call('GET', '/openapi.json')
  const { responses: named } = document.paths['/svc/v1/paper-bags/{id}'].get
  const codesOf = (status: number) =>
    Object.keys(
      document.components.responses[named[status].$ref.split('/').pop()].content['application/json'].examples,
    )
  t.strictSame(Object.keys(named).map(Number), [200, 304, 400, 401, 403, 404, 409, 500, 503])
  t.strictSame(codesOf(404), ['rest_no_route', 'svc_paper_bag_not_found'], 'of its form and its group')
  t.strictSame(codesOf(409), [torn], 'of its route')
  t.strictSame(codesOf(500), ['svc_internal_error'], 'its values can always be read')
  t.match(document.paths['/svc/v1/paper-bags/{id}'].get, {
    tags: ['paper-bags'],
    'x-required-scope': 'paper_bags:read',
  })
  t.match(
    document.tags.find(({ name }: { name: string }) => name === 'paper-bags'),
    { description: declaration.tag },
  )
  const { data } = (await call('GET', '/system')).body
  t.match(data, { counts: { paper_bags: 0 }, controllers: { paper_bags: true, fonts: false } })
  t.match((await call('GET', '/settings/values?keys=svc_api_paper_bags_enabled')).body.data, {
    svc_api_paper_bags_enabled: true,
  })
  await call('PATCH', '/settings', { svc_api_paper_bags_enabled: false })
  t.match(await call('GET', '/paper-bags/1'), { status: 404, body: { code: 'rest_no_route' } })
})

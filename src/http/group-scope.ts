// The Fastify scope of a group: parsers, validators, serializer, error handler, and the endpoint of each route that is added to it.
import type { TSchema } from '@sinclair/typebox'
import { Type } from '@sinclair/typebox'
import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify'
import type { SvcContext } from '../app/context.ts'
import { SvcError } from '../core/errors.ts'
import { membersOf } from '../core/foreign.ts'
import { type Declaration, tagOf } from '../core/groups.ts'
import { type NeededScope, neededScope } from '../core/scopes.ts'
import { turns } from '../core/turns.ts'
import { hasBody } from './body-form.ts'
import { addSlash, type Endpoint, endpointOf, endpoints, serveEndpoints } from './endpoint.ts'
import { errorHandler } from './error-handler.ts'
import { allowBody, awaitsContinue, deferContinue } from './expect-continue.ts'
import { gate, publicGate } from './gate.ts'
import { parseBody } from './json-body.ts'
import { documentedConfig, recordOperation } from './operations.ts'
import { decoratePrincipal } from './principal.ts'
import { responding } from './responding.ts'
import { hostOf } from './running-apis.ts'
import { isPatch, validators } from './validate.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The scope that the route needs, if it is not that of its group. */
    needs?: NeededScope
    /** The operation that the route serves under a second path, which documents do not name. */
    twinOf?: string
  }
}

/** Prepares the scope of a group for its routes. @returns the endpoints of the routes that are added to it */
export function prepareScope(app: FastifyInstance, context: SvcContext, group: Declaration) {
  // Number of earlier registrations of this API in the same host.
  const instance = Math.max(0, hostOf(app.server).apis.indexOf(context))
  const endpointFor = endpointMaker(context, group, instance)
  decoratePrincipal(app)
  app.setErrorHandler(errorHandler(context))
  // The gate reads the path's parameters, and a hook of the route checks query and body.
  app.setValidatorCompiler(() => () => true)
  // Handlers return serialized text, so Fastify need not compile the schemas again.
  app.setSerializerCompiler(() => JSON.stringify)
  parseJsonBodies(app)
  admitBodies(app)
  const paths = endpoints()
  app.addHook('onRoute', function (route) {
    // A route for a further path or method, which endpoint.ts adds, has a chooser already.
    const chooseEndpoint = route.config?.chooseEndpoint ?? paths.add(route, endpointFor(route))
    route.config = { ...route.config, chooseEndpoint }
    exposeHead(app, route)
    serveEndpoints(route, chooseEndpoint)
    addSlash(this, route, chooseEndpoint)
  })
  return paths
}

/** Replaces the parsers of the scope: bodies are JSON. A scope for uploads adds another parser. */
function parseJsonBodies(app: FastifyInstance): void {
  const assertNoBody = validators().body(Type.Object({}))
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    async (request: FastifyRequest, bytes: Buffer) => {
      const turn = turns()
      const value = parseBody(bytes)
      await turn()
      // The hook of the route checks only declared bodies. A route without one refuses any property.
      if (!endpointOf(request)?.schema.body) assertNoBody(value)
      return value
    },
  )
  // Some clients send a Content-Type without a body.
  app.addContentTypeParser('*', async ({ headers }: FastifyRequest) => {
    if (headers['content-length'] !== '0') throw new SvcError('svc_unsupported_media_type')
  })
}

/** Lets clients that wait for "100 Continue" send their bodies, once the gate has accepted the request. */
function admitBodies(app: FastifyInstance): void {
  deferContinue(app.server, app.prefix)
  app.addHook('preParsing', (request, reply, payload, done) => {
    const { headers } = request
    // The stream has already been consumed, so parsing would hang.
    if (hasBody(request) && membersOf(payload).readableEnded)
      return done(
        new Error('Something in the host, such as express.json(), has read the body before this API.'),
      )
    // A body whose length is refused need not be sent.
    if (
      awaitsContinue(request) &&
      !(Number(headers['content-length']) > (request.routeOptions.bodyLimit ?? 0))
    )
      allowBody(request, reply)
    done()
  })
}

/**
 * A function that makes the endpoint of a route that the group declares. It records the route as an operation, and adds its
 * documentation to the `config` of the route.
 */
function endpointMaker(context: SvcContext, group: Declaration, instance: number) {
  const isOpen = group.access === 'public'
  const { body, query } = validators()
  return (route: RouteOptions): Endpoint => {
    const needs =
      group.access === undefined ? (route.config?.needs ?? neededScope(group.name, route.method)) : undefined
    recordOperation(context, route, group, needs)
    route.config = documentedConfig(route, instance, { isOpen, tag: tagOf(group) })
    route.bodyLimit ??= context.bodyLimits[takesBlob(route) ? 'blob' : 'json']
    const { schema = {}, config, bodyLimit } = route
    // All routes declare TypeBox schemas; Fastify's type leaves them open.
    const { params, querystring, body: bodySchema } = schema as Record<string, TSchema | undefined>
    const operation = config?.operation?.id ?? config?.twinOf
    const isList = operation?.startsWith('list_') ?? false
    const checkQuery = querystring && query(querystring, { isList })
    // Routes check the bodies of PATCH themselves, because they compare invalid values with the stored ones.
    const checkBody = bodySchema && !isPatch(bodySchema) ? body(bodySchema) : undefined
    return {
      operation,
      schema,
      bodyLimit,
      gate: isOpen ? publicGate : gate(context, group, params, needs),
      check(request) {
        if (bodySchema) request.body ??= {}
        checkBody?.(request.body)
        if (checkQuery) request.query = checkQuery(request.query)
      },
      handler: responding(route, context, isOpen),
    }
  }
}

/** Lets a GET route serve HEAD, too, if the host has disabled Fastify's HEAD routes. */
function exposeHead(app: FastifyInstance, route: RouteOptions): void {
  if (route.method !== 'GET' || membersOf(app.initialConfig).exposeHeadRoutes) return
  route.method = ['GET', 'HEAD']
  // After startup only API documents read this, where HEAD is not an operation.
  app.addHook('onReady', async () => {
    route.method = 'GET'
  })
}

/** Whether the body of the route may contain JSON of any length, so that a larger limit applies. */
function takesBlob({ schema }: RouteOptions): boolean {
  const properties = Object.values<TSchema>((schema?.body as TSchema | undefined)?.properties ?? {})
  return properties.some((property) => property['x-blob'])
}

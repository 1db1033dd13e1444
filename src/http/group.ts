// Wraps routes as a group of this API: a Fastify scope with gate, parsers, validators, serializer and error handler of its own.
import type { TSchema } from '@sinclair/typebox'
import { Type } from '@sinclair/typebox'
import type {
  FastifyBaseLogger,
  FastifyInstance,
  FastifyPluginAsync,
  FastifyRequest,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
  RouteHandlerMethod,
  RouteOptions,
} from 'fastify'
import fp from 'fastify-plugin'
import { contextOf, type SvcContext } from '../app/context.ts'
import { reporting } from '../core/change.ts'
import { requestTime, within } from '../core/deadline.ts'
import { SvcError, withRequestedId } from '../core/errors.ts'
import { type Declaration, type GroupName, groups, tagOf } from '../core/groups.ts'
import { type NeededScope, neededScope } from '../core/scopes.ts'
import { turns } from '../core/turns.ts'
import { hasBody } from './body-form.ts'
import { addSlash, type Endpoint, endpointOf, endpoints, serveEndpoints } from './endpoint.ts'
import { errorHandler } from './error-handler.ts'
import { allowBody, awaitsContinue, deferContinue } from './expect-continue.ts'
import { gate, publicGate } from './gate.ts'
import { requestIdOf, wantsMinimal } from './headers.ts'
import { parseBody } from './json-body.ts'
import { documentedConfig, recordOperation } from './operations.ts'
import { decoratePrincipal, principalOf } from './principal.ts'
import { countUnread, minimalWriter } from './response.ts'
import { hostOf } from './running-apis.ts'
import type { TypeBoxProvider } from './schema.ts'
import { writerOf } from './serialize.ts'
import { isPatch, validators } from './validate.ts'

/** A Fastify scope whose routes are typed by their TypeBox schemas. */
export type GroupScope = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  TypeBoxProvider
>

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route has time limits of its own, because it waits for other services. */
    patient?: true
    /** The scope that the route needs, if it is not that of its group. */
    needs?: NeededScope
    /** The operation that the route serves under a second path, which documents do not name. */
    twinOf?: string
  }
}

/** The part of the path that `*` matches; never empty. */
export interface Rest {
  Params: { '*': string }
}

/** Characters from which a response counts as large; see `countUnread`. */
const largeResponse = 512 * 1024

/** Name of the context plugin in Fastify. */
export const contextPlugin = 'svc-api-context'

/** A group as a plugin of Fastify, with its declaration. */
export type GroupPlugin = FastifyPluginAsync & { readonly declaration: Declaration }

/** Adds the routes of a group to its scope. */
type Routes = (app: GroupScope, context: SvcContext, declaration: Declaration) => void

/**
 * Wraps the routes of a group as a plugin that leaks nothing into the host and does not start without a context. Scopes,
 * toggle, error codes, events, counts, documents, tools and the client follow from `groups` in `src/core` and the schemas of
 * the routes.
 */
export function group(name: GroupName, routes: Routes): GroupPlugin {
  // Each `GroupName` has an entry.
  const declaration = groups.find((entry) => entry.name === name) as Declaration
  return Object.assign(asPlugin(declaration, routes), { declaration })
}

/** A group of undocumented routes: it has no toggle, and any valid token or login suffices. */
export const unscopedGroup = (name: string, routes: Routes): FastifyPluginAsync =>
  asPlugin({ name, path: '', access: 'login' }, routes)

function asPlugin(group: Declaration, routes: Routes): FastifyPluginAsync {
  const plugin: FastifyPluginAsync = async (app) => {
    const context = contextOf(app)
    context.groups.add(group.name)
    const paths = prepareScope(app, context, group)
    routes(app.withTypeProvider<TypeBoxProvider>(), context, group)
    paths.addMethods(app)
  }
  return fp(plugin, {
    name: `svc-api-${group.name}`,
    fastify: '5.x',
    encapsulate: true,
    dependencies: [contextPlugin],
  })
}

/** Prepares the scope of a group for its routes. @returns the endpoints of the routes that are added to it */
function prepareScope(app: FastifyInstance, context: SvcContext, group: Declaration) {
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
    // A route for a further path or method, which endpoint.ts adds, has chosen its endpoint already.
    const chooseEndpoint = route.config?.endpointOf ?? paths.add(route, endpointFor(route))
    route.config = { ...route.config, endpointOf: chooseEndpoint }
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
    if (hasBody(request) && Reflect.get(payload, 'readableEnded'))
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
  if (route.method !== 'GET' || Reflect.get(app.initialConfig, 'exposeHeadRoutes')) return
  route.method = ['GET', 'HEAD']
  // After startup only API documents read this, where HEAD is not an operation.
  app.addHook('onReady', async () => {
    route.method = 'GET'
  })
}

/**
 * The handler with a time limit, after which the response is 503, and with its result serialized by the schema of its
 * status. Fastify does not serialize it, because the host may have replaced its serializer.
 */
function responding(
  { handler, schema, config, method }: RouteOptions,
  { database }: SvcContext,
  isOpen: boolean,
): RouteHandlerMethod {
  const inTime: typeof within = config?.patient ? (_budget, work) => work() : within
  // As `responses` declares them; Fastify's type leaves them open.
  const schemas = (schema?.response ?? {}) as Record<string, TSchema>
  const writers = byStatus(schemas, writerOf)
  const minimalWriters = byStatus(schemas, minimalWriter)
  const isWrite = [method].flat().some((name) => ['POST', 'PUT', 'PATCH'].includes(name))
  const operation = config?.operation?.id ?? config?.twinOf
  const isRead = [method].flat().includes('GET')
  const reports = database.reportsChanges && operation !== undefined && !isRead
  return function (this: FastifyInstance, request, reply) {
    const isMinimal = isWrite && wantsMinimal(request)
    const handle = async () => handler.call(this, request, reply)
    const work = reports ? () => reporting(authorOf(request, operation, isOpen), handle) : handle
    return inTime(requestTime.handler, async () => {
      const result: unknown = await work().catch((error: unknown) => {
        throw withRequestedPath(error, request)
      })
      // Pictures are sent as they are.
      if (typeof result !== 'object' || result === null || Buffer.isBuffer(result)) return result
      reply.header('content-type', 'application/json; charset=utf-8')
      if (isMinimal) {
        // RFC 7240 §3. The route may have applied another preference.
        const applied = reply.getHeader('preference-applied')
        reply.header('preference-applied', applied ? `${applied}, return=minimal` : 'return=minimal')
        const writeKey = minimalWriters.get(reply.statusCode) ?? minimalWriter(undefined)
        return writeKey(Reflect.get(result, 'data'))
      }
      const write = writers.get(reply.statusCode)
      const text = write ? write(result) : JSON.stringify(result)
      // Only reads: never fail a write after it has been committed.
      if (isRead && text.length >= largeResponse) countUnread(reply, text.length)
      return text
    })
  }
}

/** The author of the changes that the request makes. */
function authorOf(request: FastifyRequest, operation: string, isOpen: boolean) {
  const { kind, name } = principalOf(request)
  return { operation, principal: isOpen ? null : { kind, name }, request_id: requestIdOf(request) }
}

/** Makes one writer for each status. */
const byStatus = <W>(schemas: Record<string, TSchema>, make: (schema: TSchema) => W) =>
  new Map(Object.entries(schemas).map(([status, schema]) => [Number(status), make(schema)]))

/** A 404 with the requested id in its message; other errors unchanged. */
function withRequestedPath(error: unknown, request: FastifyRequest): unknown {
  if (!(error instanceof SvcError) || error.statusCode !== 404) return error
  // The notification of a print file may name another job in its body.
  const { guid: _, ...requested } = Object(request.params)
  return withRequestedId(error, Object.values(requested).join('/'))
}

/** Whether the body of the route may contain JSON of any length, so that a larger limit applies. */
function takesBlob({ schema }: RouteOptions): boolean {
  const properties = Object.values<TSchema>((schema?.body as TSchema | undefined)?.properties ?? {})
  return properties.some((property) => property['x-blob'])
}

// What makes a plugin a group of this API: its own scope with gate, parsers, validators, serialiser and error handler.
import { type TSchema, Type } from '@sinclair/typebox'
import type {
  FastifyBaseLogger,
  FastifyInstance,
  FastifyPluginAsync,
  FastifyReply,
  FastifyRequest,
  onRequestHookHandler,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
  RouteHandlerMethod,
  RouteOptions,
} from 'fastify'
import fp from 'fastify-plugin'
import { contextOf, type SvcContext } from '../context.ts'
import { answerTime, within } from '../deadline.ts'
import { invalidParams, SvcError } from '../errors.ts'
import type { Toggle } from '../options/toggles.ts'
import { allowBody, deferContinue } from './body-deadline.ts'
import { errorHandler } from './error-handler.ts'
import { gate, openGate } from './gate.ts'
import { readJson } from './json-body.ts'
import { inTurns } from './large-answer.ts'
import type { TypeBoxProvider } from './schema.ts'
import { writerOf } from './serialize.ts'
import { problemsOf, validators } from './validate.ts'

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
    /** The route waits for others than the database, with limits of its own. */
    patient?: true
  }
}

/** What stands in a path in place of `*`; never empty. */
export interface Rest {
  Params: { '*': string }
}

/** Name under which the context plugin is known to Fastify. */
export const contextPlugin = 'svc-api-context'

/**
 * Wraps the routes of a group as a plugin that leaks nothing into the host and refuses to start without a context.
 * @param toggle the switch that turns the group off; undefined where it is always on
 */
export function group(
  name: string,
  toggle: Toggle | undefined,
  routes: (app: GroupScope, context: SvcContext) => void,
): FastifyPluginAsync {
  return asPlugin(name, routes, (context, route) =>
    gate(context, toggle, route.schema?.params as TSchema | undefined),
  )
}

/** The same for a group that anybody may call: no switch and no token. */
export function publicGroup(
  name: string,
  routes: (app: GroupScope, context: SvcContext) => void,
): FastifyPluginAsync {
  return asPlugin(name, routes, openGate)
}

type GateOf = (context: SvcContext, route: RouteOptions) => onRequestHookHandler

function asPlugin(
  name: string,
  routes: (app: GroupScope, context: SvcContext) => void,
  gateOf: GateOf,
): FastifyPluginAsync {
  const plugin: FastifyPluginAsync = async (app) => {
    const context = contextOf(app)
    context.groups.add(name)
    prepareScope(app, context, gateOf)
    routes(app.withTypeProvider<TypeBoxProvider>(), context)
  }
  return fp(plugin, {
    name: `svc-api-${name}`,
    fastify: '5.x',
    encapsulate: true,
    dependencies: [contextPlugin],
  })
}

function prepareScope(app: FastifyInstance, context: SvcContext, gateOf: GateOf): void {
  const { body, query } = validators()
  const noBody = body(Type.Object({}))
  app.setErrorHandler(errorHandler(context))
  app.setValidatorCompiler(({ schema, httpPart }) => {
    if (httpPart === 'body') return body(schema as TSchema)
    // The gate has read the path's parameters already.
    return httpPart === 'querystring' ? query(schema as TSchema) : () => true
  })
  // Handlers hand over written text; Fastify need not compile the same schemas again.
  app.setSerializerCompiler(() => JSON.stringify)
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    async (request: FastifyRequest, bytes: Buffer) => {
      const declared = request.routeOptions.schema?.body as TSchema | undefined
      const value = await readJson(bytes, declared)
      // Fastify checks only bodies that the route declares; elsewhere nothing may be dropped in silence.
      const checked = declared ? undefined : noBody(value)
      if (checked && 'error' in checked) throw checked.error
      return value
    },
  )
  // Some clients name a type for the body that they do not send.
  app.addContentTypeParser('*', async ({ headers }: FastifyRequest) => {
    if (headers['content-length'] !== '0') throw new SvcError('svc_unsupported_media_type')
  })
  deferContinue(app.server, app.prefix)
  app.addHook('preParsing', (request, reply, _payload, done) => {
    // A body that its length refuses need not come.
    const { bodyLimit = 0 } = request.routeOptions
    if (!(Number(request.headers['content-length']) > bodyLimit)) allowBody(request, reply)
    done()
  })
  app.addHook('onRoute', (route) => {
    // A host may have switched Fastify's own HEAD routes off.
    if (route.method === 'GET' && !Reflect.get(app.initialConfig, 'exposeHeadRoutes'))
      route.method = ['GET', 'HEAD']
    // What the host hangs on every route, a rate limit say, stays there and comes first.
    const hooks = [route.onRequest ?? []].flat()
    route.onRequest = [...hooks, gateOf(context, route)]
    route.bodyLimit ??= context.bodyLimits[takesBlob(route) ? 'blob' : 'json']
    route.handler = answering(route)
  })
}

/**
 * The handler with its answer written as the schema of its status says, within ten seconds: what is not done by then
 * becomes a 503. Written here and not by Fastify, whose serialiser a host may have replaced.
 */
function answering({ handler, schema, config }: RouteOptions): RouteHandlerMethod {
  const inTime: typeof within = config?.patient ? (_budget, work) => work() : within
  const writers = new Map(
    Object.entries((schema?.response ?? {}) as Record<string, TSchema>).map(([status, answer]) => [
      Number(status),
      writerOf(answer),
    ]),
  )
  return function (this: FastifyInstance, request, reply) {
    return inTime(answerTime.handler, async () => {
      const answer: unknown = await answerOf(handler.bind(this), request, reply)
      if (typeof answer !== 'object' || answer === null) return answer
      const write = writers.get(reply.statusCode)
      reply.header('content-type', 'application/json; charset=utf-8')
      return inTurns(write ? write(answer) : JSON.stringify(answer))
    })
  }
}

/** What is not there has no values that could come as an echo: then the body's own problems count, before the 404. */
async function answerOf(
  handler: OmitThisParameter<RouteHandlerMethod>,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  try {
    return await handler(request, reply)
  } catch (error) {
    const problems = problemsOf(Object(request.body))
    const isAbsent = error instanceof SvcError && error.statusCode === 404
    throw isAbsent && Object.keys(problems).length > 0 ? invalidParams(problems) : error
  }
}

function takesBlob({ schema }: RouteOptions): boolean {
  const members = Object.values<TSchema>((schema?.body as TSchema | undefined)?.properties ?? {})
  return members.some((member) => member['x-blob'])
}

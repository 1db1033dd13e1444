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
import { invalidParams, naming, SvcError } from '../errors.ts'
import type { Toggle } from '../options/toggles.ts'
import { withoutReadBack } from '../read-back.ts'
import { allowBody, deferContinue } from './body-deadline.ts'
import { errorHandler } from './error-handler.ts'
import { gate, openGate } from './gate.ts'
import { readJson } from './json-body.ts'
import { inTurns } from './large-answer.ts'
import { documentedConfig } from './openapi.ts'
import { recordOperation } from './operations.ts'
import { wantsMinimal } from './prefer.ts'
import { minimal } from './response.ts'
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
  const gateOf: GateOf = (context, route) =>
    gate(context, toggle, route.schema?.params as TSchema | undefined)
  return asPlugin(name, routes, { gateOf, toggle, isOpen: false })
}

/** The same for a group that anybody may call: no switch and no token. */
export function publicGroup(
  name: string,
  routes: (app: GroupScope, context: SvcContext) => void,
): FastifyPluginAsync {
  return asPlugin(name, routes, { gateOf: openGate, toggle: undefined, isOpen: true })
}

type GateOf = (context: SvcContext, route: RouteOptions) => onRequestHookHandler

interface Door {
  gateOf: GateOf
  toggle: Toggle | undefined
  /** Whether the routes need no token. */
  isOpen: boolean
}

function asPlugin(
  name: string,
  routes: (app: GroupScope, context: SvcContext) => void,
  door: Door,
): FastifyPluginAsync {
  const plugin: FastifyPluginAsync = async (app) => {
    const context = contextOf(app)
    context.groups.add(name)
    prepareScope(app, context, door)
    routes(app.withTypeProvider<TypeBoxProvider>(), context)
  }
  return fp(plugin, {
    name: `svc-api-${name}`,
    fastify: '5.x',
    encapsulate: true,
    dependencies: [contextPlugin],
  })
}

function prepareScope(app: FastifyInstance, context: SvcContext, { gateOf, toggle, isOpen }: Door): void {
  const instance = instanceOf(app, context)
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
    recordOperation(context, route, toggle, isOpen)
    route.config = documentedConfig(route, instance, isOpen)
    // A host may have switched Fastify's own HEAD routes off.
    if (route.method === 'GET' && !Reflect.get(app.initialConfig, 'exposeHeadRoutes')) {
      route.method = ['GET', 'HEAD']
      // Once it is served, only documents read this: HEAD is no operation of its own.
      app.addHook('onReady', async () => {
        route.method = 'GET'
      })
    }
    // What the host hangs on every route, a rate limit say, stays there and comes first.
    const hooks = [route.onRequest ?? []].flat()
    route.onRequest = [...hooks, gateOf(context, route)]
    route.bodyLimit ??= context.bodyLimits[takesBlob(route) ? 'blob' : 'json']
    route.handler = answering(route)
  })
}

const instances = new WeakMap<object, SvcContext[]>()

/** How many other registrations of this API came before this one in the same host. */
function instanceOf(app: FastifyInstance, context: SvcContext): number {
  // Every scope of a host has the same server.
  const known = instances.get(app.server) ?? []
  instances.set(app.server, known)
  if (!known.includes(context)) known.push(context)
  return known.indexOf(context)
}

/**
 * The handler with its answer written as the schema of its status says, within ten seconds: what is not done by then
 * becomes a 503. Written here and not by Fastify, whose serialiser a host may have replaced.
 */
function answering({ handler, schema, config, method }: RouteOptions): RouteHandlerMethod {
  const inTime: typeof within = config?.patient ? (_budget, work) => work() : within
  const answers = (schema?.response ?? {}) as Record<string, TSchema>
  const writers = new Map(
    Object.entries(answers).map(([status, answer]) => [Number(status), writerOf(answer)]),
  )
  const isWrite = [method].flat().some((name) => ['POST', 'PUT', 'PATCH'].includes(name))
  const creates = Object.hasOwn(answers, '201')
  return function (this: FastifyInstance, request, reply) {
    const isMinimal = isWrite && wantsMinimal(request)
    const work = () => answerOf(handler.bind(this), request, reply)
    return inTime(answerTime.handler, async () => {
      const answer: unknown = await (isMinimal ? withoutReadBack(creates, work) : work())
      if (typeof answer !== 'object' || answer === null) return answer
      reply.header('content-type', 'application/json; charset=utf-8')
      if (isMinimal) {
        const others = reply.getHeader('preference-applied')
        reply.header('preference-applied', others ? `${others}, return=minimal` : 'return=minimal')
        return minimal(Reflect.get(answer, 'data'), answers[reply.statusCode]?.properties.data)
      }
      const write = writers.get(reply.statusCode)
      return inTurns(write ? write(answer) : JSON.stringify(answer))
    })
  }
}

/**
 * What is not there has no values that could come as an echo: then the body's own problems count, before the 404. A 404
 * names what the path asked for.
 */
async function answerOf(
  handler: OmitThisParameter<RouteHandlerMethod>,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  try {
    return await handler(request, reply)
  } catch (error) {
    if (!(error instanceof SvcError) || error.statusCode !== 404) throw error
    const problems = problemsOf(Object(request.body))
    if (Object.keys(problems).length > 0) throw invalidParams(problems)
    // The notification of a print file may name another job in its body.
    const { guid: _, ...asked } = Object(request.params)
    throw naming(error, Object.values(asked).join('/'))
  }
}

function takesBlob({ schema }: RouteOptions): boolean {
  const members = Object.values<TSchema>((schema?.body as TSchema | undefined)?.properties ?? {})
  return members.some((member) => member['x-blob'])
}

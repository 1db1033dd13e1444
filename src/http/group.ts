// What makes a plugin a group of this API: its own scope with gate, parsers, validators, serialiser and error handler.
import { type TSchema, Type } from '@sinclair/typebox'
import type {
  FastifyBaseLogger,
  FastifyInstance,
  FastifyPluginAsync,
  FastifyReply,
  FastifyRequest,
  onRequestHookHandler,
  preValidationHookHandler,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
  RouteHandlerMethod,
  RouteOptions,
} from 'fastify'
import fp from 'fastify-plugin'
import { contextOf, type SvcContext } from '../context.ts'
import { requestTime, within } from '../deadline.ts'
import { invalidParams, SvcError, withRequestedId } from '../errors.ts'
import type { Toggle } from '../options/toggles.ts'
import { withoutReadBack } from '../read-back.ts'
import { allowBody, deferContinue } from './body-deadline.ts'
import { decorateBodyProblems, problemsOf, setProblems } from './body-problems.ts'
import { errorHandler } from './error-handler.ts'
import { gate, publicGate } from './gate.ts'
import { readJson } from './json-body.ts'
import { encodeInSlices } from './large-response.ts'
import { documentedConfig } from './openapi.ts'
import { wantsMinimal } from './prefer.ts'
import { minimal } from './response.ts'
import type { TypeBoxProvider } from './schema.ts'
import { writerOf } from './serialize.ts'
import { validators } from './validate.ts'

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
  return asPlugin(name, routes, { gateOf, isOpen: false })
}

/** The same for a group that anybody may call: no switch and no token. */
export function publicGroup(
  name: string,
  routes: (app: GroupScope, context: SvcContext) => void,
): FastifyPluginAsync {
  return asPlugin(name, routes, { gateOf: publicGate, isOpen: true })
}

type GateOf = (context: SvcContext, route: RouteOptions) => onRequestHookHandler

interface Door {
  gateOf: GateOf
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

function prepareScope(app: FastifyInstance, context: SvcContext, { gateOf, isOpen }: Door): void {
  const instance = instanceOf(app, context)
  const { body, query } = validators()
  const noBody = body(Type.Object({}))
  decorateBodyProblems(app)
  app.setErrorHandler(errorHandler(context))
  app.setValidatorCompiler(({ schema, httpPart }) => {
    // The gate has read the path's parameters, and a hook of the route checks the body.
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
      const { value, problems } = await readJson(bytes, declared)
      // The hook of the route checks only declared bodies; elsewhere nothing may be dropped in silence.
      if (!declared) noBody(value)
      setProblems(request, problems)
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
    const declared = route.schema?.body as TSchema | undefined
    if (declared) {
      const check = body(declared)
      const checkBody: preValidationHookHandler = async (request) => {
        request.body ??= {}
        setProblems(request, check(request.body, problemsOf(request)))
      }
      route.preValidation = [...[route.preValidation ?? []].flat(), checkBody]
    }
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
    return inTime(requestTime.handler, async () => {
      const answer: unknown = await (isMinimal ? withoutReadBack(creates, work) : work())
      if (typeof answer !== 'object' || answer === null) return answer
      reply.header('content-type', 'application/json; charset=utf-8')
      if (isMinimal) {
        const others = reply.getHeader('preference-applied')
        reply.header('preference-applied', others ? `${others}, return=minimal` : 'return=minimal')
        return minimal(Reflect.get(answer, 'data'), answers[reply.statusCode]?.properties.data)
      }
      const write = writers.get(reply.statusCode)
      return encodeInSlices(write ? write(answer) : JSON.stringify(answer))
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
    const problems = problemsOf(request)
    if (Object.keys(problems).length > 0) throw invalidParams(problems)
    // The notification of a print file may name another job in its body.
    const { guid: _, ...asked } = Object(request.params)
    throw withRequestedId(error, Object.values(asked).join('/'))
  }
}

function takesBlob({ schema }: RouteOptions): boolean {
  const members = Object.values<TSchema>((schema?.body as TSchema | undefined)?.properties ?? {})
  return members.some((member) => member['x-blob'])
}

// What makes a plugin a group of this API: its own scope with gate, parsers, validators, serialiser and error handler.
import { type TSchema, Type } from '@sinclair/typebox'
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
import { contextOf, type SvcContext } from '../context.ts'
import { answerTime, within } from '../deadline.ts'
import type { Toggle } from '../options/toggles.ts'
import { errorHandler } from './error-handler.ts'
import { gate } from './gate.ts'
import { parseJson } from './json-body.ts'
import type { TypeBoxProvider } from './schema.ts'
import { writerOf } from './serialize.ts'
import { validators } from './validate.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The handler bounds its own steps, because what it waits for is not the database alone. */
    keepsTime?: boolean
  }
}

/** A Fastify scope whose routes are typed by their TypeBox schemas. */
export type GroupScope = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  TypeBoxProvider
>

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
  const plugin: FastifyPluginAsync = async (app) => {
    const context = contextOf(app)
    context.groups.add(name)
    prepareScope(app, context, toggle)
    routes(app.withTypeProvider<TypeBoxProvider>(), context)
  }
  return fp(plugin, {
    name: `svc-api-${name}`,
    fastify: '5.x',
    encapsulate: true,
    dependencies: [contextPlugin],
  })
}

function prepareScope(app: FastifyInstance, context: SvcContext, toggle: Toggle | undefined): void {
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
      const value = parseJson(bytes)
      // Fastify checks only bodies that the route declares; elsewhere nothing may be dropped in silence.
      const checked = request.routeOptions.schema?.body ? undefined : noBody(value)
      if (checked && 'error' in checked) throw checked.error
      return value
    },
  )
  app.addHook('onRoute', (route) => {
    route.onRequest = gate(context, toggle, route.schema?.params as TSchema | undefined)
    route.bodyLimit ??= context.bodyLimits[takesBlob(route) ? 'blob' : 'json']
    // A host may have switched Fastify's own HEAD routes off.
    if (route.method === 'GET' && !Reflect.get(app.initialConfig, 'exposeHeadRoutes')) {
      const paths = route.routePath === '' ? ['', '/'] : [route.routePath]
      for (const path of paths) app.route({ ...route, method: 'HEAD', url: path, path } as RouteOptions)
    }
    route.handler = answering(route)
  })
}

/**
 * The handler with its answer written as the schema of its status says, within ten seconds unless it keeps time
 * itself: what is not done by then becomes a 503. Written here and not by Fastify, whose serialiser a host may have replaced.
 */
function answering({ handler, schema, config }: RouteOptions): RouteHandlerMethod {
  const writers = new Map(
    Object.entries((schema?.response ?? {}) as Record<string, TSchema>).map(([status, answer]) => [
      Number(status),
      writerOf(answer),
    ]),
  )
  return function (this: FastifyInstance, request, reply) {
    const run = async () => {
      const answer: unknown = await handler.call(this, request, reply)
      if (typeof answer !== 'object' || answer === null) return answer
      const write = writers.get(reply.statusCode)
      reply.header('content-type', 'application/json; charset=utf-8')
      return write ? write(answer) : JSON.stringify(answer)
    }
    return config?.keepsTime ? run() : within(answerTime.handler, run)
  }
}

function takesBlob({ schema }: RouteOptions): boolean {
  const members = Object.values<TSchema>((schema?.body as TSchema | undefined)?.properties ?? {})
  return members.some((member) => member['x-blob'])
}

// What makes a plugin a group of this API: its own scope with gate, parsers, validators, serialiser and error handler.
import type { TSchema } from '@sinclair/typebox'
import type {
  FastifyBaseLogger,
  FastifyInstance,
  FastifyPluginAsync,
  onRequestHookHandler,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
  RouteOptions,
} from 'fastify'
import fp from 'fastify-plugin'
import { contextOf, type SvcContext } from '../context.ts'
import type { Toggle } from '../options/toggles.ts'
import { errorHandler } from './error-handler.ts'
import { gate, openGate } from './gate.ts'
import { parseJson } from './json-body.ts'
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
  return asPlugin(name, routes, () => openGate)
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
  app.setErrorHandler(errorHandler(context))
  app.setValidatorCompiler(({ schema, httpPart }) => {
    if (httpPart === 'body') return body(schema as TSchema)
    // The gate has read the path's parameters already.
    return httpPart === 'querystring' ? query(schema as TSchema) : () => true
  })
  app.setSerializerCompiler(({ schema }) => writerOf(schema as TSchema))
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    async (_request: unknown, bytes: Buffer) => parseJson(bytes),
  )
  app.addHook('onRoute', (route) => {
    route.onRequest = gateOf(context, route)
    route.exposeHeadRoute = true
    route.bodyLimit ??= context.bodyLimits[takesBlob(route) ? 'blob' : 'json']
  })
}

function takesBlob({ schema }: RouteOptions): boolean {
  const members = Object.values<TSchema>((schema?.body as TSchema | undefined)?.properties ?? {})
  return members.some((member) => member['x-blob'])
}

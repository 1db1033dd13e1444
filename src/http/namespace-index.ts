// GET of the namespace itself: the routes of the groups that are switched on, in the form of WordPress' index
// (`WP_REST_Server::get_namespace_index`). It needs no token, because it contains only what the API document describes.
import type { TObject, TSchema } from '@sinclair/typebox'
import type { FastifyInstance } from 'fastify'
import type { SvcContext } from '../app/context.ts'
import { requestTime, within } from '../core/deadline.ts'
import { errorHandler } from './error-handler.ts'
import { publicGate } from './gate.ts'
import type { Operation } from './operations.ts'
import { hidden } from './schema.ts'

const namespace = 'svc/v1'

/** A plugin with this route. Register it with the namespace as prefix. */
export async function namespaceIndex(
  app: FastifyInstance,
  { context }: { context: SvcContext },
): Promise<void> {
  const { access, operations, site } = context
  /** The index that was sent last, with the ids of its operations: toggles change rarely. */
  let cached = { ids: '', text: '' }

  app.setErrorHandler(errorHandler(context))
  app.setSerializerCompiler(() => JSON.stringify)
  app.route({
    method: ['GET', 'HEAD'],
    url: '/',
    schema: hidden,
    config: { swaggerTransform: false },
    onRequest: publicGate,
    handler: async (_request, reply) => {
      const { enabled } = access.fresh() ?? (await within(requestTime.gate, () => access.read()))
      const served = operations.filter(
        ({ path, toggle }) => path.startsWith(`/${namespace}/`) && (!toggle || enabled[toggle]),
      )
      const ids = served.map(({ id }) => id).join()
      if (cached.ids !== ids || ids === '')
        cached = { ids, text: JSON.stringify(indexOf(served, site.restBase)) }
      return reply.header('content-type', 'application/json; charset=utf-8').send(cached.text)
    },
  })
}

/** The body of the response. */
function indexOf(operations: Operation[], restBase: string) {
  const root = {
    namespace,
    methods: ['GET'],
    endpoints: [{ methods: ['GET'], args: {} }],
    _links: { self: [{ href: `${restBase}/${namespace}` }] },
  }
  const routes = [...Map.groupBy(operations, patternOf)].map(([pattern, pathOperations]) => [
    pattern,
    routeOf(pattern, pathOperations, restBase),
  ])
  return {
    namespace,
    routes: { [`/${namespace}`]: root, ...Object.fromEntries(routes) },
    _links: { up: [{ href: `${restBase}/` }] },
  }
}

/** The path with its parameters as WordPress writes them: `/svc/v1/products/(?P<id>[\d]+)`. */
function patternOf({ path, params }: Operation): string {
  const formOf = ({ anyOf, const: word, type }: Partial<TSchema> = {}): string => {
    if (anyOf) return (anyOf as TSchema[]).map(formOf).join('|')
    return word === undefined ? (type === 'integer' ? '[\\d]+' : '[^/]+') : String(word)
  }
  return path.replace(/\{(\w+)\}/g, (_, name) => `(?P<${name}>${formOf(params?.properties[name])})`)
}

/** The entry of a path. @param operations of the path */
function routeOf(pattern: string, operations: Operation[], restBase: string) {
  const pathMethods = operations.map(({ method }) => method as string)
  const endpoints = operations.map((operation) => ({
    methods: methodsOf(operation, pathMethods),
    args: { ...argsOf(operation.query), ...argsOf(operation.body as TObject | undefined) },
  }))
  const isSingleUrl = !pattern.includes('(')
  return {
    namespace,
    methods: endpoints.flatMap(({ methods }) => methods),
    endpoints,
    ...(isSingleUrl && { _links: { self: [{ href: `${restBase}${pattern}` }] } }),
  }
}

/** The methods that lead to an operation: POST and PUT lead to PATCH, if the path has no operation of these methods. */
const methodsOf = ({ method }: Operation, pathMethods: readonly string[]): string[] =>
  method === 'PATCH' ? [...['POST', 'PUT'].filter((name) => !pathMethods.includes(name)), method] : [method]

/** The properties of a query or body, as WordPress lists arguments. */
const argsOf = ({ properties = {}, required = [] }: Partial<TObject> = {}) =>
  Object.fromEntries(
    Object.entries(properties).map(([name, { type }]) => [
      name,
      { required: required.includes(name), ...(typeof type === 'string' && { type }) },
    ]),
  )

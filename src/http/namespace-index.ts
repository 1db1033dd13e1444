// GET of the namespace itself: the routes of the groups that are switched on, in the form of WordPress' own index. Public,
// because it names what the API document describes and contains nothing of the shop.
import type { TObject, TSchema } from '@sinclair/typebox'
import type { FastifyInstance } from 'fastify'
import type { SvcContext } from '../app/context.ts'
import { requestTime, within } from '../core/deadline.ts'
import { errorHandler } from './error-handler.ts'
import { publicGate } from './gate.ts'
import type { Operation } from './operations.ts'
import { hidden } from './schema.ts'

const namespace = 'svc/v1'

/** Register it with the namespace as prefix. */
export async function namespaceIndex(
  app: FastifyInstance,
  { context }: { context: SvcContext },
): Promise<void> {
  const { access, operations, site } = context
  /** The last index, and the operations in it: toggles change rarely. */
  let last = { key: '', text: '' }

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
      const key = served.map(({ id }) => id).join()
      if (last.key !== key || key === '') last = { key, text: JSON.stringify(indexOf(served, site.restBase)) }
      return reply.header('content-type', 'application/json; charset=utf-8').send(last.text)
    },
  })
}

function indexOf(operations: Operation[], restBase: string) {
  const root = {
    namespace,
    methods: ['GET'],
    endpoints: [{ methods: ['GET'], args: {} }],
    _links: { self: [{ href: `${restBase}/${namespace}` }] },
  }
  const routes = [...Map.groupBy(operations, patternOf)].map(([pattern, all]) => [
    pattern,
    routeOf(pattern, all, restBase),
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

function routeOf(pattern: string, operations: Operation[], restBase: string) {
  const pathMethods = operations.map(({ method }) => method as string)
  const endpoints = operations.map((operation) => ({
    methods: methodsOf(operation, pathMethods),
    args: { ...argsOf(operation.query), ...argsOf(operation.body as TObject | undefined) },
  }))
  const isOne = !pattern.includes('(')
  return {
    namespace,
    methods: endpoints.flatMap(({ methods }) => methods),
    endpoints,
    ...(isOne && { _links: { self: [{ href: `${restBase}${pattern}` }] } }),
  }
}

/** POST and PUT are taken as PATCH where they have no operation of their own. */
const methodsOf = ({ method }: Operation, pathMethods: readonly string[]): string[] =>
  method === 'PATCH' ? [...['POST', 'PUT'].filter((name) => !pathMethods.includes(name)), method] : [method]

const argsOf = ({ properties = {}, required = [] }: Partial<TObject> = {}) =>
  Object.fromEntries(
    Object.entries(properties).map(([name, { type }]) => [
      name,
      { required: required.includes(name), ...(typeof type === 'string' && { type }) },
    ]),
  )

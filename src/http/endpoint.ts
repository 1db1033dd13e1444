// What serves an operation, and the further paths and methods under which clients of the CMS call it: a slash at the end,
// POST and PUT in place of PATCH (WordPress' EDITABLE), and POST that names another method.
import type {
  FastifyContextConfig,
  FastifyInstance,
  FastifyRequest,
  FastifySchema,
  onRequestHookHandler,
  RouteHandlerMethod,
  RouteOptions,
} from 'fastify'
import { SvcError } from '../core/errors.ts'
import { checkBodyForm } from './body-form.ts'
import { sentQuery } from './gate.ts'
import { setResponseHeaders } from './headers.ts'
import { hidden } from './schema.ts'

export interface Endpoint {
  /** Id of its operation; undefined where documents do not name it. */
  operation: string | undefined
  schema: FastifySchema
  gate: onRequestHookHandler
  /** Checks body and query. @throws SvcError 400 */
  check(request: FastifyRequest): void
  handler: RouteHandlerMethod
  bodyLimit: number
}

/** The endpoint that a request means; undefined if there is no route for its method. */
type Choose = (request: FastifyRequest) => Endpoint | undefined

declare module 'fastify' {
  interface FastifyContextConfig {
    endpointOf?: Choose
    /** Whether @fastify/swagger hands the route to a transform of the host; false for what no document names. */
    swaggerTransform?: false
  }
}

/** The endpoint that serves a request. */
export const endpointOf = (request: FastifyRequest): Endpoint | undefined =>
  request.routeOptions.config.endpointOf?.(request)

/** The methods of one path that write, with the path below the prefix of their scope. */
interface Path {
  routePath: string
  byMethod: Map<string, Endpoint>
}

const hiddenConfig = (endpointOf: Choose): FastifyContextConfig => ({ endpointOf, swaggerTransform: false })

const overridable = ['PUT', 'PATCH', 'DELETE']

/** The method that a POST names, as WordPress reads it: the parameter `_method`, then the header. */
function namedMethod(request: FastifyRequest): string {
  const { _method = request.headers['x-http-method-override'] ?? 'POST' } = sentQuery(request)
  return String(_method).toUpperCase()
}

/** A POST without a route of its own is a PATCH, and so is a PUT. */
function writeOf(byMethod: Path['byMethod'], method: string): Endpoint | undefined {
  if (method !== 'POST' && !overridable.includes(method)) return undefined
  return byMethod.get(method) ?? (method === 'DELETE' ? undefined : byMethod.get('PATCH'))
}

/** The endpoints of a scope. */
export function endpoints() {
  const paths = new Map<string, Path>()

  function pathOf(url: string, routePath: string): Path {
    const path = paths.get(url) ?? { routePath, byMethod: new Map<string, Endpoint>() }
    paths.set(url, path)
    return path
  }

  return {
    /** Records the endpoint of a route. @returns what chooses the endpoint of a request to this route */
    add(route: RouteOptions & { routePath?: string }, endpoint: Endpoint): Choose {
      const { method, url, routePath = url } = route
      if (typeof method !== 'string' || method === 'GET' || method === 'HEAD') return () => endpoint
      const { byMethod } = pathOf(url, routePath)
      byMethod.set(method, endpoint)
      return method === 'POST' ? (request) => writeOf(byMethod, namedMethod(request)) : () => endpoint
    },

    /** Adds POST and PUT to paths that have other methods; call it after all routes of the scope. */
    addMethods(app: FastifyInstance): void {
      for (const { routePath, byMethod } of [...paths.values()]) {
        const all = [...byMethod.values()]
        const bodyLimit = Math.max(...all.map((endpoint) => endpoint.bodyLimit))
        const route = { url: routePath || '/', schema: hidden, handler: unreachable, bodyLimit }
        const patch = byMethod.get('PATCH')
        if (patch && !byMethod.has('PUT'))
          app.route({ ...route, method: 'PUT', config: hiddenConfig(() => patch) })
        const choose: Choose = (request) => writeOf(byMethod, namedMethod(request))
        if (!byMethod.has('POST')) app.route({ ...route, method: 'POST', config: hiddenConfig(choose) })
      }
    },
  }
}

const noRoute = new SvcError('rest_no_route')

/** Replaced when the route is added. */
const unreachable: RouteHandlerMethod = () => {
  throw noRoute
}

/** Makes the route serve the endpoints that are chosen. Hooks that the host has added stay and come first. */
export function serveEndpoints(route: RouteOptions, choose: Choose): void {
  route.onRequest = [
    ...[route.onRequest ?? []].flat(),
    function (this: FastifyInstance, request, reply, done) {
      const endpoint = choose(request)
      if (endpoint) return endpoint.gate.call(this, request, reply, done)
      setResponseHeaders(request, reply)
      done(noRoute)
    },
  ]
  route.preParsing = [...[route.preParsing ?? []].flat(), checkBodyForm]
  route.preValidation = [
    ...[route.preValidation ?? []].flat(),
    (request, _reply, done) => {
      try {
        choose(request)?.check(request)
      } catch (error) {
        return done(error as Error)
      }
      done()
    },
  ]
  route.handler = function (this: FastifyInstance, request, reply) {
    return (choose(request)?.handler ?? unreachable).call(this, request, reply)
  }
}

/** Adds the route once more with a slash at the end, unless the router ignores it. */
export function addSlash(
  app: FastifyInstance,
  { method, url, routePath = url, bodyLimit }: RouteOptions & { routePath?: string },
  endpointOf: Choose,
): void {
  const { ignoreTrailingSlash, routerOptions } = app.initialConfig
  if (method === 'HEAD' || routePath === '' || /[/*]$/.test(routePath)) return
  if (ignoreTrailingSlash || Reflect.get(Object(routerOptions), 'ignoreTrailingSlash')) return
  const route = {
    schema: hidden,
    handler: unreachable,
    config: hiddenConfig(endpointOf),
    ...(bodyLimit && { bodyLimit }),
  }
  app.route({ ...route, method, url: `${routePath}/` })
}

// Endpoints: what serves an operation. Clients of the CMS call one operation under several methods and paths, which all lead to its
// endpoint: with a slash at the end, by POST or PUT in place of PATCH (WordPress' `WP_REST_Server::EDITABLE`), and by a POST that
// names another method (`_method`).
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
import { membersOf } from '../core/foreign.ts'
import { sentQuery } from './gate.ts'
import { setResponseHeaders } from './headers.ts'
import { hidden } from './schema.ts'

/** What serves an operation: the steps of a request in their order. */
export interface Endpoint {
  /** Id of its operation; undefined for a route that documents do not name. */
  operation: string | undefined
  schema: FastifySchema
  /** The first hook; see `gate`. */
  gate: onRequestHookHandler
  /** Checks body and query. @throws SvcError 400 */
  check(request: FastifyRequest): void
  handler: RouteHandlerMethod
  bodyLimit: number
}

/** Returns the endpoint that serves a request to a path; undefined if the path has none for its method. */
type Choose = (request: FastifyRequest) => Endpoint | undefined

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Chooses the endpoint of a request to this route. */
    chooseEndpoint?: Choose
    /** False for a route that no document names: @fastify/swagger then skips it. */
    swaggerTransform?: false
  }
}

/** The endpoint that serves a request; undefined outside the groups of this API. */
export const endpointOf = (request: FastifyRequest): Endpoint | undefined =>
  request.routeOptions.config.chooseEndpoint?.(request)

/** A path with the endpoints that write. */
interface Path {
  /** Below the prefix of the scope. */
  routePath: string
  byMethod: Map<string, Endpoint>
}

const hiddenConfig = (chooseEndpoint: Choose): FastifyContextConfig => ({
  chooseEndpoint,
  swaggerTransform: false,
})

const overridable = ['PUT', 'PATCH', 'DELETE']

/** The method that a POST names, as WordPress reads it: the parameter `_method`, then the header. */
function namedMethod(request: FastifyRequest): string {
  const { _method = request.headers['x-http-method-override'] ?? 'POST' } = sentQuery(request)
  return String(_method).toUpperCase()
}

/** The endpoint of a method that writes. POST and PUT without an endpoint of their own are PATCH. */
function writeOf(byMethod: Path['byMethod'], method: string): Endpoint | undefined {
  if (method !== 'POST' && !overridable.includes(method)) return undefined
  return byMethod.get(method) ?? (method === 'DELETE' ? undefined : byMethod.get('PATCH'))
}

/** Collects the endpoints of a scope while its routes are added. */
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
        const bodyLimit = Math.max(...[...byMethod.values()].map((endpoint) => endpoint.bodyLimit))
        // The hook `onRoute` of the scope adds gate, check and handler of the endpoint.
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

/** The handler of a route until `serveEndpoints` replaces it. */
const unreachable: RouteHandlerMethod = () => {
  throw noRoute
}

/**
 * Gives a route the hooks and the handler of the endpoints that `choose` returns. Hooks that the host has added stay and run first.
 * Called by the hook `onRoute`, before Fastify adds the route.
 */
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
  route.preValidation = [
    ...[route.preValidation ?? []].flat(),
    (request, _reply, done) => {
      try {
        choose(request)?.check(request)
      } catch (error) {
        // A check throws an SvcError.
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
  choose: Choose,
): void {
  const { ignoreTrailingSlash, routerOptions } = app.initialConfig
  if (method === 'HEAD' || routePath === '' || /[/*]$/.test(routePath)) return
  if (ignoreTrailingSlash || membersOf(routerOptions).ignoreTrailingSlash) return
  const route = {
    schema: hidden,
    handler: unreachable,
    config: hiddenConfig(choose),
    ...(bodyLimit && { bodyLimit }),
  }
  app.route({ ...route, method, url: `${routePath}/` })
}

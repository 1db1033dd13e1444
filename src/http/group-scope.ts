// The Fastify scope of a group: parsers, validators, serializer, error handler, and the endpoint of each route that is added to it.
import type { FastifyInstance, RouteOptions } from 'fastify'
import type { SvcContext } from '../app/context.ts'
import { membersOf } from '../core/foreign.ts'
import type { Declaration } from '../core/groups.ts'
import { acceptBodies, checkBodyForm } from './body.ts'
import { addSlash, endpoints, serveEndpoints } from './endpoint.ts'
import { errorHandler } from './error-handler.ts'
import { endpointMaker } from './make-endpoint.ts'
import { decoratePrincipal } from './principal.ts'
import { hostOf } from './running-apis.ts'
import { acceptAll } from './validate.ts'

/** Prepares the scope of a group for its routes. @returns the endpoints of the routes that are added to it */
export function prepareScope(app: FastifyInstance, context: SvcContext, group: Declaration) {
  // Number of earlier registrations of this API in the same host.
  const instance = Math.max(0, hostOf(app.server).apis.indexOf(context))
  const endpointFor = endpointMaker(context, group, instance)
  decoratePrincipal(app)
  app.setErrorHandler(errorHandler(context))
  app.setValidatorCompiler(() => acceptAll)
  // Handlers return serialized text, so Fastify need not compile the schemas again.
  app.setSerializerCompiler(() => JSON.stringify)
  acceptBodies(app)
  const paths = endpoints()
  app.addHook('onRoute', function (route) {
    // A route for a further path or method, which endpoint.ts adds, has a chooser already.
    const chooseEndpoint = route.config?.chooseEndpoint ?? paths.add(route, endpointFor(route))
    route.config = { ...route.config, chooseEndpoint }
    exposeHead(app, route)
    serveEndpoints(route, chooseEndpoint)
    route.preParsing = [...[route.preParsing ?? []].flat(), checkBodyForm]
    addSlash(this, route, chooseEndpoint)
  })
  return paths
}

/** Lets a GET route serve HEAD, too, if the host has disabled Fastify's HEAD routes. */
function exposeHead(app: FastifyInstance, route: RouteOptions): void {
  if (route.method !== 'GET' || membersOf(app.initialConfig).exposeHeadRoutes) return
  route.method = ['GET', 'HEAD']
  // After startup only API documents read this, where HEAD is not an operation.
  app.addHook('onReady', async () => {
    route.method = 'GET'
  })
}

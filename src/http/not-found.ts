// The 404 of a namespace. It is the same, byte for byte, for unknown paths and wrong methods.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { SvcContext } from '../app/context.ts'
import { SvcError } from '../core/errors.ts'
import { errorHandler } from './error-handler.ts'
import { deferContinue } from './expect-continue.ts'
import { hidden } from './schema.ts'

/** A plugin that responds with 404 to every request of a namespace without a route. Register it with the namespace as prefix. */
export async function notFound(app: FastifyInstance, { context }: { context: SvcContext }): Promise<void> {
  const respond = errorHandler(context)
  const noRoute = (request: FastifyRequest, reply: FastifyReply) =>
    respond(new SvcError('rest_no_route'), request, reply)
  // Errors of the host's hooks get our response format, as on all our routes.
  app.setErrorHandler(respond)
  deferContinue(app.server, app.prefix)
  // Before the body is read, so that its format cannot change the response, and after every onRequest hook of the host,
  // even those registered later: rate limits count unknown paths, and their responses have CORS headers.
  app.addHook('preParsing', (request, reply) => {
    noRoute(request, reply)
  })
  // The host handles preflights: its OPTIONS routes come first; without one, the handler below responds.
  const methods = app.supportedMethods.filter((name) => name !== 'OPTIONS')
  // GET and HEAD of the namespace itself may be its index.
  const withoutReads = methods.filter((name) => name !== 'GET' && name !== 'HEAD')
  app.route({ method: withoutReads, url: '', schema: hidden, handler: noRoute })
  // Also catches path segments that are longer than the host's router allows.
  app.route({ method: methods, url: '/*', schema: hidden, handler: noRoute })
  app.setNotFoundHandler(noRoute)
}

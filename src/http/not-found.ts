// Owns what no route answers inside one namespace: the same 404 to the byte for unknown paths and wrong methods.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { SvcContext } from '../context.ts'
import { SvcError } from '../errors.ts'
import { deferContinue, limitBodyTime } from './body-deadline.ts'
import { errorHandler } from './error-handler.ts'
import { hidden } from './schema.ts'

/** To be registered with the namespace as prefix. */
export async function notFound(app: FastifyInstance, { context }: { context: SvcContext }): Promise<void> {
  const answer = errorHandler(context)
  const noRoute = (request: FastifyRequest, reply: FastifyReply) =>
    answer(new SvcError('rest_no_route'), request, reply)
  // Hooks of the host that throw on the way here get our form of a response, as on every route of ours.
  app.setErrorHandler(answer)
  deferContinue(app.server, app.prefix)
  app.addHook('onRequest', (request, reply, done) => {
    limitBodyTime(request, reply, context.bodySeconds)
    done()
  })
  // Before the body is read, so that its form cannot change the response; behind every onRequest hook of the host, also of
  // those registered after us: rate limits count what is no route, and CORS headers stand in its responses.
  app.addHook('preParsing', (request, reply) => {
    noRoute(request, reply)
  })
  // A preflight is the host's business: its own OPTIONS routes come first, and the handler below without one.
  const method = app.supportedMethods.filter((name) => name !== 'OPTIONS')
  // Catches path parts that are longer than the host's router allows, too.
  for (const url of ['', '/*']) app.route({ method, url, schema: hidden, handler: noRoute })
  app.setNotFoundHandler(noRoute)
}

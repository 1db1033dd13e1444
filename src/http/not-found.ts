// Owns what no route answers inside one namespace: the same 404 to the byte for unknown paths and wrong methods.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { SvcContext } from '../context.ts'
import { SvcError } from '../errors.ts'
import { deferContinue, limitBodyTime } from './body-deadline.ts'
import { errorHandler } from './error-handler.ts'

/** To be registered with the namespace as prefix. */
export async function notFound(app: FastifyInstance, { context }: { context: SvcContext }): Promise<void> {
  const answer = errorHandler(context)
  const noRoute = (request: FastifyRequest, reply: FastifyReply) =>
    answer(new SvcError('rest_no_route'), request, reply)
  // Hooks of the host that throw on the way here get our form of an answer, as on every route of ours.
  app.setErrorHandler(answer)
  deferContinue(app.server, app.prefix)
  // In the first hook, so that neither a token nor the form of a body can change the answer.
  app.addHook('onRequest', (request, reply) => {
    limitBodyTime(request, reply, context.bodySeconds)
    noRoute(request, reply)
  })
  // Catches path parts that are longer than the host's router allows, too.
  app.all('/*', noRoute)
  app.setNotFoundHandler(noRoute)
}

// Clearing the token to rotate it: a page that asks once more, and the post that does it.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { SvcError } from '../../src/core/errors.ts'
import { preconditionOf } from '../../src/http/etag.ts'
import { hidden } from '../../src/http/schema.ts'
import { valueIn } from '../../src/pages/form-body.ts'
import { notice } from '../../src/pages/frame.ts'
import { formOf, page } from '../../src/pages/scope.ts'
import { tokenKey } from '../../src/settings/token.ts'
import type { Screen } from './screen.ts'
import { tokenPage } from './token-page.ts'

export function tokenRoutes(app: FastifyInstance, screen: Screen): void {
  const { context, settings } = screen

  async function ask(request: FastifyRequest, reply: FastifyReply, problem?: string): Promise<FastifyReply> {
    const group = context.catalog.group('api')
    const state = group ? (await settings.group(group)).state : ''
    const feedback = problem === undefined ? undefined : notice('problem', problem)
    const main = tokenPage(state, screen.formToken(request, reply), feedback)
    return screen.send(reply, { title: 'Clear the API token', current: 'api', main })
  }

  app.get('/clear-token', { schema: hidden, handler: page((request, reply) => ask(request, reply)) })

  app.post('/clear-token', {
    schema: hidden,
    bodyLimit: context.bodyLimits.json,
    handler: page(async (request, reply) => {
      const form = formOf(request)
      if (!screen.isOurs(request, form)) {
        reply.code(403)
        return ask(
          request,
          reply,
          'This form was opened too long ago, or by somebody else. Please confirm again.',
        )
      }
      try {
        const precondition = preconditionOf(`"${valueIn(form, '_state')}"`)
        await screen.reported(request, () => settings.save({ [tokenKey]: '' }, { precondition }))
      } catch (error) {
        if (!(error instanceof SvcError) || error.code !== 'svc_precondition_failed') throw error
        reply.code(412)
        return ask(
          request,
          reply,
          'Somebody else has changed settings of the API since you opened this page.',
        )
      }
      return reply.redirect('api?saved=1', 303)
    }),
  })
}

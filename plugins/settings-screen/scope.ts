// The scope of the pages: who may see them, which headers protect them, how forms are read, how failures look.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { SvcContext } from '../../src/app/context.ts'
import { DeadlineExceeded, requestTime, within } from '../../src/core/deadline.ts'
import { SvcError } from '../../src/core/errors.ts'
import { allowBody, deferContinue, limitBodyTime } from '../../src/http/body-deadline.ts'
import { errorHandler } from '../../src/http/error-handler.ts'
import { readQuery } from '../../src/http/gate.ts'
import { setResponseHeaders } from '../../src/http/headers.ts'
import { limitResponseTime } from '../../src/http/response-deadline.ts'
import { isSameOrigin } from './forgery.ts'
import { readForm } from './form-body.ts'
import { html } from './html.ts'
import { layout } from './layout.ts'
import type { SettingsScreenOptions } from './options-schema.ts'

/** Who was admitted, as the host's function names them; '' if it names nobody. */
const users = new WeakMap<FastifyRequest, string>()

export const userOf = (request: FastifyRequest): string => users.get(request) ?? ''

const protection = {
  'content-security-policy': [
    ...["default-src 'none'", "script-src 'self'", "style-src 'self'", "connect-src 'self'"],
    ...["form-action 'self'", "base-uri 'none'", "frame-ancestors 'none'"],
  ].join('; '),
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  // Without a referrer browsers send no Origin with forms.
  'referrer-policy': 'same-origin',
  'x-frame-options': 'DENY',
}

export function prepareScope(
  app: FastifyInstance,
  context: SvcContext,
  authorize: SettingsScreenOptions['authorize'],
): void {
  const isPost = ({ method }: FastifyRequest) => method !== 'GET' && method !== 'HEAD'

  async function admit(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const user = await withinGate(async () => authorize(request, reply))
    if (reply.sent) return
    if (user !== true && (typeof user !== 'string' || user === '')) {
      throw new SvcError('svc_forbidden', { message: 'You may not administer this shop.' })
    }
    users.set(request, user === true ? '' : user)
    if (isPost(request) && !isSameOrigin(request)) {
      throw new SvcError('svc_forbidden', { message: 'This form was not sent by a page of this site.' })
    }
  }

  app.addHook('onRequest', async (request, reply) => {
    setResponseHeaders(request, reply)
    reply.headers(protection)
    limitBodyTime(request, reply, context.bodySeconds)
    limitResponseTime(request, reply, context.bodySeconds)
    readQuery(request)
    await admit(request, reply)
  })
  deferContinue(app.server, app.prefix)
  app.addHook('preParsing', (request, reply, _payload, done) => {
    if (!(Number(request.headers['content-length']) > context.bodyLimits.json)) allowBody(request, reply)
    done()
  })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'buffer', bodyLimit: context.bodyLimits.json },
    (_request: FastifyRequest, body: Buffer, done) => {
      try {
        done(null, readForm(body))
      } catch (error) {
        done(error as Error)
      }
    },
  )
  app.addContentTypeParser('*', async () => {
    throw new SvcError('svc_unsupported_media_type', {
      message: 'A form must be sent as application/x-www-form-urlencoded.',
    })
  })
  app.setErrorHandler(
    errorHandler(context, (reply, status, { message, data }) => {
      const id = data.request_id === undefined ? undefined : String(data.request_id)
      const main = html`<div class="notice problem" role="alert"><p>${message}</p>${id && html`<p>Request id: <code>${id}</code></p>`}</div>`
      const tabs = users.has(reply.request) ? context.catalog.tabs : undefined
      // A hook of the host may have failed before ours.
      return sendPage(reply.headers(protection), layout(tabs, { title: `Error ${status}`, main }))
    }),
  )
  app.setNotFoundHandler(() => {
    throw new SvcError('rest_no_route', { message: 'There is no such page.' })
  })
}

export const sendPage = (reply: FastifyReply, page: string): FastifyReply =>
  reply.type('text/html; charset=utf-8').send(page)

async function withinGate<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await within(requestTime.gate, work)
  } catch (cause) {
    if (!(cause instanceof DeadlineExceeded)) throw cause
    const message = 'Whether you may administer this shop could not be determined in time; try again later.'
    throw new SvcError('svc_unavailable', { message, headers: { 'retry-after': '2' }, cause })
  }
}

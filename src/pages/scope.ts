// The scope of pages, of the desk and of the settings screen: who is admitted, which headers protect them, what parses their forms, and
// the page of an error.
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteHandlerMethod } from 'fastify'
import type { SvcContext } from '../app/context.ts'
import { DeadlineExceeded, requestTime, within } from '../core/deadline.ts'
import { SvcError } from '../core/errors.ts'
import { html } from '../core/html.ts'
import { tryAgain } from '../core/unavailable.ts'
import { errorHandler } from '../http/error-handler.ts'
import { allowBody, deferContinue } from '../http/expect-continue.ts'
import { sentQuery } from '../http/gate.ts'
import { setResponseHeaders } from '../http/headers.ts'
import { connectionTurn } from '../http/pipelining.ts'
import { pathToFolder } from './folder.ts'
import { isSameOrigin } from './forgery.ts'
import { readForm } from './form.ts'
import type { Page } from './html.ts'

interface ErrorPage extends Page {
  status: number
  request: FastifyRequest
}

/** What differs between plugins of pages. `V` is what the plugin knows of an admitted visitor, '' included. */
interface PagesScope<V> {
  context: SvcContext
  /** Asks the host who sends a request; undefined refuses with 403. A host that asks for a login instead has sent its own response. */
  admit(request: FastifyRequest, reply: FastifyReply): Promise<V | undefined>
  /** What a refused visitor may not do, such as "administer this shop". */
  purpose: string
  /** Returns the HTML of the page of an error; the visitor is undefined if the request failed before one was admitted. */
  errorPage(page: ErrorPage, visitor: V | undefined): string
}

/** Titles of error pages, by status. */
const titles: Record<number, string> = {
  403: 'Not allowed',
  404: 'Not found',
  412: 'Changed meanwhile',
  413: 'Too large',
  503: 'Not available at the moment',
}

/** The headers that protect pages from other sites and from injected scripts: the pages load nothing but what this origin serves. */
const protection = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    // The empty icon, without which browsers ask the host for one.
    "img-src 'self' data:",
    "font-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  // Without a referrer browsers send no Origin with forms.
  'referrer-policy': 'same-origin',
  'x-frame-options': 'DENY',
}

/** The property of a request that holds its admitted visitor. */
const visitorKey = Symbol('svc-api visitor')

/**
 * Prepares a scope for pages: hooks that admit visitors and set headers, a parser of forms, pages of errors. Called once by each plugin
 * of pages, before it declares routes; each request to the scope, whatever its path, is admitted first.
 * @returns a function that returns the visitor of a request, and throws where none was admitted
 */
export function preparePages<V>(app: FastifyInstance, pages: PagesScope<V>): (request: FastifyRequest) => V {
  const { context, purpose } = pages
  app.decorateRequest(visitorKey, undefined)
  const visitorOf = (request: FastifyRequest): V | undefined => Reflect.get(request, visitorKey)
  const isPost = ({ method }: FastifyRequest) => method !== 'GET' && method !== 'HEAD'

  async function admit(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const visitor = await withinGate(purpose, () => pages.admit(request, reply))
    if (reply.sent) return
    if (visitor === undefined) throw new SvcError('svc_forbidden', { message: `You may not ${purpose}.` })
    Reflect.set(request, visitorKey, visitor)
    if (isPost(request) && !isSameOrigin(request)) {
      throw new SvcError('svc_forbidden', { message: 'This form was not sent by a page of this site.' })
    }
  }

  app.addHook('onRequest', async (request, reply) => {
    await connectionTurn(reply)
    setResponseHeaders(request, reply)
    reply.headers(protection)
    request.query = sentQuery(request)
    await admit(request, reply)
  })
  deferContinue(app.server, app.prefix)
  // Sends "100 Continue", unless the form is too long and refused; an upload, which may be longer, gets it when its body is read.
  app.addHook('preParsing', (request, reply, _payload, done) => {
    if (!(Number(request.headers['content-length']) > context.bodyLimits.json)) allowBody(request, reply)
    done()
  })
  parseForms(app, context.bodyLimits.json)
  app.setErrorHandler(
    errorHandler(context, (reply, status, { message, data }) => {
      const id = data.request_id === undefined ? undefined : String(data.request_id)
      const main = html`<div class="notice problem" role="alert"><p>${message}</p>${id && html`<p>Request id: <code>${id}</code></p>`}</div>`
      const { request } = reply
      const title = titles[status] ?? `Error ${status}`
      const page = { title, main, status, request, up: pathToFolder(request, app.prefix) }
      // A hook of the host may have failed before the hook here set these headers.
      return sendHtml(reply.headers(protection), pages.errorPage(page, visitorOf(request)))
    }),
  )
  app.setNotFoundHandler(() => {
    throw new SvcError('rest_no_route', { message: 'There is no such page.' })
  })
  return (request) => {
    const visitor = visitorOf(request)
    if (visitor === undefined) throw new Error('The request has no admitted visitor.')
    return visitor
  }
}

/** Replaces the parsers of the scope: the body of a form becomes a `Form`, and any other body is refused. */
function parseForms(app: FastifyInstance, bodyLimit: number): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'buffer', bodyLimit },
    async (_request: FastifyRequest, body: Buffer) => readForm(body),
  )
  app.addContentTypeParser('*', async () => {
    throw new SvcError('svc_unsupported_media_type', {
      message: 'A form must be sent as application/x-www-form-urlencoded.',
    })
  })
}

/** Sends a whole document as HTML; the hooks of the scope have set the headers that protect it. */
export const sendHtml = (reply: FastifyReply, document: string): FastifyReply =>
  reply.type('text/html; charset=utf-8').send(document)

/** The handler of a page that `draw` makes and sends; 503 if that exceeds the time of a request. */
export function pageHandler(
  draw: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>,
): RouteHandlerMethod {
  return (request, reply) => within(requestTime.handler, () => draw(request, reply))
}

/** Runs `work`, the admission, within the time of the gate. @throws SvcError 503 if it takes longer */
async function withinGate<T>(purpose: string, work: () => Promise<T>): Promise<T> {
  try {
    return await within(requestTime.gate, work)
  } catch (cause) {
    if (!(cause instanceof DeadlineExceeded)) throw cause
    const message = `Whether you may ${purpose} could not be determined in time; try again later.`
    throw tryAgain({ reason: 'login', message, seconds: 2, cause })
  }
}

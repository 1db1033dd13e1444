// The scope of pages: who may see them, which headers protect them, how forms are read, how failures look.
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteHandlerMethod } from 'fastify'
import type { SvcContext } from '../app/context.ts'
import { DeadlineExceeded, requestTime, within } from '../core/deadline.ts'
import { SvcError } from '../core/errors.ts'
import { membersOf } from '../core/foreign.ts'
import { html } from '../core/html.ts'
import { tryAgain } from '../core/unavailable.ts'
import { errorHandler } from '../http/error-handler.ts'
import { allowBody, deferContinue } from '../http/expect-continue.ts'
import { sentQuery } from '../http/gate.ts'
import { setResponseHeaders } from '../http/headers.ts'
import { connectionTurn } from '../http/pipelining.ts'
import { hidden } from '../http/schema.ts'
import { isSameOrigin } from './forgery.ts'
import type { Page } from './html.ts'

/** The page of an error with its status. */
export interface ErrorPage extends Page {
  status: number
  request: FastifyRequest
}

/** What a plugin of pages brings for its scope. `V` is what it knows of an admitted visitor. */
export interface PagesScope<V> {
  context: SvcContext
  /** Whom the host lets in; undefined refuses with 403. A host that asks for a login instead has sent its own response. */
  admit(request: FastifyRequest, reply: FastifyReply): Promise<V | undefined>
  /** What a visitor may not do who is refused, such as "administer this shop". */
  purpose: string
  /** The page of an error; the visitor is undefined if nobody was admitted. */
  errorPage(page: ErrorPage, visitor: V | undefined): string
}

/** What pages of errors are called, by status. */
const titles: Record<number, string> = {
  403: 'Not allowed',
  404: 'Not found',
  412: 'Changed meanwhile',
  413: 'Too large',
  503: 'Not available at the moment',
}

/** The headers that protect pages from other sites and from injected scripts. */
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
 * Prepares a scope for pages: hooks that admit visitors and set headers, a parser of forms, pages of errors.
 * @returns a function that gives the visitor of a request of this scope
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
      const page = { title, main, status, request, up: upFrom(request, app.prefix) }
      // A hook of the host may have failed before ours.
      return sendPage(reply.headers(protection), pages.errorPage(page, visitorOf(request)))
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

/** Sends a whole document as HTML; the headers that protect it are set before. */
export const sendPage = (reply: FastifyReply, page: string): FastifyReply =>
  reply.type('text/html; charset=utf-8').send(page)

/** The style and the script of the pages, and the way from their folder to the first of them. */
export function serveFrame(
  app: FastifyInstance,
  { style, script, first }: { style: string; script: string; first: (request: FastifyRequest) => string },
): void {
  app.get('/', { schema: hidden }, async (request, reply) =>
    reply.redirect(toFirstPage(request, first(request)), 303),
  )
  app.get('/screen.css', { schema: hidden }, async (_request, reply) =>
    reply.type('text/css; charset=utf-8').send(style),
  )
  app.get('/screen.js', { schema: hidden }, async (_request, reply) =>
    reply.type('text/javascript; charset=utf-8').send(script),
  )
}

/** The handler of a page; 503 if it exceeds the time of a request. */
export function page(
  draw: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>,
): RouteHandlerMethod {
  return (request, reply) => within(requestTime.handler, () => draw(request, reply))
}

/** The fields of a posted form; none where the body was empty. */
export const formOf = ({ body }: FastifyRequest): Form => (body instanceof Map ? body : new Map())

/** The number of the page of a list that is requested; 1 if it is missing or invalid. */
export const pageNumber = (request: FastifyRequest): number => pageIn(queryValue(request, 'page'))

/** The same in a text. */
export const pageIn = (text: string): number => Number(/^[1-9]\d{0,5}$/.exec(text)?.[0] ?? 1)

/** The last value of a query parameter; '' if it was not sent. */
export function queryValue({ query }: FastifyRequest, name: string): string {
  const value: unknown = [membersOf(query)[name]].flat().at(-1)
  return typeof value === 'string' ? value : ''
}

const pathOf = ({ raw }: FastifyRequest): string => (raw.url ?? '').split('?', 1)[0] ?? ''

/** What leads to the folder of the pages, wherever a proxy moves it: the path of an error may lie above or below it. */
function upFrom(request: FastifyRequest, prefix: string): string {
  const path = pathOf(request)
  const depth = path.split('/').length - prefix.replace(/\/$/, '').split('/').length
  return depth === 0 ? toFirstPage(request, '') : '../'.repeat(Math.max(0, depth - 1))
}

/** Relative links begin below the folder of the pages, with a slash at the end of its path or without. */
function toFirstPage(request: FastifyRequest, page: string): string {
  const path = pathOf(request)
  return `${path.endsWith('/') ? '' : `${path.slice(path.lastIndexOf('/') + 1)}/`}${page}`
}

/** Runs `work` within the time of the gate. @throws SvcError 503 if it takes longer */
async function withinGate<T>(purpose: string, work: () => Promise<T>): Promise<T> {
  try {
    return await within(requestTime.gate, work)
  } catch (cause) {
    if (!(cause instanceof DeadlineExceeded)) throw cause
    const message = `Whether you may ${purpose} could not be determined in time; try again later.`
    throw tryAgain({ reason: 'login', message, seconds: 2, cause })
  }
}

/** Values by field name, in the order in which they were sent. */
export type Form = ReadonlyMap<string, readonly string[]>

/** More fields than any page has, with their digests. */
const maxFields = 5000

/**
 * Reads the body of a form, `application/x-www-form-urlencoded` as the URL standard defines it. Linear in the length of the body.
 * @throws SvcError 400 for what is not UTF-8, is wrongly escaped or has too many fields
 */
export function readForm(body: Uint8Array): Form {
  const form = new Map<string, string[]>()
  const text = decoded(() => new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body))
  if (text === '') return form
  const pairs = text.split('&', maxFields + 1)
  if (pairs.length > maxFields) throw unreadable(`has more than ${maxFields} fields`)
  for (const pair of pairs) {
    const separator = pair.indexOf('=')
    const [name, value] = separator < 0 ? [pair, ''] : [pair.slice(0, separator), pair.slice(separator + 1)]
    const key = unescaped(name)
    const values = form.get(key)
    if (values) values.push(unescaped(value))
    else form.set(key, [unescaped(value)])
  }
  return form
}

const unescaped = (text: string) => decoded(() => decodeURIComponent(text.replaceAll('+', ' ')))

function decoded(decode: () => string): string {
  try {
    return decode()
  } catch {
    throw unreadable('is not UTF-8, or is wrongly escaped')
  }
}

const unreadable = (problem: string) =>
  new SvcError('rest_invalid_param', { message: `The form ${problem}.` })

/** The last value of a field; empty if it was not sent. */
export const valueIn = (form: Form, name: string): string => form.get(name)?.at(-1) ?? ''

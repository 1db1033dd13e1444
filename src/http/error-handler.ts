// Turns errors into response bodies. The cause of a 5xx goes to the log, never to the client.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { SvcContext } from '../app/context.ts'
import { hostRefusalCode, SvcError } from '../core/errors.ts'
import { membersOf } from '../core/foreign.ts'
import type { UnavailableReason } from '../core/unavailable-reasons.ts'
import { isObject } from '../json/values.ts'
import { awaitsContinue } from './expect-continue.ts'
import { failureLog } from './failure-log.ts'
import { requestIdOf, setResponseHeaders } from './headers.ts'

/** Errors of Fastify that requests can cause, by their code. */
const fromFastify: Record<string, (request: FastifyRequest) => SvcError> = {
  FST_ERR_CTP_BODY_TOO_LARGE: ({ routeOptions }) => bodyTooLarge(routeOptions.bodyLimit),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: () => new SvcError('svc_unsupported_media_type'),
  FST_ERR_CTP_EMPTY_TYPE: () => new SvcError('svc_unsupported_media_type'),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () =>
    new SvcError('rest_invalid_json', {
      message: 'The length of the body does not match its Content-Length.',
    }),
}

/** 413. @param limit bytes; undefined if the route has none of its own */
function bodyTooLarge(limit: number | undefined): SvcError {
  if (limit === undefined) return new SvcError('svc_body_too_large')
  const megabytes = Number((limit / 1_048_576).toFixed(2))
  const message = `The request body exceeds the limit of ${megabytes} MB of this route.`
  return new SvcError('svc_body_too_large', { message, data: { limit } })
}

/** Bytes of a refused body that are read and discarded, so that a client that sends before it reads gets the response. */
const maxDiscarded = 64 * 1024 * 1024

/** Sends an error: as JSON, or as a page with the same message. */
export type ErrorWriter = (reply: FastifyReply, status: number, body: ErrorBody) => FastifyReply

/** The body of every response from 400 on. */
export interface ErrorBody {
  success: false
  code: string
  message: string
  data: Record<string, unknown>
}

/** The error handler of a scope, for `setErrorHandler`. @param write sends the error, as JSON by default */
export function errorHandler({ database }: Pick<SvcContext, 'database'>, write: ErrorWriter = writeJson) {
  const log = failureLog(database.dialect)

  function send(reply: FastifyReply, status: number, body: ErrorBody): FastifyReply {
    reply.removeHeader('etag')
    return write(reply.code(status).header('cache-control', 'private, no-store'), status, body)
  }

  function respond(error: SvcError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const { code, statusCode, message, errors, error: diagnosis } = error
    const data: Record<string, unknown> = { status: statusCode, ...error.data }
    if (statusCode >= 500) data.request_id = requestIdOf(request)
    log(error, request, reply.raw.destroyed)
    const body = { success: false as const, code, message, data, errors, error: diagnosis }
    return send(reply.headers(error.headers), statusCode, body)
  }

  /**
   * A refusal by a hook of the host (a rate limit, for example) keeps its status, headers and message, in our format. Of
   * other failures only a 503 is passed on.
   */
  function respondToHostError(thrown: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const { headers, statusCode: status } = membersOf(thrown)
    const statusCode = Number(status)
    const isRefusal = statusCode >= 400 && statusCode < 500
    if ((isRefusal || statusCode === 503) && isObject(headers))
      reply.headers(headers as Record<string, string>)
    if (isRefusal) {
      const code = textOf(thrown, 'code') || hostRefusalCode
      const message = textOf(thrown, 'message')
      return send(reply, statusCode, { success: false, code, message, data: { status: statusCode } })
    }
    if (statusCode !== 503)
      return respond(new SvcError('svc_internal_error', { cause: thrown }), request, reply)
    if (!reply.hasHeader('retry-after')) reply.header('retry-after', '2')
    const message = 'The server is too busy; try again later.'
    const data = { reason: 'host' satisfies UnavailableReason }
    return respond(new SvcError('svc_unavailable', { message, data, cause: thrown }), request, reply)
  }

  return (thrown: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    // A hook of the host may fail before our first one.
    setResponseHeaders(request, reply)
    // Fastify closes the connection after a refused body. A client that is still sending would lose the response; a body
    // of known, moderate length can be read to its end instead. While the app closes, the raw response has the header, too.
    const isDiscardable = Number(request.headers['content-length']) <= maxDiscarded
    // HTTP/2 has several streams on a connection, so one refused body does not end it.
    const isOneStream = request.raw.httpVersionMajor < 2
    if (
      (isDiscardable || !isOneStream) &&
      reply.hasHeader('connection') &&
      !reply.raw.hasHeader('connection')
    ) {
      reply.removeHeader('connection')
    }
    if (isOneStream && awaitsContinue(request)) reply.header('connection', 'close')
    const error = database.translate(thrown)
    if (error instanceof SvcError) return respond(error, request, reply)
    const fastifyError = fromFastify[textOf(thrown, 'code')]?.(request)
    return fastifyError ? respond(fastifyError, request, reply) : respondToHostError(thrown, request, reply)
  }
}

/** A property of a thrown value, of which nothing is known, as a text; '' if it is not set. */
function textOf(error: unknown, key: string): string {
  return String(membersOf(error)[key] ?? '')
}

function writeJson(reply: FastifyReply, _status: number, body: ErrorBody): FastifyReply {
  return reply.type('application/json; charset=utf-8').send(JSON.stringify(body))
}

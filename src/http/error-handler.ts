// The only place where errors become bodies. What a 5xx was about goes to the log, never to the client.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { SvcContext } from '../context.ts'
import { SvcError } from '../errors.ts'
import { requestIdOf, stamp } from './headers.ts'

/** Errors of Fastify itself that a request can cause. */
const fromFastify: Record<string, () => SvcError> = {
  FST_ERR_CTP_BODY_TOO_LARGE: () => new SvcError('svc_body_too_large'),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: () => new SvcError('svc_unsupported_media_type'),
  FST_ERR_CTP_EMPTY_TYPE: () => new SvcError('svc_unsupported_media_type'),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () =>
    new SvcError('rest_invalid_json', { message: 'The body is not as long as its Content-Length says.' }),
}

export function errorHandler({ database }: Pick<SvcContext, 'database'>) {
  return (thrown: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    // An error of the host's own hooks may come before our first one.
    if (!reply.hasHeader('x-request-id')) stamp(request, reply)
    const translated = database.translate(thrown)
    if (translated instanceof SvcError) return answer(translated, request, reply)
    const code = textOf(thrown, 'code')
    const known = fromFastify[code]?.()
    if (known) return answer(known, request, reply)
    const status = Number(Reflect.get(Object(thrown), 'statusCode'))
    if (status >= 400 && status < 500) return answerOfHost(status, code, textOf(thrown, 'message'), reply)
    return answer(new SvcError('svc_internal_error', { cause: thrown }), request, reply)
  }
}

function textOf(error: unknown, key: string): string {
  return String(Reflect.get(Object(error), key) ?? '')
}

function answer(error: SvcError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const data: Record<string, unknown> = { status: error.statusCode, ...error.data }
  if (error.statusCode >= 500) {
    data.request_id = requestIdOf(reply)
    request.log.error(
      { err: forLog(error.cause ?? error), request_id: data.request_id, code: error.code },
      error.message,
    )
  }
  const { code, message, errors } = error
  const body = { success: false, code, message, data, errors, error: error.error }
  return send(reply.headers(error.headers), error.statusCode, body)
}

/** A refusal by the host's own hooks (a rate limit, say) keeps its status and words, in our shape. */
function answerOfHost(status: number, code: string, message: string, reply: FastifyReply): FastifyReply {
  return send(reply, status, { success: false, code: code || 'svc_refused', message, data: { status } })
}

function send(reply: FastifyReply, status: number, body: object): FastifyReply {
  reply.removeHeader('etag')
  return reply
    .code(status)
    .header('cache-control', 'private, no-store')
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(body))
}

/** What an operator needs; drivers hang the whole statement with its values on their errors, which stays out. */
function forLog(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { message: String(error) }
  const pick = Object.fromEntries(
    ['code', 'errno', 'errcode', 'sqlState', 'syscall'].map((key) => [key, Reflect.get(error, key)]),
  )
  return { type: error.name, message: error.message, ...pick, stack: error.stack }
}

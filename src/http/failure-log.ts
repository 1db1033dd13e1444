// Logs failures: what an operator needs, without any value that was sent or stored.
import type { FastifyRequest } from 'fastify'
import type { SvcContext } from '../app/context.ts'
import type { ErrorCode, SvcError } from '../core/errors.ts'
import { membersOf } from '../core/foreign.ts'
import { differsFromHostId, requestIdOf } from './headers.ts'

/** Codes of what the installation does not offer. Startup and status page report it, so requests do not. */
const notOffered = new Set<ErrorCode>([
  'svc_renderer_off',
  'svc_export_not_configured',
  'svc_storage_not_configured',
])

/** Codes of failures that senders without a token, or other servers, can cause in any number. */
const floods = new Set<ErrorCode>([
  'svc_renderer_busy',
  'svc_print_downloads_busy',
  'svc_print_file_unavailable',
])

/** Milliseconds between two warnings about the same flood; further ones are logged at level debug. */
const floodInterval = 10_000

type Dialect = SvcContext['database']['dialect']

/**
 * A function that logs one line for an error of a request. Refusals are logged at level debug by their code alone, because their
 * messages repeat what was sent. A refusal with a cause means that a check crashed, which is logged as a warning; only an MCP message
 * that is not JSON has the parser's error as its cause.
 */
export function failureLog(dialect: Dialect) {
  const warnedAt = new Map<ErrorCode, number>()

  /** Whether the last warning with this code is old enough for another one. */
  function isDue(code: ErrorCode): boolean {
    const now = performance.now()
    if (now - (warnedAt.get(code) ?? Number.NEGATIVE_INFINITY) < floodInterval) return false
    warnedAt.set(code, now)
    return true
  }

  /** @param isGone whether the client closed the connection, which aborts work that only it waits for */
  return (error: SvcError, request: FastifyRequest, isGone = false): void => {
    const { code, statusCode: status, message } = error
    const { method, routeOptions } = request
    // If the id is not the one that the host logs, each line of this request contains it.
    const id = differsFromHostId(request) ? {} : { request_id: requestIdOf(request) }
    const line = { ...id, method, route: routeOptions.url, status, code }
    const isRefusal = status < 500 || notOffered.has(code)
    if (isGone && membersOf(error.cause).name === 'AbortError')
      request.log.debug(line, 'The client closed the connection.')
    else if (isRefusal && error.cause && code !== 'rest_invalid_json')
      request.log.warn({ ...line, err: describe(error.cause, dialect) }, 'A check crashed.')
    else if (isRefusal) request.log.debug(line, 'The request was refused.')
    else if (floods.has(code)) {
      const err = describe(error.cause ?? error, dialect, { hasStack: false })
      request.log[isDue(code) ? 'warn' : 'debug']({ ...line, err }, message)
    } else request.log.error({ ...line, err: describe(error.cause ?? error, dialect) }, message)
  }
}

/** An error as log lines contain it, without the statement and its values, which drivers attach to their errors. */
function describe(error: unknown, dialect: Dialect, { hasStack = true } = {}): object {
  if (!(error instanceof Error)) return { name: typeof error }
  const codes = ['code', 'errno', 'errcode', 'sqlState', 'syscall']
  // The message of a parser quotes what it could not parse.
  const isDiscreet = !(error instanceof SyntaxError) && !dialect.quotesValues(error)
  // Without a prototype, because serializers of loggers prefer the name of the constructor.
  return Object.assign(Object.create(null), {
    name: error.name,
    ...(isDiscreet ? { message: error.message } : {}),
    ...Object.fromEntries(codes.map((key) => [key, membersOf(error)[key]])),
    // The first lines of a stack repeat the message.
    ...(hasStack && { stack: error.stack?.match(/^ +at .*$/gm)?.join('\n') ?? '' }),
  })
}

// The log line of a failure: what an operator needs, without any value that was sent or stored.
import type { FastifyRequest } from 'fastify'
import type { SvcContext } from '../context.ts'
import type { SvcError } from '../errors.ts'
import { hasOwnId, requestIdOf } from './headers.ts'

type Dialect = SvcContext['database']['dialect']

/**
 * One line per failure. Refusals are logged at level debug by their code alone, because their messages repeat what was
 * sent. A refusal with a cause means that a check crashed, which is logged as a warning.
 */
export function failureLog(dialect: Dialect) {
  return (error: SvcError, request: FastifyRequest): void => {
    const { code, statusCode: status, message } = error
    const { method, routeOptions } = request
    // If the id is not the one that the host logs, each line of this request contains it.
    const id = hasOwnId(request) ? {} : { request_id: requestIdOf(request) }
    const line = { ...id, method, route: routeOptions.url, status, code }
    if (status < 500 && error.cause)
      request.log.warn({ ...line, err: describe(error.cause, dialect) }, 'A check crashed.')
    else if (status < 500) request.log.debug(line, 'The request was refused.')
    else request.log.error({ ...line, err: describe(error.cause ?? error, dialect) }, message)
  }
}

/** Leaves out the statement and its values, which drivers attach to their errors. */
function describe(error: unknown, dialect: Dialect): object {
  if (!(error instanceof Error)) return { name: typeof error }
  const codes = ['code', 'errno', 'errcode', 'sqlState', 'syscall']
  // The message of a parser quotes what it could not parse.
  const isDiscreet = !(error instanceof SyntaxError) && !dialect.quotesValues(error)
  // Without a prototype, because serializers of loggers prefer the name of the constructor.
  return Object.assign(Object.create(null), {
    name: error.name,
    ...(isDiscreet ? { message: error.message } : {}),
    ...Object.fromEntries(codes.map((key) => [key, Reflect.get(error, key)])),
    stack: stackOf(error),
  })
}

/** The stack without the lines that repeat the message. */
function stackOf({ stack = '' }: Error): string {
  const lines = stack.split('\n').filter((line) => /^ +at /.test(line))
  return lines.join('\n')
}

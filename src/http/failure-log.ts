// The line that a failure leaves in the host's log: what an operator needs, and nothing that was sent or stored.
import type { FastifyRequest } from 'fastify'
import type { SvcContext } from '../context.ts'
import type { SvcError } from '../errors.ts'
import { hasOwnId, requestIdOf } from './headers.ts'

type Dialect = SvcContext['database']['dialect']

/**
 * One line per failure; refusals at level debug and by their code alone, since their words repeat what was sent. A refusal with
 * a cause is a check that the request broke, which somebody should look at.
 */
export function failureLog(dialect: Dialect) {
  return (error: SvcError, request: FastifyRequest): void => {
    const { code, statusCode: status, message } = error
    const { method, routeOptions } = request
    // Where the id is not the host's, each line of this request bears it.
    const id = hasOwnId(request) ? {} : { request_id: requestIdOf(request) }
    const line = { ...id, method, route: routeOptions.url, status, code }
    if (status < 500 && error.cause)
      request.log.warn({ ...line, err: describe(error.cause, dialect) }, 'A check broke off.')
    else if (status < 500) request.log.debug(line, 'The request was refused.')
    else request.log.error({ ...line, err: describe(error.cause ?? error, dialect) }, message)
  }
}

/** Drivers hang the whole statement with its values on their errors, which stays out. */
function describe(error: unknown, dialect: Dialect): object {
  if (!(error instanceof Error)) return { name: typeof error }
  const codes = ['code', 'errno', 'errcode', 'sqlState', 'syscall']
  // A parser's message shows a piece of what it could not parse.
  const isDiscreet = !(error instanceof SyntaxError) && !dialect.quotesValues(error)
  // Without a prototype: serialisers of loggers put the name of a constructor over that of the error.
  return Object.assign(Object.create(null), {
    name: error.name,
    ...(isDiscreet ? { message: error.message } : {}),
    ...Object.fromEntries(codes.map((key) => [key, Reflect.get(error, key)])),
    stack: stackOf(error),
  })
}

/** Where it happened; the lines before that repeat the message. */
function stackOf({ stack = '' }: Error): string {
  const lines = stack.split('\n').filter((line) => /^ +at /.test(line))
  return lines.join('\n')
}

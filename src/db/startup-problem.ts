// Turns failures of the database while the host starts into one sentence, with a code if a retry may help.
import type { ErrorCode } from '../core/errors.ts'
import { errorCode } from '../core/foreign.ts'
import { mysqlDialect } from './dialects.ts'
import { errnoOf } from './mysql-errors.ts'

/** Errors of a server, or an account, that limits the time of statements. */
const outOfTime = [1969, 3024]

/**
 * The error to throw instead of this one. It has the code `svc_unavailable` if the database is out of reach, so that the host can try again.
 * Errors of other kinds are returned unchanged.
 * @param place host and port of the server, for the message
 */
export function startupProblem(error: unknown, place?: string): unknown {
  if (errorCode(error) === ('svc_unavailable' satisfies ErrorCode)) return error
  if (outOfTime.includes(errnoOf(error)))
    return new Error(
      'database: the server ends statements after too short a time; raise max_execution_time (MySQL) or max_statement_time (MariaDB).',
      { cause: error },
    )
  if (!mysqlDialect.isUnavailable(error)) return error
  // Hosts that start together with their database retry.
  const server = place ? `the server ${place}` : 'the server'
  return Object.assign(new Error(`database: ${server} cannot be reached.`, { cause: error }), {
    code: 'svc_unavailable' satisfies ErrorCode,
  })
}

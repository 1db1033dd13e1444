// What a failure of the database means while the host starts: one sentence, and whether a retry may help.
import type { ErrorCode } from '../core/errors.ts'
import { mysqlDialect } from './dialects.ts'

/** The server, or the account, ends statements after a time. */
const outOfTime = [1969, 3024]

/**
 * Other errors stay as they are; one that may pass has the code `svc_unavailable`.
 * @param place host and port, for messages
 */
export function startupProblem(error: unknown, place?: string): unknown {
  const { errno, code } = Object(error)
  if (code === ('svc_unavailable' satisfies ErrorCode)) return error
  if (outOfTime.includes(errno))
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

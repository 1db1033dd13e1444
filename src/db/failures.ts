// Turns failures of the database into the errors that clients get (`translated`) and that a host gets at its start (`startupProblem`).
import { DeadlineExceeded } from '../core/deadline.ts'
import { type ErrorCode, SvcError } from '../core/errors.ts'
import { errorCode } from '../core/foreign.ts'
import { mixedEngines, outcomeUnknown, storageFull, unavailable } from '../core/unavailable.ts'
import { type Dialect, mysqlDialect } from './dialects.ts'
import { errnoOf, mixedEngines as mixedEnginesErrno } from './mysql-errors.ts'

/**
 * What a response reports for this error: 503 for a failure of the database, by the first cause that applies, 507 for a full disk, also
 * of files; other errors are returned unchanged.
 */
export function translated(error: unknown, dialect: Dialect, tablesWithoutTransactions: string[]): unknown {
  if (error instanceof SvcError) return error
  if (error instanceof DeadlineExceeded && error.isOutcomeOpen) return outcomeUnknown(error)
  if (dialect.isFull(error)) return unavailable('database-full', error)
  if (errnoOf(error) === mixedEnginesErrno) return mixedEngines(tablesWithoutTransactions, error)
  if (error instanceof DeadlineExceeded) return unavailable('deadline', error)
  if (dialect.isRetryable(error)) return unavailable('busy', error)
  if (dialect.isReadOnly(error)) return unavailable('database-read-only', error)
  if (dialect.isServerFailure(error)) return unavailable('database-failed', error)
  if (dialect.isUnavailable(error)) return unavailable('database-unreachable', error)
  return storageFull(error) ?? error
}

/** Errors of a server, or an account, that limits the time of statements. */
const outOfTime = [1969, 3024]

/**
 * The error to throw instead of this one. It has the code `svc_unavailable` if the database is out of reach, so that the host can try
 * again. Errors of other kinds are returned unchanged.
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

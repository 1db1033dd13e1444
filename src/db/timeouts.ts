// Time and size limits of database work, and which connections must not be reused.
import { timeLeft } from '../core/deadline.ts'
import { errorCode } from '../core/foreign.ts'
import { ended, errnoOf, spent } from './mysql-errors.ts'

/** Maximum waits in milliseconds. The deadline of a request may end them earlier. */
export const timeouts = {
  /** For a new connection. */
  connect: 2500,
  /** For a free connection of the pool. */
  acquire: 4000,
  /** For the result of a statement. */
  query: 5000,
  /** For COMMIT and ROLLBACK. Less than `query`, so that time is left to find out whether the COMMIT was done. */
  end: 4000,
  /** For COMMIT and ROLLBACK even after the deadline. */
  leastEnd: 1000,
  /** For the end of a killed session, until it is reported as not ended. */
  kill: 1500,
  /** For which a killed session keeps its place in the pool. */
  hold: 20_000,
  /** For the connections of a pool that is closed, until their sockets are destroyed. */
  quit: 400,
}

/** How long a session of our pool waits for a lock, in seconds. */
export const lockSeconds = 4

/** Maximum bytes of the rows of one query together; a single row may be larger. */
export const maxResultBytes = 64 * 1024 * 1024

/** Strings from this length on are bound, never escaped into a statement. */
export const bindLongerThan = 256 * 1024

/** Milliseconds to wait for the result of a statement; 0 for no limit, as creating a table or an index may take any time. */
export function maxWait(statement: string): number {
  if (/^(?:create|alter)\b/i.test(statement)) return 0
  const endsTransaction = statement === 'commit' || statement === 'rollback'
  return endsTransaction
    ? Math.max(timeouts.leastEnd, timeLeft(timeouts.end))
    : Math.max(1, timeLeft(timeouts.query))
}

/** Whether a connection whose `statement` failed with this error must be closed instead of released. */
export function isSpent(error: unknown, statement: string): boolean {
  const errno = errnoOf(error)
  // An open transaction must not return to the pool, nor a connection that is out of sync with the server, nor one whose
  // session may be ended to find out what became of the statement.
  return statement === 'rollback' || errorCode(error) === timeoutCode || spent.has(errno) || ended.has(errno)
}

/** The error of a caller that got no connection of the pool within `timeouts.acquire`. */
export function poolExhausted(): Error {
  return Object.assign(new Error('No database connection became free in time.'), {
    code: 'SVC_POOL_EXHAUSTED',
  })
}

/** The code that mysql2 gives the error of a statement whose result does not arrive in time. */
export const timeoutCode = 'PROTOCOL_SEQUENCE_TIMEOUT'

/** The same error as that of mysql2, for statements that we stop waiting for. */
export function sequenceTimeout(): Error {
  return Object.assign(new Error('The database did not respond in time.'), { code: timeoutCode })
}

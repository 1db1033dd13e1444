// Time and size limits of database work, and which connections must not be reused.
import { timeLeft } from '../core/deadline.ts'
import { ended, errnoOf, leftToOthers, spent } from './mysql-errors.ts'

/**
 * Maximum waits in milliseconds; the deadline of a request may be earlier. A write without a transaction is given up by the
 * database itself, after `write` and at least `cushion` before its caller gives up. A session that is to be ended is reported after
 * `kill`, and keeps its place in the pool for `hold` at most.
 */
export const timeouts = {
  connect: 2500,
  acquire: 4000,
  query: 5000,
  write: 4000,
  cushion: 500,
  end: 1000,
  kill: 1500,
  hold: 20_000,
  goodbye: 400,
}

/** How long a session of ours waits for a lock, in seconds. */
export const lockSeconds = 4

/** Maximum bytes of the rows of one query together; a single row may be larger. */
export const maxResultBytes = 64 * 1024 * 1024

/** Strings from this length on are bound, never escaped into a statement. */
export const bindLongerThan = 256 * 1024

export function maxWait(statement: string): number {
  // Creating a table or an index has no time limit.
  if (/^(?:create|alter)\b/i.test(statement)) return 0
  const ends = statement === 'commit' || statement === 'rollback'
  // Ending a transaction may take a moment even after the deadline, and leaves time to find out whether it was done.
  return ends ? Math.max(timeouts.end, timeLeft(timeouts.write)) : Math.max(1, timeLeft(timeouts.query))
}

/** Whether a connection whose `statement` failed with this error must be closed instead of released. */
export function isSpent(error: unknown, statement: string): boolean {
  const { code, errno } = Object(error)
  // An open transaction must not return to the pool, nor a connection that is out of sync with the server, nor one whose
  // session may be ended to find out what became of the statement.
  return statement === 'rollback' || code === timeoutCode || spent.has(errno) || ended.has(errno)
}

export function poolExhausted(): Error {
  return Object.assign(new Error('No database connection became free in time.'), {
    code: 'SVC_POOL_EXHAUSTED',
  })
}

export const timeoutCode = 'PROTOCOL_SEQUENCE_TIMEOUT'

/** The error of mysql2 for a statement whose result does not arrive in time. */
export function sequenceTimeout(): Error {
  return Object.assign(new Error('The database did not respond in time.'), { code: timeoutCode })
}

const settles = Symbol('settles')

/** An error after which nobody knows what became of the statement, with what ends its session. */
export const lost = (error: unknown, settle: () => Promise<boolean>): unknown =>
  error instanceof Error ? Object.assign(error, { [settles]: settle }) : error

/** Ends the session of a failed statement, so that it cannot take effect later. @returns whether it is gone */
export const settled = async (error: unknown): Promise<boolean> =>
  !leftToOthers.has(errnoOf(error)) && (await Reflect.get(Object(error), settles)?.()) === true

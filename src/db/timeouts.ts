// How long the database is waited for, and which connections are not used again.
import { timeLeft } from '../deadline.ts'

/** Longest single waits in milliseconds; a request that has less time left waits less. */
export const timeouts = { connect: 2500, acquire: 4000, query: 5000, end: 1000, goodbye: 400 }

/** Bytes that the rows of one query may have together, where they are several; one row may be of any size. */
export const maxResultBytes = 64 * 1024 * 1024

/** Strings of this length and more are never escaped into the text of a statement. */
export const bindLongerThan = 256 * 1024

export function longestWait(statement: string): number {
  // Building a table or an index takes what it takes.
  if (/^(?:create|alter)\b/i.test(statement)) return 0
  // Ending a transaction is worth a wait even when the request's time is up.
  const least = statement === 'commit' || statement === 'rollback' ? timeouts.end : 1
  return Math.max(least, timeLeft(timeouts.query))
}

/** Connections that must not serve again: out of step with the server, or on one that cannot write. */
const spent = new Set([
  'PROTOCOL_SEQUENCE_TIMEOUT',
  'ER_OPTION_PREVENTS_STATEMENT',
  'ER_CANT_EXECUTE_IN_READ_ONLY_TRANSACTION',
  'ER_READ_ONLY_MODE',
  'ER_UNKNOWN_COM_ERROR',
])

/** Whether a connection whose `statement` failed like this must be dropped instead of given back. */
export function isSpent(error: unknown, statement: string): boolean {
  // A transaction that cannot be rolled back must not go back into the pool half open.
  return statement === 'rollback' || spent.has(String(Reflect.get(Object(error), 'code')))
}

export function poolExhausted(): Error {
  return Object.assign(new Error('No database connection became free in time.'), {
    code: 'SVC_POOL_EXHAUSTED',
  })
}

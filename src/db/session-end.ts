// Lets the error of a statement end the session in which the statement ran. The driver of our mysql2 pool attaches the function that
// kills the session; `tookEffect` in transaction.ts calls it if a COMMIT failed and its outcome is unknown.
import { errnoOf, leftToOthers } from './mysql-errors.ts'

const sessionEnd = Symbol('ends the session')

type EndableError = Error & { [sessionEnd]?: () => Promise<boolean> }

/** The error, with the function that kills the session and resolves to whether the session has ended. */
export const withSessionEnd = (error: unknown, kill: () => Promise<boolean>): unknown =>
  error instanceof Error ? Object.assign(error, { [sessionEnd]: kill }) : error

/**
 * Ends the session of a statement that failed with this error, so that the statement cannot take effect later.
 * @returns false if the session may still exist, as always on a Kysely instance of the host
 */
export const endSession = async (error: unknown): Promise<boolean> =>
  !leftToOthers.has(errnoOf(error)) && (await (error as EndableError)[sessionEnd]?.()) === true

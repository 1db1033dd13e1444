// Opens the database for a function of the host, whose changes are reported as those of a server are.

import { changeFeed } from '../changes/changes.ts'
import type { ChangeOptions } from '../changes/options.ts'
import { reportingAs } from '../core/change.ts'
import { warnListenerFailed } from '../db/after-commit.ts'
import { type Connection, connect, type Database, databaseOn } from '../db/connect.ts'
import type { DatabaseSettings } from '../db/options.ts'
import { startupProblem } from '../db/startup-problem.ts'

/**
 * The database on a connection, with the readers of its changes. Events of webhooks are only written: a running server
 * delivers them.
 * @throws Error with a sentence if an option is wrong or a table is missing
 */
export const reportingDatabase = (connection: Connection, options: ChangeOptions): Promise<Database> =>
  databaseOn(connection, changeFeed(connection, options, { failed: warnListenerFailed, warn: () => {} }))

/**
 * Opens the database only for the work, whose changes are those of the operation.
 * @throws Error with a sentence if an option is wrong or the database cannot be used
 */
export async function onDatabase<T>(
  settings: DatabaseSettings & ChangeOptions,
  operation: string,
  work: (database: Database) => Promise<T>,
): Promise<T> {
  const connection = await connect(settings)
  try {
    const database = await reportingDatabase(connection, settings)
    return await reportingAs(operation, () => work(database))
  } catch (error) {
    throw startupProblem(error)
  } finally {
    await connection.close()
  }
}

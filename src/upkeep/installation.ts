// Opens the database, and the storages of an installation, for functions and commands that run outside of a server.
import { changeFeed } from '../changes/changes.ts'
import type { ChangeOptions } from '../changes/options.ts'
import { reportingAs } from '../core/change.ts'
import { warnListenerFailed } from '../db/after-commit.ts'
import { type Connection, connect, type Database, databaseOn } from '../db/connect.ts'
import { startupProblem } from '../db/failures.ts'
import type { DatabaseSettings } from '../db/options.ts'
import { optionsStore } from '../settings/option-rows.ts'
import { localStorage } from '../storage/local.ts'
import { type Storages, storages } from '../storage/storages.ts'
import type { InstallationSettings } from './options.ts'

/**
 * The database on a connection, whose changes are reported as those of a server are. Events of webhooks are only written: a
 * running server delivers them.
 * @throws Error with a sentence if an option is wrong or a table is missing
 */
export const reportingDatabase = (connection: Connection, options: ChangeOptions): Promise<Database> =>
  databaseOn(connection, changeFeed(connection, options, { failed: warnListenerFailed, warn: () => {} }))

/**
 * Opens a connection, runs `work`, and closes it.
 * @throws Error with a sentence if an option is wrong or the database cannot be used
 */
export async function withConnection<T>(
  settings: DatabaseSettings,
  work: (connection: Connection) => Promise<T>,
): Promise<T> {
  const connection = await connect(settings)
  try {
    return await work(connection)
  } catch (error) {
    throw startupProblem(error)
  } finally {
    await connection.close()
  }
}

/** Opens the database, runs `work`, and closes it; changes are reported as those of the operation, such as `migrate`. */
export const withDatabase = <T>(
  settings: DatabaseSettings & ChangeOptions,
  operation: string,
  work: (database: Database) => Promise<T>,
): Promise<T> =>
  withConnection(settings, async (connection) => {
    const database = await reportingDatabase(connection, settings)
    return reportingAs(operation, () => work(database))
  })

/** Opens the database and the storages, runs `work`, and closes them. */
export const withInstallation = <T>(
  settings: InstallationSettings & ChangeOptions,
  operation: string,
  work: (database: Database, storages: Storages) => Promise<T>,
): Promise<T> =>
  withDatabase(settings, operation, (database) => {
    const { uploads, storage } = settings
    const store = optionsStore(database, () => {})
    const local = uploads && localStorage(uploads.dir, uploads.url)
    const files = storages({ local, options: storage, readSettings: (keys) => store.getMany(keys) })
    return work(database, files).finally(() => files.close())
  })

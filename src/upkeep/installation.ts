// Opens the database and the storages of an installation for work outside of a server.
import type { ChangeOptions } from '../changes/options.ts'
import type { Database } from '../db/connect.ts'
import { optionsStore } from '../settings/option-rows.ts'
import { localStorage } from '../storage/local.ts'
import { type Storages, storages } from '../storage/storages.ts'
import type { InstallationSettings } from './options.ts'
import { onDatabase } from './reporting.ts'

/**
 * Runs the work and closes what was opened for it. Its changes are those of the operation.
 * @throws Error with a sentence when the database cannot be used
 */
export async function onInstallation<T>(
  settings: InstallationSettings & ChangeOptions,
  operation: string,
  work: (database: Database, files: Storages) => Promise<T>,
): Promise<T> {
  const { uploads, storage } = settings
  return onDatabase(settings, operation, (database) => {
    const store = optionsStore(database, () => {})
    const local = uploads && localStorage(uploads.dir, uploads.url)
    const files = storages({ local, options: storage, read: (keys) => store.getMany(keys) })
    return work(database, files).finally(() => files.close())
  })
}

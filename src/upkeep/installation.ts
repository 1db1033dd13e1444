// Opens the database and the storages of an installation for work outside of a server.
import type { ChangeOptions } from '../changes/options.ts'
import type { Database, DatabaseSettings } from '../db/connect.ts'
import { optionsStore } from '../settings/option-rows.ts'
import type { StorageOptions } from '../storage/cloud-settings.ts'
import { localStorage } from '../storage/local.ts'
import { type Storages, storages } from '../storage/storages.ts'
import { onDatabase } from './reporting.ts'

/** Where an installation lies, as the API is told it. */
export interface InstallationSettings extends DatabaseSettings {
  /** The CMS's uploads folder and its public URL. Files that lie elsewhere are out of reach. */
  uploads?: { dir: string; url: string }
  /** As the API has it. Default: as the shop's settings say. */
  storage?: StorageOptions
}

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

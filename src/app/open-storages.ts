// Opens the storages of files: the uploads folder, the folder for uploads that have not been checked yet, and remote storages.
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { svcFolders } from '../files/folders.ts'
import type { OptionsStore } from '../settings/option-rows.ts'
import { traced } from '../storage/guarded.ts'
import { type LocalStorage, localStorage as storageIn } from '../storage/local.ts'
import { storages } from '../storage/storages.ts'
import type { SvcContextOptions } from './context-options.ts'
import { withoutSlash } from './site.ts'

/** The folder for uploads that have not been checked yet, if the host has configured no uploads folder. */
const spoolOf = (tempDir = tmpdir()) => ({ dir: join(tempDir, 'svc-api-uploads'), url: '' })

/** Milliseconds between two removals of unfinished uploads. */
const sweepInterval = 10 * 60_000

/** The storage in this folder. Unfinished uploads of processes that have died are removed from it, now and every ten minutes. */
function sweptStorage(app: FastifyInstance, { dir, url }: { dir: string; url: string }): LocalStorage {
  const storage = traced(storageIn(dir, url))
  const sweep = () =>
    Promise.all([svcFolders.assets, svcFolders.fonts].map((folder) => storage.sweep(folder))).catch((error) =>
      app.log.warn(error, 'Unfinished uploads could not be removed.'),
    )
  void sweep()
  const timer = setInterval(sweep, sweepInterval).unref()
  app.addHook('onClose', async () => clearInterval(timer))
  return storage
}

/** Opens the storages that the options and the settings of the shop choose. */
export function openStorages(app: FastifyInstance, options: SvcContextOptions, store: OptionsStore) {
  const uploads = options.uploads && { ...options.uploads, url: withoutSlash(options.uploads.url) }
  const localStorage = uploads && sweptStorage(app, uploads)
  return {
    /** The option `uploads`, its URL without a slash at the end. */
    uploads,
    /** The uploads folder; undefined if the host has configured none. */
    localStorage,
    /** Where files are while they are received and checked. */
    spool: localStorage ?? sweptStorage(app, spoolOf(options.printReady?.tempDir)),
    /** The uploads folder and the remote storages. */
    allStorages: storages({
      local: localStorage,
      options: options.storage,
      readSettings: (keys) => store.getMany(keys),
    }),
  }
}

// The uploads folder of the installation, and the folder for uploads that have not been checked yet.
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { svcFolders } from '../files/folders.ts'
import { traced } from '../storage/guarded.ts'
import { type LocalStorage, localStorage } from '../storage/local.ts'

/** The folder for uploads that have not been checked yet, if the host has configured no uploads folder. */
export const spoolOf = (tempDir = tmpdir()) => ({ dir: join(tempDir, 'svc-api-uploads'), url: '' })

/** Milliseconds. */
const sweepInterval = 10 * 60_000

/** The storage in this folder. Unfinished uploads of processes that have died are removed from it, now and every ten minutes. */
export function sweptStorage(app: FastifyInstance, { dir, url }: { dir: string; url: string }): LocalStorage {
  const storage = traced(localStorage(dir, url))
  const sweep = () =>
    Promise.all([svcFolders.assets, svcFolders.fonts].map((folder) => storage.sweep(folder))).catch((error) =>
      app.log.warn(error, 'Unfinished uploads could not be removed.'),
    )
  void sweep()
  const timer = setInterval(sweep, sweepInterval).unref()
  app.addHook('onClose', async () => clearInterval(timer))
  return storage
}

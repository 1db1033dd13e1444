// The uploads folder of the installation, and the folder of uploads that are not checked yet.
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { svcFolders } from '../files/folders.ts'
import { traced } from '../storage/guarded.ts'
import { type LocalStorage, localStorage } from '../storage/local.ts'

/** A folder of unfinished uploads if there is no uploads folder. */
export const spoolOf = (tempDir = tmpdir()) => ({ dir: join(tempDir, 'svc-api-uploads'), url: '' })

const sweepInterval = 10 * 60_000

/** The uploads folder, from which unfinished uploads of dead processes are removed, now and periodically. */
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

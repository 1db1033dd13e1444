// Whether files can be stored: in the uploads folder, and where new files go if that is a remote storage.
import { randomBytes } from 'node:crypto'
import type { SvcContext } from '../../src/app/context.ts'
import { outsideRequest, within } from '../../src/core/deadline.ts'
import { SvcError } from '../../src/core/errors.ts'
import { svcFolders } from '../../src/files/folders.ts'
import { isLocal, type Target } from '../../src/storage/storages.ts'

export interface RemoteHealth {
  /** `s3`, `dropbox` or the name of a storage of the host's; undefined where the settings name none that can be used. */
  name?: string
  /** Milliseconds to store and remove a file; undefined where that failed. */
  time?: number
  /** What is missing in the settings. */
  problem?: string
}

const bytes = Buffer.from('health')

/** Stores a file under a temporary name in the uploads folder, and removes it again. */
export async function tryUploadsFolder(storage: SvcContext['storage']): Promise<void> {
  const file = await storage?.receive(svcFolders.assets)
  try {
    await file?.write(bytes)
  } finally {
    await file?.discard()
  }
}

/**
 * The remote storage of new files; undefined where they go to the uploads folder.
 * @param timeout milliseconds for each of two steps
 */
export async function remoteHealth(
  storages: SvcContext['storages'],
  timeout: number,
  failed: (error: unknown) => void,
): Promise<RemoteHealth | undefined> {
  let name: string | undefined
  try {
    const target = await within(timeout, () => storages.current())
    if (isLocal(target)) return undefined
    name = target.storage
    const began = performance.now()
    await within(timeout, () => tryRemote(target, timeout))
    return { name, time: Math.round(performance.now() - began) }
  } catch (error) {
    if (error instanceof SvcError && error.code === 'svc_storage_not_configured')
      return { problem: error.message }
    failed(error)
    return name === undefined ? undefined : { name }
  }
}

/** Stores a file and removes it again, even one that arrives late. */
async function tryRemote({ files }: Target, timeout: number): Promise<void> {
  const key = `${svcFolders.assets}/health-${randomBytes(16).toString('hex')}.txt`
  const putting = files.put(key, bytes, { signal: AbortSignal.timeout(timeout) })
  const removed = outsideRequest(() => putting.catch(() => {}).then(() => files.remove(key)))
  await Promise.all([putting, removed])
}

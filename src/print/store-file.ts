// Obtains the file of a job (draws or downloads it) and stores it under a key that the steps table records first.
import { SvcError } from '../core/errors.ts'
import { Abandoned, step } from '../core/step.ts'
import { storageSilent, tryAgain } from '../core/unavailable.ts'
import { isLocal, type Storages, type Target } from '../storage/storages.ts'
import type { Downloaded, Downloader, LocalFile } from './download.ts'
import type { PrintReadySettings } from './options.ts'
import { jobFileOf, newPrintFileKey } from './print-file.ts'
import type { JobNotes } from './print-job-reads.ts'
import { isSameFile, type Lease, type PrintJobSteps, type StepFile } from './print-job-steps.ts'

export interface StoringServices {
  files: Downloader
  storages: Storages
  /** The path that PHP reads for a file on local disk. */
  localFile: (key: string) => string
  steps: PrintJobSteps
  settings: PrintReadySettings
}

/** A file that is drawn here instead of fetched. */
export type DrawFile = (signal: AbortSignal) => Promise<DrawnFile>

export interface DrawnFile extends Downloaded {
  notes: JobNotes
}

export type FileOrigin = { url: URL } | { draw: DrawFile }

export interface FileRequest {
  jobId: number
  origin: FileOrigin
  lease: Lease
  /** Where an earlier attempt intended to store the file. */
  earlier: StepFile | undefined
  /** The error to throw after the lease was lost. */
  lost: () => Promise<SvcError>
  signal: AbortSignal
}

export function fileStore({ files, storages, localFile, steps, settings }: StoringServices) {
  let downloading = 0

  async function fetchOne({ origin, signal }: FileRequest): Promise<Downloaded & { notes?: JobNotes }> {
    if ('draw' in origin) return origin.draw(signal)
    if (downloading >= settings.downloads) {
      throw new SvcError('svc_print_downloads_busy', { headers: { 'retry-after': '10' } })
    }
    downloading++
    try {
      return await files.fetch(origin.url, signal)
    } finally {
      downloading--
    }
  }

  /** A storage that ignores its signal is abandoned. */
  async function inTime<T>(
    { isRemote, stop }: { isRemote: boolean; stop: AbortSignal },
    work: (signal: AbortSignal) => Promise<T>,
    late?: () => Promise<void>,
  ): Promise<T> {
    const seconds = isRemote ? settings.pushSeconds : settings.storingSeconds
    try {
      return await step({ milliseconds: seconds * 1000, stop, late }, work)
    } catch (error) {
      if (!(error instanceof Abandoned)) throw error
      if (isRemote) throw storageSilent(error)
      throw tryAgain({
        reason: 'storage',
        message: 'The file storage did not respond in time; please try again.',
        seconds: 10,
        cause: error,
      })
    }
  }

  const bounds = (stored: { storage: string }, stop: AbortSignal) => ({ isRemote: !isLocal(stored), stop })

  /** Removes a file from its storage. */
  async function remove(file: StepFile, stop: AbortSignal): Promise<void> {
    await inTime(bounds(file, stop), async () => (await storages.at(file)).remove(file.key))
  }

  /** Stores a downloaded file. A failure leaves no file, unless the job still expects this file. */
  async function put(
    { files: storage }: Target,
    stored: StepFile,
    { path }: LocalFile,
    request: FileRequest,
  ) {
    const { jobId, signal } = request
    const undo = async () => {
      if (!isSameFile(await steps.fileOf(jobId), stored)) await storage.remove(stored.key)
    }
    try {
      const work = (ending: AbortSignal) => storage.put(stored.key, { path }, { signal: ending })
      await inTime(bounds(stored, signal), work, undo)
    } catch (error) {
      // The file may have been stored although the response was lost.
      if (!isLocal(stored)) await remove(stored, AbortSignal.timeout(removing)).catch(() => {})
      throw error
    }
  }

  /** A complete local file with its future key: left by a killed process, or downloaded now. */
  async function fetched(request: FileRequest): Promise<{ file: LocalFile; key: string; notes?: JobNotes }> {
    const { earlier } = request
    const staged = earlier && (await files.staged(earlier.key))
    if (staged) return { file: staged, key: earlier.key }
    const file = await fetchOne(request)
    return { file, key: newPrintFileKey(file.name), ...(file.notes && { notes: file.notes }) }
  }

  /**
   * Stores a finished print file under `key`, in the storage for new files, and removes the local file.
   * @returns where it is stored, which the steps table records before
   */
  async function storeFinished(file: LocalFile, key: string, request: FileRequest): Promise<StepFile> {
    const { lease, earlier, lost, signal } = request
    let staged = file
    try {
      const target = await storages.current()
      const stored = { key, storage: target.storage, location: target.location }
      staged = await files.stage(file, key)
      if (!(await lease.downloaded(stored))) throw await lost()
      // Remains of an interrupted attempt. They stay if their storage is no longer configured.
      if (earlier && !isSameFile(earlier, stored)) await remove(earlier, signal).catch(ignoreRemote)
      await put(target, stored, staged, request)
      return stored
    } finally {
      await inTime({ isRemote: false, stop: signal }, () => files.discard(staged))
    }
  }

  async function fetchAndStore(request: FileRequest): Promise<{ file: StepFile; notes?: JobNotes }> {
    const { file, key, ...rest } = await fetched(request)
    return { file: await storeFinished(file, key, request), ...rest }
  }

  /** Whether an earlier attempt stored the whole file. If its storage fails to respond, the file is stored again. */
  async function isWhole(file: StepFile, signal: AbortSignal): Promise<boolean> {
    const find = async () => (await storages.at(file)).stat(file.key)
    const found = inTime(bounds(file, signal), find)
    return (isLocal(file) ? await found : await found.catch(() => undefined)) !== undefined
  }

  return {
    /**
     * Returns where the file is stored.
     * @throws SvcError 413, 422, 502 for the file, 502 for a remote storage that fails, 503 for a storage that is not
     *   configured, or a disk that does not respond
     */
    async obtainAndStore(request: FileRequest): Promise<StepFile> {
      const { jobId, lease, earlier, lost, signal } = request
      const storedEarlier = earlier && (await isWhole(earlier, signal)) ? earlier : undefined
      // The process that stored it was killed before it removed its local copy.
      if (storedEarlier) await files.unstage(storedEarlier.key)
      // Before the download, so that a storage that is not configured costs none.
      if (!storedEarlier) await storages.current()
      const { file, notes } = storedEarlier ? { file: storedEarlier } : await fetchAndStore(request)
      const recorded = await jobFileOf(file, await storages.at(file), localFile)
      if (await lease.stored(recorded, notes)) return file
      // The worker that took over may have continued with this file.
      if (!isSameFile(await steps.fileOf(jobId), file)) await remove(file, signal)
      throw await lost()
    },
  }
}

/** Milliseconds for removing what could not be stored. */
const removing = 2000

function ignoreRemote(error: unknown): void {
  const isRemote = error instanceof SvcError && /^svc_storage_/.test(error.code)
  if (!isRemote) throw error
}

// The steps of complete-job.ts that concern a print file: obtain it (download or draw), stage it (rename it on this machine so that
// another process finds it by its key), record the key in the steps table, put it into the storage, and record in the job where it is.
// What a failed attempt has put is removed, unless the steps table names it: then another attempt may be using it.
import { SvcError } from '../core/errors.ts'
import { Abandoned, step } from '../core/step.ts'
import { storageSilent, tryAgain } from '../core/unavailable.ts'
import { isLocal, type Storages, type Target } from '../storage/storages.ts'
import type { Downloaded, Downloader } from './download.ts'
import type { JobNotes } from './job-data.ts'
import type { PrintReadySettings } from './options.ts'
import { jobFileOf, newPrintFileKey } from './print-file.ts'
import { isSameFile, type Lease, type PrintJobSteps, type StepFile } from './print-job-steps.ts'
import type { LocalFile } from './temporary-files.ts'

export interface StoringServices {
  files: Downloader
  storages: Storages
  /** The path that PHP reads for a file on local disk. */
  localFile: (key: string) => string
  steps: PrintJobSteps
  settings: PrintReadySettings
}

/** Draws the file of a job in a temporary file. */
export type DrawFile = (signal: AbortSignal) => Promise<DrawnFile>

/** A drawn file, and what its job stores about it. */
export interface DrawnFile extends Downloaded {
  notes: JobNotes
}

/** Where the file of a job comes from: it is downloaded or drawn. */
export type FileOrigin = { url: URL } | { draw: DrawFile }

/** A job whose file is obtained and stored by this process. */
export interface FileRequest {
  jobId: number
  origin: FileOrigin
  lease: Lease
  /** Where an earlier attempt intended to store the file. */
  earlierFile: StepFile | undefined
  /** The error to throw after the lease was lost. */
  leaseError: () => Promise<SvcError>
  signal: AbortSignal
}

/** A complete file on this machine, and the key under which it will be stored. */
interface ObtainedFile {
  file: LocalFile
  key: string
  /** Absent for downloaded files. */
  notes?: JobNotes
}

/** Milliseconds for removing a file that could not be stored. */
const removalTime = 2000

/** The steps, for one context: it limits how many files are downloaded at once. */
export function fileStore({ files, storages, localFile, steps, settings }: StoringServices) {
  let downloading = 0

  async function downloadOrDraw({ origin, signal }: FileRequest): Promise<Downloaded & { notes?: JobNotes }> {
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

  /**
   * Runs work on a storage within its time; a storage that ignores its signal is abandoned.
   * @param late is called when abandoned work ends after all
   */
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

  const limitsFor = (file: { storage: string }, stop: AbortSignal) => ({ isRemote: !isLocal(file), stop })

  async function remove(file: StepFile, stop: AbortSignal): Promise<void> {
    await inTime(limitsFor(file, stop), async () => (await storages.at(file)).remove(file.key))
  }

  /** Whether the steps table names this file for the job: recorded by this attempt, or by one that took over and may use it. */
  const isExpected = async (jobId: number, file: StepFile) => isSameFile(await steps.fileOf(jobId), file)

  /**
   * Puts a local file into its storage. After a failure a remote file is removed, because it may have been stored although the response
   * was lost; but not after an abort if the steps table names it, because another worker may be using it already. If abandoned work
   * stores the file after all, it stays if the steps table names it: the next attempt finds it.
   */
  async function put(
    { files: storage }: Target,
    stored: StepFile,
    { path }: LocalFile,
    { jobId, signal }: FileRequest,
  ): Promise<void> {
    const undo = async () => {
      if (!(await isExpected(jobId, stored))) await storage.remove(stored.key)
    }
    try {
      const work = (ending: AbortSignal) => storage.put(stored.key, { path }, { signal: ending })
      await inTime(limitsFor(stored, signal), work, undo)
    } catch (error) {
      const isUsed = signal.aborted && (await isExpected(jobId, stored).catch(() => true))
      if (!isLocal(stored) && !isUsed) await remove(stored, AbortSignal.timeout(removalTime)).catch(() => {})
      throw error
    }
  }

  /** Whether an earlier attempt stored the whole file; false if a remote storage does not respond: it is stored again. */
  async function isStored(file: StepFile, signal: AbortSignal): Promise<boolean> {
    const find = async () => (await storages.at(file)).stat(file.key)
    const stats = inTime(limitsFor(file, signal), find)
    return (isLocal(file) ? await stats : await stats.catch(() => undefined)) !== undefined
  }

  return {
    /** The file that an earlier attempt stored; undefined if there is none. */
    async findStored({ earlierFile, signal }: FileRequest): Promise<StepFile | undefined> {
      if (!earlierFile || !(await isStored(earlierFile, signal))) return undefined
      // The process that stored it was killed before it removed its local copy.
      await files.unstage(earlierFile.key)
      return earlierFile
    },

    /**
     * Downloads or draws the file, or finds the complete one that a killed process left on this machine.
     * @throws SvcError as `fetch` of download.ts does, or what drawing throws; 503 if too many files are being downloaded, or the
     *   storage for new files is not configured
     */
    async obtain(request: FileRequest): Promise<ObtainedFile> {
      // Checked first, so that a storage that is not configured costs no download.
      await storages.current()
      const { earlierFile } = request
      const staged = earlierFile && (await files.staged(earlierFile.key))
      if (staged) return { file: staged, key: earlierFile.key }
      const file = await downloadOrDraw(request)
      return { file, key: newPrintFileKey(file.name), ...(file.notes && { notes: file.notes }) }
    },

    /**
     * Stores the file in the storage for new files, after the steps table has recorded where, and removes the local file.
     * @throws SvcError 502 for a remote storage that fails, 503 for a disk that does not respond, `leaseError`
     */
    async store({ file, key }: ObtainedFile, request: FileRequest): Promise<StepFile> {
      const { lease, earlierFile, leaseError, signal } = request
      let staged = file
      try {
        const target = await storages.current()
        const stored = { key, storage: target.storage, location: target.location }
        staged = await files.stage(file, key)
        if (!(await lease.downloaded(stored))) throw await leaseError()
        // The file of an interrupted attempt is removed, unless its storage is no longer configured.
        if (earlierFile && !isSameFile(earlierFile, stored))
          await remove(earlierFile, signal).catch(unlessStorageFailed)
        await put(target, stored, staged, request)
        return stored
      } finally {
        await inTime({ isRemote: false, stop: signal }, () => files.discard(staged))
      }
    },

    /** Records in the job where its file is stored. @returns the file @throws SvcError `leaseError`, after removing a file that no other worker uses */
    async record(file: StepFile, notes: JobNotes | undefined, request: FileRequest): Promise<StepFile> {
      const { jobId, lease, leaseError, signal } = request
      const jobFile = await jobFileOf(file, await storages.at(file), localFile)
      if (await lease.stored(jobFile, notes)) return file
      // The worker that took over may have continued with this file.
      if (!(await isExpected(jobId, file))) await remove(file, signal)
      throw await leaseError()
    },
  }
}

/** Ignores that a remote storage fails or is not configured. @throws other errors */
function unlessStorageFailed(error: unknown): void {
  const isStorageError = error instanceof SvcError && /^svc_storage_/.test(error.code)
  if (!isStorageError) throw error
}

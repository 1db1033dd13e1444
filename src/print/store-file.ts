// Brings an announced file into a storage, under a key that the steps table knew before: fetched, stored, told.
import { SvcError } from '../errors.ts'
import type { Lease, PrintJobSteps, StepFile } from '../repositories/print-job-steps.ts'
import { isLocal, type Storages, type Target } from '../storage/storages.ts'
import type { Downloaded, Downloader, LocalFile } from './download.ts'
import { jobFileOf, newPrintFileKey } from './print-file.ts'
import type { PrintReadySettings } from './settings.ts'
import { LeftBehind, step } from './step.ts'

interface Services {
  files: Downloader
  storages: Storages
  /** What PHP reads as the place of a file on this machine's disk. */
  localFile: (key: string) => string
  steps: PrintJobSteps
  settings: PrintReadySettings
}

export interface Delivery {
  jobId: number
  url: URL
  lease: Lease
  /** Where an earlier attempt was to store the file. */
  earlier: StepFile | undefined
  /** The error of a hold that was lost. */
  lost: () => Promise<SvcError>
  signal: AbortSignal
}

export function fileStore({ files, storages, localFile, steps, settings }: Services) {
  let downloading = 0

  async function fetchOne({ url, signal }: Delivery): Promise<Downloaded> {
    if (downloading >= settings.downloads) {
      throw new SvcError('svc_print_downloads_busy', { headers: { 'retry-after': '10' } })
    }
    downloading++
    try {
      return await files.fetch(url, signal)
    } finally {
      downloading--
    }
  }

  /** A storage that hangs although it was told to stop is left behind. */
  async function inTime<T>(
    { isRemote, stop }: { isRemote: boolean; stop: AbortSignal },
    work: (signal: AbortSignal) => Promise<T>,
    late?: () => Promise<void>,
  ): Promise<T> {
    const seconds = isRemote ? settings.pushSeconds : settings.storingSeconds
    try {
      return await step({ milliseconds: seconds * 1000, stop, late }, work)
    } catch (error) {
      if (!(error instanceof LeftBehind)) throw error
      if (isRemote) throw new SvcError('svc_storage_unavailable', { cause: error })
      throw new SvcError('svc_unavailable', {
        message: 'The file storage did not respond in time; please try again.',
        headers: { 'retry-after': '10' },
        cause: error,
      })
    }
  }

  const bounds = (place: { storage: string }, stop: AbortSignal) => ({ isRemote: !isLocal(place), stop })

  /** Removes a file from wherever it lies. */
  async function remove(file: StepFile, stop: AbortSignal): Promise<void> {
    await inTime(bounds(file, stop), async () => (await storages.at(file)).remove(file.key))
  }

  const isSame = (one: StepFile | undefined, other: StepFile) =>
    one?.key === other.key && one.storage === other.storage && one.location === other.location

  /** Stores a fetched file. When that fails nothing is left of it, unless the job waits for this very file. */
  async function put(
    target: Target,
    key: string,
    file: LocalFile,
    { jobId, signal }: Delivery,
  ): Promise<void> {
    const stored = { key, storage: target.storage, location: target.location }
    const undo = async () => {
      if (!isSame(await steps.fileOf(jobId), stored)) await target.files.remove(key)
    }
    try {
      await inTime(
        bounds(target, signal),
        (ending) => target.files.put(key, { path: file.path }, { signal: ending }),
        undo,
      )
    } catch (error) {
      // The response may have been lost, and not the file.
      if (!isLocal(target)) await remove(stored, AbortSignal.timeout(removing)).catch(() => {})
      throw error
    }
  }

  /** A whole file on this machine, and the key that it is to have: left by a process that was killed, or fetched now. */
  async function fetched(delivery: Delivery): Promise<{ file: LocalFile; key: string }> {
    const { earlier } = delivery
    const left = earlier && (await files.staged(earlier.key))
    if (left) return { file: left, key: earlier.key }
    const file = await fetchOne(delivery)
    return { file, key: newPrintFileKey(file.name) }
  }

  /** @returns where the file is stored, which the steps table knows by then */
  async function fetchInto(target: Target, delivery: Delivery): Promise<StepFile> {
    const { lease, earlier, lost, signal } = delivery
    const { file, key } = await fetched(delivery)
    const stored = { key, storage: target.storage, location: target.location }
    let staged = file
    try {
      staged = await files.stage(file, key)
      if (!(await lease.downloaded(stored))) throw await lost()
      // Parts of an attempt that ended in the middle. A storage that is not configured any more keeps them.
      if (earlier && !isSame(earlier, stored)) await remove(earlier, signal).catch(ignoreRemote)
      await put(target, key, staged, delivery)
      return stored
    } finally {
      await inTime({ isRemote: false, stop: signal }, () => files.discard(staged))
    }
  }

  /** Whether the file of an earlier attempt was stored whole; where its storage cannot tell, it is stored again. */
  async function isWhole(file: StepFile, signal: AbortSignal): Promise<boolean> {
    const find = async () => (await storages.at(file)).stat(file.key)
    const found = inTime(bounds(file, signal), find)
    return (isLocal(file) ? await found : await found.catch(() => undefined)) !== undefined
  }

  return {
    /**
     * Returns where the whole file is stored.
     * @throws SvcError 413, 422, 502 for the file, 502 for a remote storage that fails, 503 for a storage that is not
     *   configured, or a disk that does not respond
     */
    async bring(delivery: Delivery): Promise<StepFile> {
      const { jobId, lease, earlier, lost, signal } = delivery
      const whole = earlier && (await isWhole(earlier, signal)) ? earlier : undefined
      // It was stored by a process that was killed before it could tidy up.
      if (whole) await files.unstage(whole.key)
      const file = whole ?? (await fetchInto(await storages.current(), delivery))
      const about = await jobFileOf(file, await storages.at(file), localFile)
      if (await lease.stored(about)) return file
      // Whoever took over may have found this very file and gone on with it.
      if (!isSame(await steps.fileOf(jobId), file)) await remove(file, signal)
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

// Brings an announced file into the storage, under a key that the steps table knew before: fetched, moved, told.
import { SvcError } from '../errors.ts'
import type { Lease, PrintJobSteps } from '../repositories/print-job-steps.ts'
import type { FileStorage } from '../storage/storage.ts'
import type { Downloaded, Downloader } from './download.ts'
import { newPrintFileKey } from './print-file.ts'
import type { PrintReadySettings } from './settings.ts'
import { LeftBehind, step } from './step.ts'

interface Services {
  files: Downloader
  /** Undefined where the host names no uploads folder. */
  storage: FileStorage | undefined
  /** What PHP reads as the place of a stored file. */
  localFile: (key: string) => string
  steps: PrintJobSteps
  settings: PrintReadySettings
}

/** A file that is drawn here instead of fetched. */
export type Maker = (signal: AbortSignal) => Promise<Made>

export interface Made extends Downloaded {
  /** Sentences that the job keeps. */
  warnings: string[]
}

export type Source = { url: URL } | { make: Maker }

export interface Delivery {
  jobId: number
  source: Source
  lease: Lease
  /** The key that an earlier attempt chose. */
  earlier: string | undefined
  /** The error of a hold that was lost. */
  lost: () => Promise<SvcError>
  signal: AbortSignal
}

export function fileStore({ files, storage, localFile, steps, settings }: Services) {
  let downloading = 0

  async function fetchOne({ source, signal }: Delivery): Promise<Downloaded & { warnings?: string[] }> {
    if ('make' in source) return source.make(signal)
    if (downloading >= settings.downloads) {
      throw new SvcError('svc_print_downloads_busy', { headers: { 'retry-after': '10' } })
    }
    downloading++
    try {
      return await files.fetch(source.url, signal)
    } finally {
      downloading--
    }
  }

  /** Storages take no signal, so that one that hangs is left behind. */
  async function inTime<T>(
    stop: AbortSignal,
    work: () => Promise<T>,
    late?: () => Promise<void>,
  ): Promise<T> {
    try {
      return await step({ milliseconds: settings.storingSeconds * 1000, stop, late }, work)
    } catch (error) {
      if (!(error instanceof LeftBehind)) throw error
      throw new SvcError('svc_unavailable', {
        message: 'The file storage did not respond in time; please try again.',
        headers: { 'retry-after': '10' },
        cause: error,
      })
    }
  }

  async function fetchInto(target: FileStorage, delivery: Delivery) {
    const { jobId, lease, earlier, lost, signal } = delivery
    const file = await fetchOne(delivery)
    try {
      const key = newPrintFileKey(file.name)
      if (!(await lease.downloaded(key))) throw await lost()
      const put = async () => {
        // Parts of an attempt that ended in the middle.
        if (earlier !== undefined) await target.remove(earlier)
        await target.put(key, file)
      }
      // What comes after all stays where the job still waits for this very file.
      await inTime(signal, put, async () => {
        if ((await steps.fileOf(jobId)) !== key) await target.remove(key)
      })
      return { key, warnings: file.warnings }
    } finally {
      await inTime(signal, () => files.discard(file))
    }
  }

  return {
    /**
     * Returns the key under which the whole file is stored.
     * @throws SvcError 413, 422, 502 for the file, 503 for a storage that is missing or does not respond
     */
    async bring(delivery: Delivery): Promise<string> {
      if (!storage) throw new SvcError('svc_storage_not_configured')
      const { jobId, lease, earlier, lost, signal } = delivery
      const isWhole =
        earlier !== undefined && (await inTime(signal, () => storage.stat(earlier))) !== undefined
      const { key, warnings } = isWhole
        ? { key: earlier, warnings: undefined }
        : await fetchInto(storage, delivery)
      if (await lease.stored(localFile(key), warnings)) return key
      // Whoever took over may have found this very file and gone on with it.
      if ((await steps.fileOf(jobId)) !== key) await inTime(signal, () => storage.remove(key))
      throw await lost()
    },
  }
}

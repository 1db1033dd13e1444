// The services of this room together: who completes print jobs, who hands orders over, who waits for them, who tidies up.
import type { Database } from '../db/connect.ts'
import type { OptionsStore } from '../options/store.ts'
import { type PrintedOrders, type PrintfulOptions, printfulProvider } from '../print-providers/printful.ts'
import type { PrintProvider } from '../print-providers/provider.ts'
import { printJobSteps } from '../repositories/print-job-steps.ts'
import { hasEnded, type PrintJob, printJobsRepository } from '../repositories/print-jobs.ts'
import { isLocal, type Storages } from '../storage/storages.ts'
import { jobCompleter, type PrintJobChange } from './complete-job.ts'
import { type ExportServiceOptions, exporter } from './export.ts'
import { jobWaiters } from './job-waiters.ts'
import { pictureKeys } from './pictures.ts'
import { storedFile } from './print-file.ts'
import type { PrintReadySettings } from './settings.ts'

export interface PrintingSettings {
  database: Database
  options: OptionsStore
  storages: Storages
  /** The path that PHP reads for a file on local disk. */
  localFile: (key: string) => string
  settings: PrintReadySettings
  /** The host's own; without one orders go to Printful, once its token is set. */
  provider: PrintProvider | undefined
  printful: PrintfulOptions | undefined
  /** The shop's orders, as far as a print provider needs them. */
  printedOrders: PrintedOrders
  exportService: ExportServiceOptions | undefined
  /** URL of the webhook's namespace. */
  webhookBase: string
  /** Called after commit. */
  changed: (change: PrintJobChange) => Promise<void>
  /** Called for failures outside of requests. */
  warn: (error: unknown, message: string) => void
}

/** @throws Error with a sentence when an option is wrong */
export function printing(given: PrintingSettings) {
  const { database, options, storages, localFile, settings, webhookBase, warn } = given
  const jobs = printJobsRepository(database)
  const waiters = jobWaiters({ ended: jobs.ended })
  const changed = async (change: PrintJobChange) => {
    if (hasEnded(change.status)) waiters.wake(change.id)
    await given.changed(change)
  }
  /** By the token of this moment, which may be set, changed and removed while the server runs. */
  async function provider(): Promise<PrintProvider | undefined> {
    if (given.provider) return given.provider
    const token = (await options.get('svc_printful_api_key'))?.trim()
    return token
      ? printfulProvider({ token, url: given.printful?.url, orders: given.printedOrders })
      : undefined
  }
  const completer = jobCompleter({ database, storages, localFile, settings, provider, changed })
  const exports = exporter({
    service: given.exportService,
    options,
    jobs,
    completer,
    waiters,
    webhookBase,
    changed,
    failed: (error) => warn(error, 'A print file that was ready at once could not be taken.'),
  })
  const sweep = () =>
    completer.sweep().catch((error) => warn(error, 'Old temporary files could not be removed.'))
  void sweep()
  const sweeping = setInterval(sweep, settings.sweepSeconds * 1000).unref()

  const steps = printJobSteps(database, settings.leaseSeconds)

  return {
    completer,
    exporter: exports,

    /**
     * Removes the files of a job, wherever they lie.
     * @throws SvcError 502, 503 where a storage cannot be reached or is not configured any more
     */
    async removeFiles({ id, file }: Pick<PrintJob, 'id' | 'file'>): Promise<void> {
      for (const known of [storedFile(file), await steps.fileOf(id)]) {
        if (!known || (isLocal(known) && !storages.local)) continue
        const files = await storages.at(known)
        for (const picture of await pictureKeys(files, known.key)) await files.remove(picture)
        await files.remove(known.key)
      }
    },

    /** Aborts everything that requests wait for. */
    stop(): void {
      completer.stop()
      exports.stop()
    },

    /** The same, and waits for the work that went on without a request; at most eight seconds. */
    async close(): Promise<void> {
      clearInterval(sweeping)
      exports.stop()
      await completer.close()
    },
  }
}

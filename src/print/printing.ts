// Creates the print services of a context and connects them: exports, the completion of jobs (complete-job.ts tells the story of a
// print file), deliveries, the renderer, and the work in the background.
import type { RendererOptions } from '../renderer/renderer-options.ts'
import { isLocal } from '../storage/storages.ts'
import { jobCompleter, type PrintJobChange } from './complete-job.ts'
import { deliveries } from './deliveries.ts'
import type { DeliverOptions } from './delivery-options.ts'
import { type DesignFiles, designRenderer } from './design-renderer.ts'
import { type ExportServices, exporter } from './export.ts'
import { jobWaiters } from './job-waiters.ts'
import type { ExportServiceOptions, PrintfulOptions } from './options.ts'
import { removeWithPictures } from './pictures.ts'
import { storedFile } from './print-file.ts'
import { hasEnded, type PrintJob } from './print-job-reads.ts'
import { printJobSteps } from './print-job-steps.ts'
import { printJobsRepository } from './print-jobs.ts'
import { type ProviderOrders, printfulProvider } from './providers/printful.ts'
import type { PrintProvider } from './providers/provider.ts'
import type { StoringServices } from './store-file.ts'

export interface PrintingSettings
  extends Omit<ExportServices, 'jobs' | 'completer' | 'waiters' | 'renderer' | 'service' | 'failed'>,
    Omit<DesignFiles, 'download'>,
    Pick<StoringServices, 'localFile' | 'settings'> {
  /** The host's provider; default: Printful, if its token is set. */
  provider: PrintProvider | undefined
  printful: PrintfulOptions | undefined
  /** The shop's orders, as far as a print provider needs them. */
  providerOrders: ProviderOrders
  exportService: ExportServiceOptions | undefined
  /** Where finished files are copied to; undefined if nowhere. */
  deliver: DeliverOptions | undefined
  /** Undefined if it is disabled. */
  renderer: RendererOptions | undefined
}

/** The print services; starts their work in the background, which `close` ends. @throws Error with a sentence if an option is wrong */
export function printing(services: PrintingSettings) {
  const { database, options, storages, localFile, settings, warn } = services
  const jobs = printJobsRepository(database)
  const waiters = jobWaiters({ ended: jobs.ended })
  const delivery = services.deliver && deliveries({ ...services, jobs }, services.deliver)
  const changed = async (change: PrintJobChange) => {
    if (change.status === 'completed') delivery?.kick()
    if (hasEnded(change.status)) waiters.wake(change.id)
    await services.changed(change)
  }
  /** Reads the token each time, because it may change while the server runs. */
  async function provider(): Promise<PrintProvider | undefined> {
    if (services.provider) return services.provider
    const token = (await options.get('svc_printful_api_key'))?.trim()
    return token
      ? printfulProvider({ token, url: services.printful?.url, orders: services.providerOrders })
      : undefined
  }
  const completer = jobCompleter({
    database,
    storages,
    localFile,
    settings,
    provider,
    changed,
    delivers: delivery !== undefined,
  })
  const renderer =
    services.renderer && designRenderer({ ...services, download: settings.download }, services.renderer)
  const exports = exporter({
    ...services,
    service: services.exportService,
    renderer,
    jobs,
    completer,
    waiters,
    changed,
    failed: (error) => warn(error, 'A print file could not be downloaded or drawn.'),
  })
  const sweep = () =>
    Promise.all([completer.sweep(), renderer?.sweep()]).catch((error) =>
      warn(error, 'Old temporary files could not be removed.'),
    )
  let isResuming = false
  const resume = async () => {
    if (isResuming) return
    isResuming = true
    await exports.resume().catch((error) => warn(error, 'Unfinished print jobs could not be resumed.'))
    isResuming = false
  }
  void sweep()
  void resume()
  const sweeping = setInterval(() => {
    void sweep()
    void resume()
  }, settings.sweepSeconds * 1000).unref()

  const steps = printJobSteps(database, settings.leaseSeconds)

  return {
    completer,
    exporter: exports,
    renderer,
    /** The queue of deliveries; undefined if the host has not configured a target. */
    deliveries: delivery?.queue,
    /** Looks at once for files to deliver. */
    deliverNow: () => delivery?.kick(),

    /**
     * Removes the files of a job from their storages.
     * @throws SvcError 502, 503 if a storage cannot be reached or is no longer configured
     */
    async removeFiles({ id, file }: Pick<PrintJob, 'id' | 'file'>): Promise<void> {
      for (const location of [storedFile(file), await steps.fileOf(id)]) {
        if (!location || (isLocal(location) && !storages.local)) continue
        await removeWithPictures(await storages.at(location), location.key)
      }
    },

    /** Aborts everything that requests wait for. */
    stop(): void {
      delivery?.stop()
      completer.stop()
      exports.stop()
      renderer?.stop()
    },

    /** Stops, and waits at most eight seconds for work that continues without a request. */
    async close(): Promise<void> {
      clearInterval(sweeping)
      exports.stop()
      renderer?.stop()
      await Promise.all([completer.close(), delivery?.close()])
    },
  }
}

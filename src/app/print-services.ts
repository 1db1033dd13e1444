// The services that print: the orders that are printed, the work on print jobs, automatic printing, and the form of a preflight.
import { join } from 'node:path'
import type { Database } from '../db/connect.ts'
import type { Totals } from '../db/totals.ts'
import { autoPrinting } from '../orders/auto-printing.ts'
import { fileNames, storedFileName } from '../orders/file-names.ts'
import { ordersOf } from '../orders/orders.ts'
import { storedPrintableStatuses } from '../orders/printable.ts'
import { providerOrders } from '../orders/provider-orders.ts'
import { ticketFile } from '../orders/ticket-file.ts'
import { orderOfJob } from '../orders/whole-order.ts'
import type { PrintJobChange } from '../print/complete-job.ts'
import { type ExportOverrides, exportSettingKeys, settingsOfExport } from '../print/export-request.ts'
import type { PrintReadySettings } from '../print/options.ts'
import { printing as printingOn } from '../print/printing.ts'
import { maxMegapixels } from '../renderer/picture-setting.ts'
import { type UploadedFont, type UploadedPicture, uploadWarnings } from '../renderer/upload-warnings.ts'
import type { CmsOptions } from '../settings/cms.ts'
import { profileOutput, type uploadLimits } from '../settings/master-profile.ts'
import type { OptionsStore } from '../settings/option-rows.ts'
import type { UploadsOptions } from '../storage/options.ts'
import type { Storages } from '../storage/storages.ts'
import type { SvcContextOptions } from './context-options.ts'
import type { HostListeners } from './host-listeners.ts'
import type { Site } from './site.ts'

/** What `printServices` makes. */
export type PrintServices = ReturnType<typeof printServices>

/** Services of the context that printing needs. */
interface Services {
  database: Database
  cms: CmsOptions
  store: OptionsStore
  listeners: HostListeners
  totals: Totals
  site: Site
  uploads: UploadsOptions | undefined
  storages: Storages
  uploadLimits: ReturnType<typeof uploadLimits>
  printReady: PrintReadySettings
}

interface Log {
  warn(details: object, message: string): void
}

/**
 * Builds the services that print. Work on print jobs begins at once; automatic printing begins when the context starts it. The context
 * ends both.
 */
export function printServices(log: Log, options: SvcContextOptions, services: Services) {
  const { database, cms, store, listeners, totals, site, uploads, storages, printReady } = services
  const minDpi = async () => (await services.uploadLimits()).picture.minDpi
  const output = profileOutput(database)
  const printableStatuses = async (): Promise<readonly string[]> =>
    options.printableStatuses ?? (await storedPrintableStatuses(store))
  const orders = ordersOf(database, cms)
  const names = fileNames(orders, cms, async () => options.fileName ?? (await storedFileName(store)))
  const rendererOptions = options.renderer === true ? {} : options.renderer || undefined
  const pictureMegapixels = maxMegapixels(store, rendererOptions?.pictureMegapixels)

  const printing = printingOn({
    database,
    options: store,
    storages,
    localFile: (key) => (uploads ? join(uploads.dir, key) : key),
    settings: printReady,
    provider: options.printProvider,
    printful: options.printful,
    providerOrders: providerOrders({ database, cms, metaChanged: listeners.metaChanged }),
    exportService: options.exportService,
    deliver: options.deliver,
    renderer: rendererOptions,
    uploadsUrl: uploads?.url,
    siteUrl: site.url,
    pictureMegapixels,
    minDpi,
    output,
    orderOfJob: orderOfJob(orders, printableStatuses),
    fileNames: names,
    ticketsOf: ticketFile({ database, cms, orders, printable: printableStatuses, deskUrl: options.deskUrl }),
    webhookBase: `${site.restBase}/svc-export/v1.0`,
    changed: async (change: PrintJobChange) => {
      totals.forget()
      return listeners.printJobChanged(change)
    },
    warn: (error, message) => log.warn({ err: error }, message),
  })

  const autoPrint = autoPrinting({
    database,
    cms,
    orders,
    options: store,
    exporter: printing.exporter,
    printable: printableStatuses,
    option: options.autoPrint,
    statuses: options.printableStatuses,
    atOnce: printing.renderer?.atOnce ?? 1,
    warn: (details, message) => log.warn(details, message),
  })

  /** How a preflight would print: an export with the settings of the shop, except for those that the caller names. */
  async function preflightForm(overrides: ExportOverrides = {}) {
    const [settings, profile] = await Promise.all([store.getMany(exportSettingKeys), output()])
    const form = settingsOfExport(overrides, settings, profile)
    const { output_format: format, dpi, mirror = false, outlines = false } = form
    return { minDpi: await minDpi(), output: profile, format, dpi, mirror, outlines }
  }

  return {
    printing,
    autoPrint,
    printableStatuses,
    fileNames: names,
    /** The option `renderer`; undefined if the renderer is off. */
    rendererOptions,
    /** Maximum size of pictures. */
    pictureMegapixels,
    preflightForm,

    /** What the renderer refuses or prints otherwise of an uploaded file; empty if it is off. */
    async uploadWarnings(upload: UploadedFont | UploadedPicture, sender: string): Promise<string[]> {
      if (!printing.renderer) return []
      const settings = async () => ({ ...(await preflightForm()), mirror: false, client: `upload ${sender}` })
      return uploadWarnings(printing.renderer, upload, settings)
    },
  }
}

// Builds the services once per registration and provides them to every group of that scope.
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { titleList } from '../catalog/title-list.ts'
import { changeFeed, endLeftoverEvents } from '../changes/changes.ts'
import { reportingAs } from '../core/change.ts'
import { uploadTime } from '../core/deadline.ts'
import { assertInstalled } from '../core/installed.ts'
import type { Principal } from '../core/principal.ts'
import { type ListenerFailed, notifyListener } from '../db/after-commit.ts'
import { type Connection, connect, databaseOn } from '../db/connect.ts'
import { type Idempotency, idempotencyRepository } from '../db/idempotency.ts'
import { isNewFile } from '../db/inspect.ts'
import { migrateTables } from '../db/migrate.ts'
import { startupProblem } from '../db/startup-problem.ts'
import { totals } from '../db/totals.ts'
import { fileChecks } from '../files/accept.ts'
import { svcFolders } from '../files/folders.ts'
import { misreadsNames } from '../json/parse.ts'
import { importLegacy } from '../legacy/import.ts'
import { legacyMirror } from '../legacy/mirror.ts'
import { importRecordKey } from '../legacy/rows.ts'
import { autoPrinting } from '../orders/auto-printing.ts'
import { fileNames, storedFileName } from '../orders/file-names.ts'
import { ordersOf } from '../orders/orders.ts'
import { storedPrintableStatuses } from '../orders/printable.ts'
import { providerOrders } from '../orders/provider-orders.ts'
import type { MetaChange } from '../orders/source.ts'
import { ticketFile } from '../orders/ticket-file.ts'
import { orderOfJob } from '../orders/whole-order.ts'
import type { PrintJobChange } from '../print/complete-job.ts'
import { type ExportOverrides, exportOptions, exportSettings } from '../print/export-request.ts'
import { printReadySettings } from '../print/options.ts'
import { printing } from '../print/printing.ts'
import { missingFiles } from '../renderer/missing-files.ts'
import { maxMegapixels } from '../renderer/picture-setting.ts'
import { type UploadedFont, type UploadedPicture, uploadWarnings } from '../renderer/upload-warnings.ts'
import { accessControl } from '../settings/access.ts'
import { settingsCatalog } from '../settings/catalog.ts'
import { cmsOptions } from '../settings/cms.ts'
import { profileOutput, uploadLimits } from '../settings/master-profile.ts'
import { type NamedTokens, namedTokens } from '../settings/named-tokens.ts'
import { optionsStore } from '../settings/option-rows.ts'
import { assertFolder } from '../storage/local.ts'
import { storages } from '../storage/storages.ts'
import type { OrderCreated, SvcContextOptions } from './context-options.ts'
import { basePath, siteOf, withoutSlash } from './site.ts'
import { spoolOf, sweptStorage } from './uploads-folder.ts'

/** The services of a registration. */
export interface SvcContext extends Awaited<ReturnType<typeof contextOn>> {}

const nonTransactional =
  'These tables have no transactions (MyISAM): a write to several rows that fails may be left half done.'

const refusesMixed =
  'These tables have no transactions (MyISAM), and this server (enforce_gtid_consistency) refuses to write to them and to others in one transaction: many writes will fail until they are converted with ALTER TABLE … ENGINE=InnoDB.'

const misreading =
  'This version of Node.js misreads escaped names in JSON once it has read certain others (nodejs/node#63785). svc-api reads JSON in a way that avoids the fault; other routes of this app are exposed to it.'

const contextKey: unique symbol = Symbol('svc-api context')

declare module 'fastify' {
  interface FastifyInstance {
    [contextKey]?: SvcContext
  }
}

const MiB = 1024 * 1024

/**
 * Connects and builds the services. Closes what it opened together with the app.
 * @param restPath path of the REST root as this app serves it
 * @throws Error with one sentence if an option is invalid, tables are missing or the database cannot be used
 */
export async function createContext(
  app: FastifyInstance,
  options: SvcContextOptions,
  restPath = basePath(options.baseUrl),
): Promise<SvcContext> {
  assertInstalled()
  const { uploads, printReady } = options
  if (uploads) await assertFolder('uploads.dir', uploads.dir)
  if (printReady?.tempDir !== undefined) await assertFolder('printReady.tempDir', printReady.tempDir)
  const connection = await connect(options)
  let closed: Promise<void> | undefined
  const close = () => {
    closed ??= connection.close()
    return closed
  }
  // Added first, because onClose hooks run last to first, and the others still write to the database.
  app.addHook('onClose', close)
  try {
    return { ...(await contextOn(connection, app, options, restPath)), operations: [] }
  } catch (error) {
    // An app that fails to start is not always closed.
    await close()
    throw startupProblem(error)
  }
}

async function contextOn(
  connection: Connection,
  app: FastifyInstance,
  options: SvcContextOptions,
  restPath: string,
) {
  const catalog = settingsCatalog(options.settings)
  const { migrate = await isNewFile(connection.db, connection.dialect) } = options
  if (migrate) {
    const { indexes = false } = migrate === true ? {} : migrate
    await migrateTables(connection.db, connection.dialect, connection.t, { indexes })
  }
  const failed: ListenerFailed = (message, error) => app.log.error({ err: error }, message)
  const warn = (details: object, message: string) => app.log.warn(details, message)
  const changes = changeFeed(connection, options, { failed, warn })
  const database = await databaseOn(connection, changes, [
    ...(options.autoPrint ? (['auto_prints'] as const) : []),
    ...(options.deliver ? (['print_deliveries'] as const) : []),
  ])
  const optionsChanged = (keys: string[]) =>
    notifyListener('onOptionsChanged', options.onOptionsChanged, keys, failed)
  const imported = migrate ? await reportingAs('migrate', () => importLegacy(database)) : []
  if (imported.length > 0) await optionsChanged([importRecordKey])
  const { tablesWithoutTransactions: tables, mixesEngines } = database
  if (tables.length > 0) app.log.warn({ tables }, mixesEngines ? nonTransactional : refusesMixed)
  if (misreadsNames()) app.log.info(misreading)
  const cms = cmsOptions(database)
  const store = optionsStore(database, (keys) => {
    access.forget()
    return optionsChanged(keys)
  })
  const access = accessControl(store)
  const totalsCache = totals()
  const uploads = options.uploads && { ...options.uploads, url: withoutSlash(options.uploads.url) }
  const storage = uploads && sweptStorage(app, uploads)
  const spool = storage ?? sweptStorage(app, spoolOf(options.printReady?.tempDir))
  const placed = storages({ local: storage, options: options.storage, read: (keys) => store.getMany(keys) })
  const printReady = printReadySettings(options.printReady)
  const siteUrl = options.siteUrl ?? (await cms.getMany(['home'])).get('home')
  const site = siteOf(siteUrl, restPath)
  const jobChanged = async (change: PrintJobChange) => {
    totalsCache.forget()
    return notifyListener('onPrintJobChanged', options.onPrintJobChanged, change, failed)
  }
  const limitsOf = uploadLimits(database, store)
  const printOutput = profileOutput(database)
  const metaChanged = (change: MetaChange) =>
    notifyListener('onMetaChanged', options.onMetaChanged, change, failed)
  const printableStatuses = async (): Promise<readonly string[]> =>
    options.printableStatuses ?? (await storedPrintableStatuses(store))
  const orders = ordersOf(database, cms)
  const names = fileNames(orders, cms, async () => options.fileName ?? (await storedFileName(store)))
  const renderer = options.renderer === true ? {} : options.renderer || undefined
  const pictureMegapixels = maxMegapixels(store, renderer?.pictureMegapixels)
  const checks = fileChecks({ megapixels: pictureMegapixels })
  const print = printing({
    database,
    options: store,
    storages: placed,
    localFile: (key) => (uploads ? join(uploads.dir, key) : key),
    settings: printReady,
    provider: options.printProvider,
    printful: options.printful,
    providerOrders: providerOrders({ database, cms, metaChanged }),
    exportService: options.exportService,
    deliver: options.deliver,
    renderer,
    uploadsUrl: uploads?.url,
    siteUrl: site.url,
    pictureMegapixels,
    minDpi: async () => (await limitsOf()).picture.minDpi,
    output: printOutput,
    orderOfJob: orderOfJob(orders, printableStatuses),
    fileNames: names,
    ticketsOf: ticketFile({ database, cms, orders, printable: printableStatuses, deskUrl: options.deskUrl }),
    webhookBase: `${site.restBase}/svc-export/v1.0`,
    changed: jobChanged,
    warn: (error, message) => app.log.warn({ err: error }, message),
  })
  /** The print that a preflight checks: an export with the settings of the shop, unless the caller names others. */
  async function preflightForm(overrides: ExportOverrides = {}) {
    const [settings, output] = await Promise.all([store.getMany(exportSettings), printOutput()])
    const form = exportOptions(overrides, settings, output)
    const { output_format: format, dpi, mirror = false, outlines = false } = form
    return { minDpi: (await limitsOf()).picture.minDpi, output, format, dpi, mirror, outlines }
  }
  const autoPrint = autoPrinting({
    database,
    cms,
    orders,
    options: store,
    exporter: print.exporter,
    printable: printableStatuses,
    option: options.autoPrint,
    statuses: options.printableStatuses,
    atOnce: print.renderer?.atOnce ?? 1,
    warn,
  })
  // The server waits for running requests, which wait for their print jobs.
  app.addHook('preClose', async () => {
    autoPrint.stop()
    print.stop()
  })
  app.addHook('onClose', () =>
    Promise.all([print.close(), checks.close(), changes?.close(), autoPrint.close()]).finally(() =>
      placed.close(),
    ),
  )
  changes?.start()
  autoPrint.start()
  if (!options.webhooks?.length && database.tables.has('api_outbox')) {
    const pendingEvents = endLeftoverEvents(database, warn)
    app.addHook('onClose', async () => pendingEvents.stop())
  }
  return {
    database,
    options: store,
    /** Option rows of legacy PHP. */
    legacy: legacyMirror(database, store, warn),
    cms,
    catalog,
    access,
    namedTokens: namedTokens(database) as NamedTokens,
    /** The host's own authentication. */
    authenticate: options.authenticate,
    /** The senders of requests that this process sends itself, by an id in a header; see `sendAs`. */
    senders: new Map<string, Principal>(),
    totals: totalsCache,
    titles: titleList(database),
    idempotency: idempotencyRepository(database) as Idempotency,
    site,
    uploads,
    /** Files below the uploads folder; undefined if the host has configured none. */
    storage,
    /** The storages: each row's file is in one of them, and new files go to one. */
    storages: placed,
    /**
     * The folder for uploads of assets that wait for their checks.
     * @throws SvcError 503 before the file is received, if no storage is configured for it
     */
    async assetSpool() {
      await placed.current()
      return spool
    },
    uploadSeconds: options.uploadSeconds ?? uploadTime.receive / 1000,
    uploadLimits: limitsOf,
    /** Names of the uploaded font files; undefined without an uploads folder. */
    fontFiles: async () => storage?.list(svcFolders.fonts),
    /** Looks for the fonts and pictures of a written design. */
    missingFiles: missingFiles({
      storage,
      uploadsUrl: uploads?.url,
      siteUrl: site.url,
      formerHosts: renderer?.formerHosts,
      fonts: renderer && { substitutes: renderer.fonts ?? {}, strict: renderer.strictFonts ?? false },
    }),
    preflightForm,
    /** What the renderer refuses or prints otherwise of an uploaded file; empty if it is off. */
    async uploadWarnings(upload: UploadedFont | UploadedPicture, sender: string): Promise<string[]> {
      if (!print.renderer) return []
      const settings = async () => ({ ...(await preflightForm()), mirror: false, client: `upload ${sender}` })
      return uploadWarnings(print.renderer, upload, settings)
    },
    checks,
    printReady,
    jobCompleter: print.completer,
    exporter: print.exporter,
    removePrintFiles: print.removeFiles,
    deliveries: print.deliveries,
    deliverNow: print.deliverNow,
    renderer: print.renderer,
    printableStatuses,
    /** Public address of the desk. */
    deskUrl: options.deskUrl,
    fileNames: names,
    autoPrint,
    /** Seconds that an export waits for its file. */
    exportWait: options.export?.wait ?? 30,
    orderCreated: (order: OrderCreated) =>
      notifyListener('onOrderCreated', options.onOrderCreated, order, failed),
    metaChanged,
    /** The stored history of changes, for pages that show it. */
    keeps: { audit: Boolean(options.audit), webhooks: Boolean(options.webhooks?.length) },
    bodyLimits: { blob: 8 * MiB, json: MiB, ...options.bodyLimits },
    /** Names of the groups that this scope serves. */
    groups: new Set<string>(),
  }
}

/** Provides the services to this scope and its child scopes. */
export function provideContext(app: FastifyInstance, context: SvcContext): void {
  app.decorate(contextKey, context)
}

/** The services of this scope; undefined if no context plugin was registered in it. */
export const contextIn = (app: FastifyInstance): SvcContext | undefined => app[contextKey]

/**
 * The services of this scope.
 * @throws Error if no context plugin was registered in it
 */
export function contextOf(app: FastifyInstance): SvcContext {
  const context = contextIn(app)
  if (!context) throw new Error('svc-api: register the context plugin in this scope before its groups.')
  return context
}

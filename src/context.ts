// Builds the services once per registration and provides them to every group of that scope.
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { type Listener, type ListenerFailed, notifyListener } from './db/after-commit.ts'
import { type Connection, connect, type Database, type DatabaseSettings, databaseOn } from './db/connect.ts'
import { type MigrateOptions, migrateTables } from './db/migrate.ts'
import { uploadTime } from './deadline.ts'
import { type FileChecks, fileChecks } from './files/accept.ts'
import { svcFolders } from './files/folders.ts'
import { importLegacy } from './legacy/import.ts'
import { type LegacyMirror, legacyMirror } from './legacy/mirror.ts'
import { markerKey } from './legacy/rows.ts'
import { type AccessControl, accessControl } from './options/access.ts'
import { type CmsOptions, cmsOptions } from './options/cms.ts'
import { type OptionsStore, optionsStore } from './options/store.ts'
import { type UploadLimits, uploadLimits } from './options/upload-limits.ts'
import { customizationOf } from './orders/customization-of.ts'
import type { JobCompleter, PrintJobChange } from './print/complete-job.ts'
import type { Exporter, ExportServiceOptions } from './print/export.ts'
import { printing } from './print/printing.ts'
import {
  type ExportOptions,
  exportWait,
  type PrintReadyOptions,
  type PrintReadySettings,
  printReadySettings,
} from './print/settings.ts'
import type { PrintProvider } from './print-providers/provider.ts'
import type { Renderer, RendererOptions } from './renderer/renderer.ts'
import { type Idempotency, idempotencyRepository } from './repositories/idempotency.ts'
import { type Totals, totals } from './repositories/totals.ts'
import { type Catalog, settingsCatalog } from './settings/catalog.ts'
import type { Setting } from './settings/setting.ts'
import { assertFolder, type LocalStorage, localStorage } from './storage/local.ts'
import { traced } from './storage/traced.ts'

/** A change of a CMS meta row, reported after commit. */
export interface MetaChange {
  /** Physical table name. */
  table: string
  objectId: number
  keys: string[]
}

/** An order that this API created, reported after commit. */
export interface OrderCreated {
  type: 'shortcode'
  id: number
}

export interface SvcContextOptions extends DatabaseSettings {
  /** Path of the CMS's REST root in this app; default `/wp-json`. */
  baseUrl?: string
  /** Public address of the site, e.g. `https://shop.example`; default: the CMS option `home`. */
  siteUrl?: string
  /** The CMS's uploads folder and its public address. */
  uploads?: { dir: string; url: string }
  /** Create missing tables and columns at start, and import older rows; `{ indexes: true }` adds our indexes, too. Default false. */
  migrate?: boolean | Pick<MigrateOptions, 'indexes'>
  /** Largest JSON bodies in bytes: where a blob is written (32 MiB) and elsewhere (1 MiB). */
  bodyLimits?: { blob?: number; json?: number }
  /** Seconds that the bytes of an upload may take to come in; default 60. */
  uploadSeconds?: number
  /** Seconds that any other body may take to come in, and one more for each 64 KiB of it; default 10. */
  bodySeconds?: number
  /** Settings of your own, which behave like ours; their keys start with `svc_`. */
  settings?: readonly Setting[]
  /**
   * Called after commit with the option keys that changed: drop `alloptions`, `notoptions` and each key from the CMS's
   * object cache. Listeners may be async: the response waits for them, for two seconds at most. What they throw or reject
   * with is logged and changes nothing.
   */
  onOptionsChanged?: Listener<string[]>
  /** Called after commit when a CMS meta row changed. */
  onMetaChanged?: Listener<MetaChange>
  /** The webhook that takes print-ready files; every default is the strict one. */
  printReady?: PrintReadyOptions
  /** Where orders are handed over to be made into print files; without it exports are answered with 503. */
  exportService?: ExportServiceOptions
  /**
   * Draws print files and previews on this machine, so that no export service is needed: `true`, or its settings. Needs
   * the packages `pdfkit` and `fontkit`. Default false.
   */
  renderer?: boolean | RendererOptions
  /** How exports are responded to. */
  export?: ExportOptions
  /** Where print jobs with a provider's variation are ordered; without it they end as `failed`. */
  printProvider?: PrintProvider
  /** Called after commit when this API made an order. */
  onOrderCreated?: Listener<OrderCreated>
  /** Called after commit when the status of a print job changed. */
  onPrintJobChanged?: Listener<PrintJobChange>
}

export interface SvcContext {
  database: Database
  options: OptionsStore
  /** The option rows that a legacy PHP plugin reads and writes instead of our tables. */
  legacy: LegacyMirror
  cms: CmsOptions
  catalog: Catalog
  access: AccessControl
  totals: Totals
  idempotency: Idempotency
  /** Public URLs without a trailing slash. */
  site: { url: string; restBase: string }
  uploads: { dir: string; url: string } | undefined
  /** Files below the uploads folder; undefined if the host has configured none. */
  storage: LocalStorage | undefined
  uploadSeconds: number
  bodySeconds: number
  uploadLimits(): Promise<UploadLimits>
  checks: FileChecks
  printReady: PrintReadySettings
  jobCompleter: JobCompleter
  exporter: Exporter
  /** Undefined where it is switched off. */
  renderer: Renderer | undefined
  /** Seconds that an export waits for its file. */
  exportWait: number
  /** Notifies the host's listener and waits for it. Never rejects. */
  orderCreated(order: OrderCreated): Promise<void>
  metaChanged(change: MetaChange): Promise<void>
  bodyLimits: { blob: number; json: number }
  /** Names of the groups that this scope serves. */
  groups: Set<string>
}

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
    return await contextOn(connection, app, options, restPath)
  } catch (error) {
    // An app that fails to start is not always closed.
    await close()
    throw error
  }
}

async function contextOn(
  connection: Connection,
  app: FastifyInstance,
  options: SvcContextOptions,
  restPath: string,
): Promise<SvcContext> {
  const catalog = settingsCatalog(options.settings)
  if (options.migrate) {
    const { indexes = false } = options.migrate === true ? {} : options.migrate
    await migrateTables(connection.db, connection.dialect, connection.t, { indexes })
  }
  const database = await databaseOn(connection)
  const failed: ListenerFailed = (message, error) => app.log.error({ err: error }, message)
  const optionsChanged = (keys: string[]) =>
    notifyListener('onOptionsChanged', options.onOptionsChanged, keys, failed)
  if (options.migrate && (await importLegacy(database)).length > 0) await optionsChanged([markerKey])
  if (database.tablesWithoutTransactions.length > 0) {
    app.log.warn(
      { tables: database.tablesWithoutTransactions },
      'These tables have no transactions (MyISAM): a write to several rows that fails may be left half done.',
    )
  }
  const cms = cmsOptions(database)
  const store = optionsStore(database, (keys) => {
    access.forget()
    return optionsChanged(keys)
  })
  const access = accessControl(store)
  const known = totals()
  const uploads = options.uploads && { ...options.uploads, url: withoutSlash(options.uploads.url) }
  const storage = uploads && sweptStorage(app, uploads)
  const checks = fileChecks()
  const printReady = printReadySettings(options.printReady)
  const longestExport = exportWait(options.export)
  const site = await siteOf(options.siteUrl, restPath, cms)
  const jobChanged = async (change: PrintJobChange) => {
    known.forget()
    return notifyListener('onPrintJobChanged', options.onPrintJobChanged, change, failed)
  }
  const limitsOf = uploadLimits(database, store)
  const print = printing({
    database,
    options: store,
    storage,
    localFile: (key) => (uploads ? join(uploads.dir, key) : key),
    settings: printReady,
    provider: options.printProvider,
    exportService: options.exportService,
    renderer: options.renderer === true ? {} : options.renderer || undefined,
    uploadsUrl: uploads?.url,
    siteUrl: site.url,
    minDpi: async () => (await limitsOf()).picture.minDpi,
    customizationOf: customizationOf(database, cms),
    webhookBase: `${site.restBase}/svc-export/v1.0`,
    changed: jobChanged,
    warn: (error, message) => app.log.warn({ err: error }, message),
  })
  // The server waits for running requests, which wait for their print jobs.
  app.addHook('preClose', async () => print.stop())
  app.addHook('onClose', () => Promise.all([print.close(), checks.close()]))
  return {
    database,
    options: store,
    legacy: legacyMirror(database, store, (details, message) => app.log.warn(details, message)),
    cms,
    catalog,
    access,
    totals: known,
    idempotency: idempotencyRepository(database),
    site,
    uploads,
    storage,
    uploadSeconds: options.uploadSeconds ?? uploadTime.receive / 1000,
    bodySeconds: options.bodySeconds ?? 10,
    uploadLimits: limitsOf,
    checks,
    printReady,
    jobCompleter: print.completer,
    exporter: print.exporter,
    renderer: print.renderer,
    exportWait: longestExport,
    orderCreated: (order) => notifyListener('onOrderCreated', options.onOrderCreated, order, failed),
    metaChanged: (change) => notifyListener('onMetaChanged', options.onMetaChanged, change, failed),
    bodyLimits: { blob: 32 * MiB, json: MiB, ...options.bodyLimits },
    groups: new Set(),
  }
}

const sweepInterval = 10 * 60_000

/** The uploads folder, from which unfinished uploads of dead processes are removed, now and periodically. */
function sweptStorage(app: FastifyInstance, { dir, url }: { dir: string; url: string }): LocalStorage {
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

const withoutSlash = (url: string) => url.replace(/(?<!\/)\/+$/, '')

async function siteOf(
  siteUrl: string | undefined,
  path: string,
  cms: CmsOptions,
): Promise<SvcContext['site']> {
  const given = siteUrl ?? (await cms.getMany(['home'])).get('home')
  if (!given)
    throw new Error('siteUrl: is required, because the database has no option "home" to derive it from.')
  if (!/^https?:\/\//.test(given) || !URL.canParse(given)) {
    throw new Error(`siteUrl: "${given}" must be an http or https URL.`)
  }
  const url = withoutSlash(given)
  // A site in a subfolder may have that folder in both siteUrl and baseUrl; the URL contains it once.
  const folder = withoutSlash(new URL(url).pathname)
  const root = folder !== '' && `${path}/`.startsWith(`${folder}/`) ? url.slice(0, -folder.length) : url
  return { url, restBase: root + path }
}

/**
 * The normalized path of the REST root: with a leading slash, without a trailing one.
 * @throws Error if it is not a plain path
 */
export function basePath(baseUrl = '/wp-json'): string {
  if (baseUrl !== '' && !/^\/[A-Za-z0-9._~/-]*$/.test(baseUrl)) {
    throw new Error(`baseUrl: "${baseUrl}" must be a path that starts with "/", such as "/wp-json".`)
  }
  return withoutSlash(baseUrl)
}

/** Provides the services to this scope and its child scopes. */
export function provideContext(app: FastifyInstance, context: SvcContext): void {
  app.decorate(contextKey, context)
}

/**
 * The services of this scope.
 * @throws Error if no context plugin was registered in it
 */
export function contextOf(app: FastifyInstance): SvcContext {
  const context = app[contextKey]
  if (!context) throw new Error('svc-api: register the context plugin in this scope before its groups.')
  return context
}

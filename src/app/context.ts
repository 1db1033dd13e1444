// Builds the services once per registration and provides them to every group of that scope.
import type { FastifyInstance } from 'fastify'
import { titleList } from '../catalog/title-list.ts'
import { changeFeed, endLeftoverEvents } from '../changes/changes.ts'
import { reportingAs } from '../core/change.ts'
import { uploadTime } from '../core/deadline.ts'
import { assertInstalled } from '../core/installed.ts'
import type { Principal } from '../core/principal.ts'
import { type Connection, connect, databaseOn } from '../db/connect.ts'
import { startupProblem } from '../db/failures.ts'
import { type Idempotency, idempotencyRepository } from '../db/idempotency-keys.ts'
import { totals } from '../db/totals.ts'
import { fileChecks } from '../files/accept.ts'
import { svcFolders } from '../files/folders.ts'
import { importLegacy } from '../legacy/import.ts'
import { legacyMirror } from '../legacy/mirror.ts'
import { importRecordKey } from '../legacy/rows.ts'
import { printReadySettings } from '../print/options.ts'
import { missingFiles } from '../renderer/missing-files.ts'
import { accessControl } from '../settings/access.ts'
import { settingsCatalog } from '../settings/catalog.ts'
import { cmsOptions } from '../settings/cms.ts'
import { uploadLimits } from '../settings/master-profile.ts'
import { type NamedTokens, namedTokens } from '../settings/named-tokens.ts'
import { optionsStore } from '../settings/option-rows.ts'
import type { storages } from '../storage/storages.ts'
import type { SvcContextOptions } from './context-options.ts'
import { hostListeners } from './host-listeners.ts'
import { logKnownProblems } from './known-problems.ts'
import { createMissingTables } from './missing-tables.ts'
import { openStorages } from './open-storages.ts'
import { assertPossible, checkFolders } from './option-problems.ts'
import { type PrintServices, printServices } from './print-services.ts'
import { basePath, siteOf } from './site.ts'

/** The services of a registration. */
export interface SvcContext extends Awaited<ReturnType<typeof contextOn>> {}

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
  await checkFolders(app.log, options)
  const connection = await connect(options)
  let closed: Promise<void> | undefined
  const close = () => {
    closed ??= connection.close()
    return closed
  }
  // Added first, because onClose hooks run last to first, and the others still write to the database.
  app.addHook('onClose', close)
  try {
    // `src/http/operations.ts` declares and fills the list: its type depends on routes, which files of this folder must not import.
    return { ...(await contextOn(connection, app, options, restPath)), operations: [] }
  } catch (error) {
    // An app that fails to start is not always closed.
    await close()
    throw startupProblem(error)
  }
}

/** Builds all services on an open connection, starts the background work, and adds the hooks that end it with the app. */
async function contextOn(
  connection: Connection,
  app: FastifyInstance,
  options: SvcContextOptions,
  restPath: string,
) {
  const catalog = settingsCatalog(options.settings)
  const isMigrated = await createMissingTables(connection, options)
  const listeners = hostListeners(app.log, options)
  const warn = (details: object, message: string) => app.log.warn(details, message)
  const changes = changeFeed(connection, options, { failed: listeners.failed, warn })
  const database = await databaseOn(connection, changes, [
    ...(options.autoPrint ? (['auto_prints'] as const) : []),
    ...(options.deliver ? (['print_deliveries'] as const) : []),
  ])
  assertPossible(options)
  const imported = isMigrated ? await reportingAs('migrate', () => importLegacy(database)) : []
  if (imported.length > 0) await listeners.optionsChanged([importRecordKey])
  logKnownProblems(app.log, database)

  const cms = cmsOptions(database)
  // `access` is defined below: the store calls this after writes, and the access reads from the store.
  const store = optionsStore(database, (keys) => {
    access.forget()
    return listeners.optionsChanged(keys)
  })
  const access = accessControl(store)
  const totalsCache = totals()
  const { uploads, localStorage, spool, allStorages } = openStorages(app, options, store)
  const printReady = printReadySettings(options.printReady)
  const siteUrl = options.siteUrl ?? (await cms.getMany(['home'])).get('home')
  const site = siteOf(siteUrl, restPath)
  const readUploadLimits = uploadLimits(database, store)

  const print = printServices(app.log, options, {
    database,
    cms,
    store,
    listeners,
    totals: totalsCache,
    site,
    uploads,
    storages: allStorages,
    uploadLimits: readUploadLimits,
    printReady,
  })
  const { autoPrint, printing } = print
  const checks = fileChecks({ megapixels: print.pictureMegapixels })

  endWithApp(app, { autoPrint, printing, checks, changes, allStorages })
  changes?.start()
  autoPrint.start()
  if (!options.webhooks?.length && database.tables.has('api_outbox')) {
    const pendingEvents = endLeftoverEvents(database, warn)
    app.addHook('onClose', async () => pendingEvents.stop())
  }

  return {
    database,
    /** Reads and writes option rows whose names start with `svc_`. */
    options: store,
    /** Option rows of legacy PHP. */
    legacy: legacyMirror(database, store, warn),
    /** Reads option rows of the CMS. */
    cms,
    catalog,
    access,
    namedTokens: namedTokens(database) as NamedTokens,
    /** The host's own authentication. */
    authenticate: options.authenticate,
    /** The senders of requests that this process sends itself, by an id in a header; see `sendAs`. */
    senders: new Map<string, Principal>(),
    /** Cached numbers of rows; `forget` makes the next call count again. */
    totals: totalsCache,
    titles: titleList(database),
    idempotency: idempotencyRepository(database) as Idempotency,
    site,
    uploads,
    /** Files below the uploads folder; undefined if the host has configured none. */
    storage: localStorage,
    /** The storages: each row's file is in one of them, and new files go to one. */
    storages: allStorages,
    /**
     * The folder for uploads of assets that wait for their checks.
     * @throws SvcError 503 before the file is received, if no storage is configured for it
     */
    async assetSpool() {
      await allStorages.current()
      return spool
    },
    uploadSeconds: options.uploadSeconds ?? uploadTime.receive / 1000,
    uploadLimits: readUploadLimits,
    /** Names of the uploaded font files; undefined without an uploads folder. */
    fontFiles: async () => localStorage?.list(svcFolders.fonts),
    /** Looks for the fonts and pictures of a written design. */
    missingFiles: missingFiles({
      storage: localStorage,
      uploadsUrl: uploads?.url,
      siteUrl: site.url,
      formerHosts: print.rendererOptions?.formerHosts,
      fonts: print.rendererOptions && {
        substitutes: print.rendererOptions.fonts ?? {},
        strict: print.rendererOptions.strictFonts ?? false,
      },
    }),
    preflightForm: print.preflightForm,
    uploadWarnings: print.uploadWarnings,
    checks,
    printReady,
    jobCompleter: printing.completer,
    exporter: printing.exporter,
    removePrintFiles: printing.removeFiles,
    deliveries: printing.deliveries,
    deliverNow: printing.deliverNow,
    renderer: printing.renderer,
    printableStatuses: print.printableStatuses,
    /** Public address of the desk. */
    deskUrl: options.deskUrl,
    fileNames: print.fileNames,
    autoPrint,
    /** Seconds that an export waits for its file. */
    exportWait: options.export?.wait ?? 30,
    orderCreated: listeners.orderCreated,
    metaChanged: listeners.metaChanged,
    /** Which histories of changes are stored, for pages that show them. */
    keeps: { audit: Boolean(options.audit), webhooks: Boolean(options.webhooks?.length) },
    /** Bytes. */
    bodyLimits: { blob: 8 * MiB, json: MiB, ...options.bodyLimits },
    /** Names of the groups that this scope serves; each group adds itself. */
    groups: new Set<string>(),
  }
}

interface Closing {
  autoPrint: PrintServices['autoPrint']
  printing: PrintServices['printing']
  checks: ReturnType<typeof fileChecks>
  changes: ReturnType<typeof changeFeed>
  allStorages: ReturnType<typeof storages>
}

/** Ends the background work together with the app; the storages last, because the work writes to them. */
function endWithApp(
  app: FastifyInstance,
  { autoPrint, printing, checks, changes, allStorages }: Closing,
): void {
  // The server waits for running requests, which wait for their print jobs.
  app.addHook('preClose', async () => {
    autoPrint.stop()
    printing.stop()
  })
  app.addHook('onClose', () =>
    Promise.all([printing.close(), checks.close(), changes?.close(), autoPrint.close()]).finally(() =>
      allStorages.close(),
    ),
  )
}

/** Provides the services to this scope and its child scopes; called by the context plugin. */
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

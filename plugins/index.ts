// The root plugin: one registration adds the whole API to the host.
import type { FastifyPluginAsync } from 'fastify'
import fp from 'fastify-plugin'
import { createContext } from '../src/app/context.ts'
import { basePath } from '../src/app/site.ts'
import { checkOptions } from '../src/core/check-options.ts'
import { groups as declarations } from '../src/core/groups.ts'
import { contextPlugin, type GroupPlugin } from '../src/http/group.ts'
import { namespaceIndex } from '../src/http/namespace-index.ts'
import { notFound } from '../src/http/not-found.ts'
import { provideApi } from '../src/http/running-apis.ts'
import { hidden } from '../src/http/schema.ts'
import * as plugins from './groups.ts'
import { mcpServer } from './mcp/index.ts'
import { apiOptions, type SvcApiOptions } from './options.ts'

export type { AuthenticateResult, HostPrincipal, OrderCreated } from '../src/app/context-options.ts'
export type { AuditEntry } from '../src/changes/audit.ts'
export type { AuditOptions, ChangeOptions, WebhookEndpoint } from '../src/changes/options.ts'
export type { WebhookEvent } from '../src/changes/outbox-events.ts'
export type { AuditQuery, WebhookQuery } from '../src/changes/queries.ts'
export { auditEntries, replayWebhooks, webhookEvents } from '../src/changes/standalone.ts'
export type {
  DesignView,
  ElementParameters,
  PageOutput,
  PrintArea,
  ViewElement,
  ViewOptions,
} from '../src/client/resources.ts'
export type { Change, ChangedResource } from '../src/core/change.ts'
export { type ErrorCode, errorTable } from '../src/core/errors.ts'
export type { ScopeGroup } from '../src/core/groups.ts'
export type { Principal } from '../src/core/principal.ts'
export type { Scope } from '../src/core/scopes.ts'
export type {
  DatabaseInput,
  DatabaseSettings,
  HostKysely,
  HostPool,
  MigrateOptions,
  OptionsListener,
} from '../src/db/options.ts'
export type { TableName } from '../src/db/tables.ts'
export type { AutoPrintOption, AutoPrintOptions } from '../src/orders/auto-print-options.ts'
export type { Holder } from '../src/orders/customer-holders.ts'
export type { PrintJobChange } from '../src/print/complete-job.ts'
export type { DeliverOptions, SftpOptions } from '../src/print/delivery-options.ts'
export type {
  ExportOptions,
  ExportServiceOptions,
  PrintfulOptions,
  PrintReadyOptions,
} from '../src/print/options.ts'
export {
  type DraftItem,
  type PrintProvider,
  ProviderRefused,
  ProviderUnavailable,
} from '../src/print/providers/provider.ts'
export type { RendererOptions, SheetOptions } from '../src/renderer/renderer-options.ts'
export type { Setting, SettingType } from '../src/settings/setting.ts'
export type { DropboxOptions } from '../src/storage/dropbox.ts'
export { type ReadVariable, storageFromEnvironment } from '../src/storage/environment.ts'
export type { StorageOptions, UploadsOptions } from '../src/storage/options.ts'
export type { S3Options } from '../src/storage/s3.ts'
export {
  assertKey as assertStorageKey,
  type FileSource,
  type FileStorage,
  type StoredFile,
} from '../src/storage/storage.ts'
export {
  type CheckOptions,
  check,
  type FileCheck,
  type FilePlace,
  type MissingFile,
} from '../src/upkeep/check.ts'
export { type Erasure, type ErasureProblem, eraseCustomer } from '../src/upkeep/erase-customer.ts'
export type { EraseCustomerOptions, InstallationSettings } from '../src/upkeep/options.ts'
export { cmsUrl, ensureToken, migrate } from '../src/upkeep/set-up.ts'
export { default as svcContext, type MetaChange, type SvcContextOptions } from './context/index.ts'
export { type DeskOptions, type DeskUser, default as svcDesk } from './desk/index.ts'
export * from './groups.ts'
export { type McpOptions, mcpServer } from './mcp/index.ts'
export type { SvcApiOptions } from './options.ts'
export { type OrderToPrint, printNewOrders, printOrder } from './print-order.ts'
export { default as svcReference, type ReferenceOptions } from './reference/index.ts'
export { default as svcSettingsScreen, type SettingsScreenOptions } from './settings-screen/index.ts'

/** All groups, in the order of their declarations, which is the order of operations in documents. */
const groupPlugins: GroupPlugin[] = Object.values(plugins).sort(
  (a, b) => declarations.indexOf(a.declaration) - declarations.indexOf(b.declaration),
)

/** Registers the API; exported below as a plugin. */
const root: FastifyPluginAsync<SvcApiOptions> = async (app, options) => {
  checkOptions(apiOptions, options)
  const base = basePath(options.baseUrl)
  const context = await createContext(app, options, app.prefix + base)
  provideApi(app, context)
  if (options.readinessPath) readiness(app, options.readinessPath, context.database.ping)
  await app.register(notFound, { prefix: `${base}/svc/v1`, context })
  await app.register(namespaceIndex, { prefix: `${base}/svc/v1`, context })
  await app.register(notFound, { prefix: `${base}/svc-export/v1.0`, context })
  await app.register(
    async (scope) => {
      // The groups depend on the context plugin by name. Here the root plugin provides the context itself.
      scope.register(fp(async () => {}, { name: contextPlugin }))
      for (const plugin of groupPlugins) {
        const { namespace = '/svc/v1', path } = plugin.declaration
        scope.register(plugin, { prefix: namespace + path })
      }
      if (options.mcp)
        scope.register(mcpServer(options.mcp === true ? {} : options.mcp), { prefix: '/svc/v1/mcp' })
    },
    { prefix: base },
  )
}

/** Adds the route of the option `readinessPath`. */
function readiness(app: Parameters<typeof root>[0], path: string, ping: () => Promise<void>): void {
  app.get(path, { logLevel: 'warn', schema: hidden }, async (_request, reply) => {
    reply.header('cache-control', 'no-store')
    try {
      await ping()
      return { ready: true }
    } catch {
      return reply.code(503).header('retry-after', '2').send({ ready: false })
    }
  })
}

/**
 * The whole API under `{baseUrl}/svc/v1`, and the webhook for print-ready files under `{baseUrl}/svc-export`. Everything it adds stays in
 * its own scope; the host's routes, hooks, parsers and error responses are not affected.
 * @throws Error with one sentence when an option is invalid, tables are missing or the database cannot be used
 * @example
 * const app = Fastify()
 * await app.register(svcApi, { siteUrl: 'https://shop.example', database: 'sqlite:shop.sqlite' })
 * await app.listen({ port: 3000 })
 */
export const svcApi = fp(root, { name: 'svc-api', fastify: '5.x', encapsulate: true })
export default svcApi

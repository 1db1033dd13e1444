// The whole API in its own Fastify app: what `npm start` runs, and an example to copy from.
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import Fastify, { type FastifyInstance } from 'fastify'
import {
  cmsUrl,
  ensureToken,
  migrate,
  type SettingsScreenOptions,
  svcApi,
  svcDesk,
  svcReference,
  svcSettingsScreen,
} from 'svc-api'
import { administrator } from './administrator.ts'
import { authorizationByCommand, banner, commandsOf } from './banner.ts'
import { databaseLabel } from './database-address.ts'
import { addDemo, printableOrder, reader } from './demo.ts'
import { makeFolder, readEnvironment } from './environment.ts'
import { home, linksOf } from './home.ts'
import { isInstalled } from './installed.ts'
import { lockDatabase } from './one-host.ts'
import { ownNames } from './own-names.ts'
import { originOf, portToUse } from './port.ts'
import { reach } from './reach.ts'
import { RequestLog, serializers } from './request-log.ts'
import { reasonOf } from './start-error.ts'
import { uploads } from './uploads.ts'

/** Id of the requests that this host sends to itself. */
const ownRequests = `own-${randomUUID()}`

type Environment = ReturnType<typeof readEnvironment>

/** @param signal aborts startup, and later stops the running host */
async function start(env: Environment, signal: AbortSignal): Promise<void> {
  const { database, tablePrefix } = env
  const file = /^sqlite:(.*)/s.exec(database)?.[1]
  const isKnown = file !== undefined && existsSync(file)
  // A host that runs on this file probably has the usual port, which is then no news.
  if (isKnown) lockDatabase(file)
  const port = await portToUse(env.host, env.port)
  if (file !== undefined && !isKnown) {
    await makeFolder(dirname(file), 'DATABASE_URL')
    lockDatabase(file)
  }
  await makeFolder(env.uploadsDir, 'UPLOADS_DIR')
  await reach(() => cmsUrl({ database, tablePrefix }), {
    seconds: env.databaseWait,
    place: databaseLabel(database).replace(/^.* on /, ''),
    signal,
    say: (left) =>
      console.log(`Waiting for the database ${databaseLabel(database)}, ${left} seconds at most.`),
  })
  await migrate({ database, tablePrefix, ...env.changes })
  signal.throwIfAborted()

  const own = originOf(env.host, port)
  const siteUrl = env.siteUrl ?? own
  const uploadsUrl = env.uploadsUrl ?? `${siteUrl}/uploads`
  const admin = administrator(env.adminPassword)
  const api = `${env.baseUrl.replace(/\/+$/, '')}/svc/v1`
  const facts = { env, own, api, uploadsUrl, admin, hasRenderer: env.renderer ?? hasRenderer() }
  const app = build(env, siteUrl, uploadsUrl, admin.authorize)
  const access = { api, token: '', requestId: ownRequests }
  app.register(home, {
    uploadsDir: env.uploadsDir,
    hasRenderer: facts.hasRenderer,
    links: linksOf(admin.user),
    commands: async () => commandsOf(facts, authorizationByCommand(), await printableOrder(app, access)),
    read: reader(app, access),
  })
  // Nothing is stored, and no token printed, by a host that cannot listen.
  if (!signal.aborted) await app.listen({ port, host: env.host })
  onAbort(signal, () => stop(app))
  signal.throwIfAborted()

  let isNew = false
  access.token = await ensureToken({
    database,
    tablePrefix,
    ...env.changes,
    ...(env.token && { token: env.token }),
    onOptionsChanged: () => {
      isNew = true
    },
  })
  let later: Awaited<ReturnType<typeof addDemo>>
  const hasCms = Boolean(await cmsUrl({ database, tablePrefix }))
  if (env.demo === '1' || (env.demo !== '0' && !hasCms)) {
    // Paths lead to whichever host serves them next, on whichever port.
    const url = env.siteUrl || env.uploadsUrl ? uploadsUrl : '/uploads'
    const shop = hasCms ? undefined : { database, tablePrefix }
    later = await addDemo(app, { ...access, uploads: { dir: env.uploadsDir, url }, shop })
  }
  if (signal.aborted) return
  const token = isNew ? access.token : undefined
  console.log(banner({ ...facts, token }, await printableOrder(app, access)))
  later?.().catch((error: unknown) => app.log.warn(error, 'The demo could not be drawn.'))
}

function build(
  env: Environment,
  siteUrl: string,
  uploadsUrl: string,
  authorize: SettingsScreenOptions['authorize'],
): FastifyInstance {
  const app = Fastify({
    // Longer than an upload may take, and than an export waits for its file.
    requestTimeout: 120_000,
    connectionTimeout: 200_000,
    logger: { level: env.logLevel, serializers },
    logController: new RequestLog({
      disableRequestLogging: ({ headers }) => headers['x-request-id'] === ownRequests,
    }),
    // Paths with invalid escapes never reach a plugin, but clients of the API should still get its usual 404.
    frameworkErrors: (_error, _request, { raw }) => {
      const message = 'No route was found matching the URL and request method.'
      const body = { success: false, code: 'rest_no_route', message, data: { status: 404 } }
      raw.writeHead(404, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(body))
    },
  })
  const urls = [siteUrl, uploadsUrl].map((url) => new URL(url).host)
  const listens = env.host.includes(':') ? `[${env.host}]` : env.host
  app.addHook('onRequest', ownNames([...urls, listens, ...env.hostNames]))
  app.register(uploads, { prefix: '/uploads/', dir: env.uploadsDir })
  app.register(svcApi, {
    baseUrl: env.baseUrl,
    siteUrl,
    database: env.database,
    tablePrefix: env.tablePrefix,
    uploads: { dir: env.uploadsDir, url: uploadsUrl },
    storage: env.storage,
    ...(env.printReadyAllow && { printReady: { allow: env.printReadyAllow } }),
    renderer: env.renderer ?? hasRenderer(),
    ...(env.exportServiceUrl && { exportService: { url: env.exportServiceUrl } }),
    ...env.changes,
    ...(env.printfulUrl && { printful: { url: env.printfulUrl } }),
    ...(env.mcp && { mcp: { mode: env.mcp } }),
    readinessPath: '/ready',
  })
  const hasReference = isInstalled('swagger-ui-dist')
  const [homeUrl, deskUrl, settingsUrl] = ['/', '/desk/', '/settings/']
  const others = { homeUrl, ...(hasReference && { referenceUrl: '/reference' }) }
  app.register(svcSettingsScreen, { prefix: '/settings', authorize, deskUrl, ...others })
  app.register(svcDesk, { prefix: '/desk', authorize, settingsUrl, ...others })
  if (hasReference)
    app.register(svcReference, { prefix: '/reference', baseUrl: env.baseUrl, homeUrl, deskUrl, settingsUrl })
  return app
}

/** Whether the optional package that draws print files is installed. */
const hasRenderer = () => isInstalled('pdfkit')

function onAbort(signal: AbortSignal, work: () => void): void {
  if (signal.aborted) work()
  else signal.addEventListener('abort', work, { once: true })
}

function stop(app: FastifyInstance): void {
  void app.close()
  // Clients that are still reading a response after this time are disconnected.
  setTimeout(() => app.server.closeAllConnections(), 3000).unref()
}

const stopping = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    stopping.abort()
    // Ends the process even if something hangs.
    setTimeout(() => process.exit(1), 10_000).unref()
  })
}
try {
  await start(readEnvironment(process.env), stopping.signal)
} catch (error) {
  if (!stopping.signal.aborted) {
    console.error(`The host did not start. ${reasonOf(error, process.env.DATABASE_URL)}`)
    process.exit(1)
  }
  // A stop during startup is not a failure; whatever was started ends with the process.
  process.exit(0)
}

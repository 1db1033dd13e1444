// The whole API in a Fastify app of its own: what `npm start` runs, and a page to copy from.
import { createServer } from 'node:net'
import { dirname } from 'node:path'
import Fastify from 'fastify'
import { cmsAddress, ensureToken, svcApi } from 'svc-api'
import { addDemo } from './demo.ts'
import { makeFolder, readEnvironment, reasonOf } from './environment.ts'
import { uploads } from './uploads.ts'

async function start(): Promise<void> {
  const env = readEnvironment(process.env)
  const { database, tablePrefix } = env
  if (database.startsWith('sqlite:')) {
    await makeFolder(dirname(database.slice('sqlite:'.length)))
  }
  await makeFolder(env.uploadsDir)

  const port = env.port || (await freePort(env.host))
  const own = `http://${env.host.includes(':') ? `[${env.host}]` : env.host}:${port}`
  const siteUrl = env.siteUrl ?? own
  const uploadsUrl = env.uploadsUrl ?? `${siteUrl}/uploads`

  // Creating tables on a slow server may take longer than the ten seconds that plugins get.
  const app = Fastify({
    logger: { level: env.logLevel },
    pluginTimeout: 120_000,
    // Paths with broken escapes never reach a plugin; clients of the API shall find its usual 404 all the same.
    frameworkErrors: (_error, _request, { raw }) => {
      const message = 'No route was found matching the URL and request method.'
      const body = { success: false, code: 'rest_no_route', message, data: { status: 404 } }
      raw.writeHead(404, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(body))
    },
  })
  app.register(uploads, { prefix: '/uploads/', dir: env.uploadsDir })
  app.register(svcApi, {
    baseUrl: env.baseUrl,
    siteUrl,
    database,
    tablePrefix,
    uploads: { dir: env.uploadsDir, url: uploadsUrl },
    migrate: true,
    ...(env.printReadyAllow && { printReady: { allow: env.printReadyAllow } }),
    ...(env.exportServiceUrl && { exportService: { url: env.exportServiceUrl } }),
    readinessPath: '/ready',
  })
  await app.ready()

  const token = await ensureToken({ database, tablePrefix, ...(env.token ? { token: env.token } : {}) })
  const products = `${env.baseUrl.replace(/\/+$/, '')}/svc/v1/products`
  if (env.demo === '1' || (env.demo !== '0' && !(await cmsAddress({ database, tablePrefix })))) {
    const api = products.slice(0, -'/products'.length)
    await addDemo(app, { api, token, uploads: { dir: env.uploadsDir, url: uploadsUrl } })
  }

  await app.listen({ port, host: env.host })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      void app.close()
      // Whoever is still reading an answer after this time is cut off.
      setTimeout(() => app.server.closeAllConnections(), 3000).unref()
    })
  }
  console.log(`
Listening on  ${own}
API token     ${token}
Database      ${withoutPassword(database)}, table prefix ${tablePrefix}
Uploads       ${env.uploadsDir}, served as ${uploadsUrl}

First request:
curl -H 'Authorization: Bearer ${token}' '${own}${products}'
`)
}

/** Any free port. It is chosen before the app is built, because the addresses in its answers carry it. */
function freePort(host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(0, host, () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}

function withoutPassword(address: string): string {
  return address.startsWith('mysql:')
    ? Object.assign(new URL(address), { password: '', search: '' }).href
    : address
}

start().catch((error: unknown) => {
  console.error(`The host did not start. ${reasonOf(error)}`)
  process.exit(1)
})

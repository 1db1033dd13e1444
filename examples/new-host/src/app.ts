// Builds the app: the API, the uploads folder, and the pages behind one login. Tests build the same app.
import fastifyStatic from '@fastify/static'
import Fastify, { type FastifyInstance, type FastifyServerOptions } from 'fastify'
import svcApi, { svcDesk, svcReference, svcSettingsScreen } from 'svc-api'
import { loginWith } from './login.ts'

export interface AppSettings {
  /** URL of the database: mysql://user:password@host:port/name, or sqlite:path. */
  database: string
  /** Public URL of this app, without a slash at the end. */
  siteUrl: string
  /** Absolute path of the folder of uploads and print files. */
  uploadsDir: string
  /** Password of the user admin. */
  adminPassword: string
  /** Signs the forms of the pages: the same in all processes. */
  formSecret: string
}

export function buildApp(settings: AppSettings, options: FastifyServerOptions = {}): FastifyInstance {
  const { database, siteUrl, uploadsDir, formSecret: secret } = settings
  const authorize = loginWith(settings.adminPassword)
  // The times, in milliseconds, for a request to arrive, and without progress of a connection.
  const app = Fastify({ requestTimeout: 120_000, connectionTimeout: 200_000, ...options })

  app.register(svcApi, {
    database,
    siteUrl,
    // Creates the tables that are missing, and changes nothing else.
    migrate: true,
    uploads: { dir: uploadsDir, url: `${siteUrl}/uploads` },
    // Draws print files here, with pdfkit.
    renderer: true,
    // 200 while the database responds; for load balancers and container managers.
    readinessPath: '/ready',
  })

  app.register(fastifyStatic, {
    root: uploadsDir,
    prefix: '/uploads/',
    index: false,
    decorateReply: false,
    // An uploaded file never acts as a page of this site.
    setHeaders(reply) {
      reply.headers({
        'x-content-type-options': 'nosniff',
        'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
      })
    },
  })

  // Each page links to the others.
  const [homeUrl, deskUrl, settingsUrl, referenceUrl] = ['/', '/desk/', '/settings/', '/reference/']
  app.register(svcSettingsScreen, { prefix: '/settings', authorize, secret, homeUrl, deskUrl, referenceUrl })
  app.register(svcDesk, { prefix: '/desk', authorize, secret, homeUrl, settingsUrl, referenceUrl })
  app.register(async (pages) => {
    pages.addHook('onRequest', async (request) => {
      authorize(request)
    })
    pages.get('/', (_request, reply) => reply.type('text/html; charset=utf-8').send(startPage))
    pages.register(svcReference, { prefix: '/reference', homeUrl, deskUrl, settingsUrl })
  })
  return app
}

const startPage = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Print shop</title>
<h1>Print shop</h1>
<ul>
<li><a href="/desk/">Desk</a>: orders, print jobs and files
<li><a href="/settings/">Settings</a>: the shop, tokens, status
<li><a href="/reference/">API reference</a>: all operations, to try out
</ul>
</html>
`

// Serves the uploads folder so that nothing in it can act as a page of this site, whatever its name or bytes.
import { extname } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'

/** What browsers may show. Everything else is handed out as a file to be saved. */
const types: Record<string, string> = {
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.gif': 'image/gif',
  '.webp': 'image/webp',
  '.svg': 'image/svg+xml',
  '.pdf': 'application/pdf',
  '.ttf': 'font/ttf',
  '.zip': 'application/zip',
}

/** These two can hold scripts: they get an origin of their own that may load nothing. */
const sandboxed = new Set(['.svg', '.pdf'])

export async function uploads(app: FastifyInstance, { dir }: { dir: string }): Promise<void> {
  app.addHook('onRequest', async (_request, reply) => {
    reply.header('x-content-type-options', 'nosniff')
  })
  await app.register(fastifyStatic, {
    root: dir,
    // Its own route would look for `a#b.png` under the name `a%23b.png`.
    serve: false,
    dotfiles: 'ignore',
    index: false,
    contentType: false,
    setHeaders(response, path) {
      const extension = extname(path).toLowerCase()
      const type = types[extension]
      response.setHeader('Content-Type', type ?? 'application/octet-stream')
      if (!type) response.setHeader('Content-Disposition', 'attachment')
      if (sandboxed.has(extension)) {
        response.setHeader(
          'Content-Security-Policy',
          "default-src 'none'; style-src 'unsafe-inline'; sandbox",
        )
      }
    },
  })
  app.get<{ Params: { '*': string } }>('/*', (request, reply) => reply.sendFile(request.params['*']))
}

// The folder of the pages of one plugin: its style and script, its first page, and relative paths that work wherever a proxy moves it.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { hidden } from '../http/schema.ts'

interface FolderFiles {
  /** The text of `screen.css`. */
  style: string
  /** The text of `screen.js`. */
  script: string
  /** The slug of the page to which the folder redirects. */
  first: (request: FastifyRequest) => string
}

/** Serves the style and the script that the frame of every page links, and redirects from the folder to the first page. */
export function serveFolder(app: FastifyInstance, { style, script, first }: FolderFiles): void {
  app.get('/', { schema: hidden }, async (request, reply) =>
    reply.redirect(pathBelow(request, first(request)), 303),
  )
  app.get('/screen.css', { schema: hidden }, async (_request, reply) =>
    reply.type('text/css; charset=utf-8').send(style),
  )
  app.get('/screen.js', { schema: hidden }, async (_request, reply) =>
    reply.type('text/javascript; charset=utf-8').send(script),
  )
}

const pathOf = ({ raw }: FastifyRequest): string => (raw.url ?? '').split('?', 1)[0] ?? ''

/**
 * The relative path from a requested URL to the folder of the pages: '' from a page, `../` from one level below, `desk/` from `/desk`.
 * @param prefix of the scope of the pages
 */
export function pathToFolder(request: FastifyRequest, prefix: string): string {
  const levels = pathOf(request).split('/').length - prefix.replace(/\/$/, '').split('/').length
  return levels === 0 ? pathBelow(request, '') : '../'.repeat(Math.max(0, levels - 1))
}

/** The relative path to a page from the URL of the folder, with a slash at its end or without. */
function pathBelow(request: FastifyRequest, slug: string): string {
  const path = pathOf(request)
  return `${path.endsWith('/') ? '' : `${path.slice(path.lastIndexOf('/') + 1)}/`}${slug}`
}

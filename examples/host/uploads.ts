// Serves the uploads folder so that no file in it can act as a page of this site, whatever its name or content.
import { extname } from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { inTurn } from './in-turn.ts'
import { bytesOf, isUnchanged, type OpenedFile, openBelow, rangeOf } from './opened-file.ts'

/** The types that browsers may display. Anything else is sent as an attachment. */
export const types: Record<string, string> = {
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.jpe': 'image/jpeg',
  '.jfif': 'image/jpeg',
  '.gif': 'image/gif',
  '.webp': 'image/webp',
  '.svg': 'image/svg+xml',
  '.pdf': 'application/pdf',
  '.ttf': 'font/ttf',
  '.zip': 'application/zip',
}

/** Milliseconds. */
const unreadTime = 30_000

/** These can contain scripts, so they get an opaque origin that may load nothing. */
export const sandboxed = new Set(['.svg', '.pdf'])

/** @param options `dir` is the folder; symbolic links below it are not followed */
export async function uploads(app: FastifyInstance, { dir }: { dir: string }): Promise<void> {
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-content-type-options', 'nosniff')
    await inTurn(request, reply)
  })

  app.route<{ Params: { '*': string } }>({
    method: ['GET', 'HEAD'],
    url: '/*',
    handler: async (request, reply) => {
      const path = request.params['*']
      const file = await openBelow(dir, path).catch((error: unknown) => {
        request.log.error(error, 'A file in the uploads folder could not be opened.')
        throw Object.assign(new Error('The file cannot be read at the moment.'), { statusCode: 503 })
      })
      if (!file) return reply.callNotFound()
      reply.headers(headersOf(path))
      return send(request, reply, file)
    },
  })
}

function headersOf(path: string): Record<string, string> {
  const extension = extname(path).toLowerCase()
  const type = types[extension]
  return {
    'content-type': type ?? 'application/octet-stream',
    ...(type === undefined && { 'content-disposition': 'attachment' }),
    ...(sandboxed.has(extension) && {
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    }),
  }
}

/** Sends the file or the requested range, and closes the file. */
async function send(request: FastifyRequest, reply: FastifyReply, file: OpenedFile): Promise<FastifyReply> {
  const { size, modified, etag, handle } = file
  reply.headers({
    etag,
    'last-modified': modified.toUTCString(),
    'cache-control': 'public, max-age=0',
    'accept-ranges': 'bytes',
  })
  if (isUnchanged(file, request.headers)) {
    await handle.close()
    return reply.code(304).send()
  }
  // Ranges apply only to GET.
  const range = request.method === 'GET' ? rangeOf(file, request.headers) : undefined
  if (range === 'none') {
    await handle.close()
    return reply.code(416).header('content-range', `bytes */${size}`).send()
  }
  const { start, end } = range ?? { start: 0, end: size }
  if (range) reply.code(206).header('content-range', `bytes ${start}-${end - 1}/${size}`)
  reply.header('content-length', end - start)
  if (request.method === 'HEAD') {
    await handle.close()
    return reply.send()
  }
  // A client that reads nothing for so long would keep the file open.
  reply.raw.setTimeout(unreadTime)
  return reply.send(bytesOf(file, start, end))
}

// A page on which the API can be read and tried: Swagger UI, served by the host under a strict policy.
import { hash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { FastifyPluginAsync } from 'fastify'
import fp from 'fastify-plugin'
import { basePath } from '../../src/app/site.ts'
import { checkOptions } from '../../src/core/check-options.ts'
import { requireBeside } from '../../src/core/installed.ts'
import { type ReferenceOptions, referenceOptions } from './options.ts'
import { page, script, style } from './page.ts'

export type { ReferenceOptions } from './options.ts'

/** The Content-Security-Policy: nothing runs or loads except files of this plugin. Swagger UI needs `data:` for its arrows. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** Content types of the files that are served from the optional package `swagger-ui-dist`, by name. */
const swaggerTypes = { 'swagger-ui.css': 'text/css', 'swagger-ui-bundle.js': 'text/javascript' }

/** Reads these files. @throws Error if the package is not installed */
async function swaggerFiles(): Promise<Map<string, { type: string; body: Uint8Array }>> {
  let folder: string
  try {
    folder = dirname(requireBeside(import.meta.url).resolve('swagger-ui-dist/package.json'))
  } catch (cause) {
    throw new Error('The reference page needs the package swagger-ui-dist: npm install it.', { cause })
  }
  const files = Object.entries(swaggerTypes).map(
    async ([name, type]) => [name, { type, body: await readFile(join(folder, name)) }] as const,
  )
  return new Map(await Promise.all(files))
}

const reference: FastifyPluginAsync<ReferenceOptions> = async (app, options) => {
  checkOptions(referenceOptions, options)
  const { title = 'API reference' } = options
  const documentPath = `${basePath(options.baseUrl)}/svc/v1/openapi.json`
  const files = await swaggerFiles()
  const generated = [
    ['', 'text/html', page(title, app.prefix.replace(/\/$/, ''), options)],
    ['reference.js', 'text/javascript', script(documentPath)],
    ['reference.css', 'text/css', style],
  ] as const
  for (const [name, type, body] of generated) files.set(name, { type, body: Buffer.from(body) })
  for (const [name, { type, body }] of files) {
    const etag = `"${hash('sha256', body, 'base64url').slice(0, 27)}"`
    app.get(`/${name}`, { schema: { hide: true } as object, logLevel: 'warn' }, async (request, reply) => {
      reply.headers({
        etag,
        'cache-control': 'no-cache',
        'content-security-policy': policy,
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
      })
      if (request.headers['if-none-match'] === etag) return reply.code(304).send()
      return reply.type(`${type}; charset=utf-8`).send(body)
    })
  }
}

/**
 * The page, under the prefix that the host registers it with. It needs no token itself: its user enters the token,
 * which stays in the page's memory, to load the document and to try requests.
 * @throws Error if `swagger-ui-dist` is not installed
 * @example app.register(svcReference, { prefix: '/api-docs' })
 */
export const svcReference = fp(reference, { name: 'svc-api-reference', fastify: '5.x', encapsulate: true })
export default svcReference

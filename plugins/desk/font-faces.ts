// The uploaded fonts as a browser shows them: a style sheet that names each file, and the files.
import { hash } from 'node:crypto'
import { SvcError } from '../../src/core/errors.ts'
import { html } from '../../src/core/html.ts'
import { svcFolders } from '../../src/files/folders.ts'
import { matchesEtag, setEtag } from '../../src/http/etag.ts'
import { hidden } from '../../src/http/schema.ts'
import { requireStorage } from '../../src/http/upload.ts'
import { queryValue } from '../../src/pages/form.ts'
import { pageHandler } from '../../src/pages/scope.ts'
import type { Desk } from './desk.ts'

/** Class and family of a file in the style sheet; names of files may contain anything. */
export const faceOf = (file: string): string => `face-${hash('sha256', file, 'hex').slice(0, 16)}`

/** The link to the style sheet, for the pages that show fonts. */
export const faceSheet = html`<link rel="stylesheet" href="font-faces.css">`

const ruleOf = (file: string) => {
  const face = faceOf(file)
  return `@font-face { font-family: ${face}; src: url("font-file?file=${encodeURIComponent(file)}") format("truetype"); font-display: swap }
.${face} { font-family: ${face}, system-ui, sans-serif }`
}

/** The routes of the style sheet and of the font files. */
export function fontFaces(desk: Desk): void {
  const { app, context } = desk
  const files = async () => (await context.fontFiles()) ?? []

  app.get('/font-faces.css', {
    schema: hidden,
    handler: pageHandler(async (request, reply) => {
      await desk.assertOpen(request, 'fonts:read')
      const rules = (await files()).map(ruleOf).join('\n')
      return reply.type('text/css; charset=utf-8').send(rules)
    }),
  })

  app.get('/font-file', { schema: hidden, exposeHeadRoute: false }, async (request, reply) => {
    await desk.assertOpen(request, 'fonts:read')
    const storage = requireStorage(context.storage)
    const file = queryValue(request, 'file')
    const key = `${svcFolders.fonts}/${file}`
    const stored = (await files()).includes(file) ? await storage.stat(key) : undefined
    if (!stored) throw new SvcError('rest_no_route', { message: 'There is no such font.' })
    // The browser requests it each time, and receives 304 unless another file was uploaded.
    reply.header('cache-control', 'private, no-cache')
    const etag = setEtag(reply, `${stored.modified} ${stored.size} ${file}`, 'desk')
    if (matchesEtag(request, etag)) return reply.code(304).send()
    return reply.type('font/ttf').send(await storage.open(key))
  })
}

// Previews: pictures of views of designs, drawn by the renderer. It caches them, and browsers ask for them again only to learn whether
// the design has changed. Why one could not be drawn is remembered for a minute, and pages show it beside the place of the picture.
import { hash } from 'node:crypto'
import { SvcError } from '../../src/core/errors.ts'
import { type Html, html } from '../../src/core/html.ts'
import { fileTypes } from '../../src/files/file-types.ts'
import { disconnectSignal } from '../../src/http/disconnect.ts'
import { matchesEtag, setEtag } from '../../src/http/etag.ts'
import { hidden } from '../../src/http/schema.ts'
import { assertNotForeign } from '../../src/pages/forgery.ts'
import { queryValue } from '../../src/pages/form.ts'
import { type DesignRef, designOf, designRefIn, rendererClient, scopeOf } from './design-ref.ts'
import type { Desk } from './desk.ts'

const widths = [160, 240, 800]
/** Milliseconds for which a failure is shown instead of the picture; then it is drawn again. */
const failureAge = 60_000
/** The most failures that are remembered. */
const maxFailures = 1000

/** A view of a design. */
export interface PreviewOf extends DesignRef {
  view: number
}

interface PictureOptions {
  width: number
  /** Reserves the place of the picture until it is loaded; undefined if it is not known. */
  height?: number | undefined
  alt: string
  /** Why the preview cannot be drawn, see `knownFailure`. */
  failure?: string | undefined
  /** Whether this host draws. */
  canPreview: boolean
}

/** A preview that browsers load when it comes into view; "No preview" if it cannot be drawn, and the page shows the reason beside it. */
export function picture(
  { type, id, item, view }: PreviewOf,
  { width, height, alt, failure, canPreview }: PictureOptions,
): Html {
  if (!canPreview || failure) return html`<span class="blank" aria-hidden="true">No preview</span>`
  const src = `preview?type=${type}&id=${id}&item=${item}&view=${view}&width=${width}`
  return html`<img src="${src}" alt="${alt}" width="${width}"${height !== undefined && html` height="${height}"`} loading="lazy" decoding="async">`
}

const failureKey = ({ type, id, item, view }: PreviewOf) => [type, id, item, view].join()

/** Why the preview could not be drawn within the last minute; undefined if it could, or was not requested. */
export function knownFailure({ failures }: Desk, preview: PreviewOf): string | undefined {
  const failure = failures.get(failureKey(preview))
  return failure && failure.until > performance.now() ? failure.reason : undefined
}

/** Remembers why a preview could not be drawn; forgets it without a reason. */
function remember({ failures }: Desk, preview: PreviewOf, reason: string | undefined): void {
  failures.delete(failureKey(preview))
  if (reason === undefined) return
  failures.set(failureKey(preview), { reason, until: performance.now() + failureAge })
  const [oldest = ''] = failures.keys()
  if (failures.size > maxFailures) failures.delete(oldest)
}

/** Errors that have other causes than the design, and are not remembered. */
const temporaryErrors = new Set<string>(['svc_renderer_busy', 'svc_unavailable'])

/** The routes that draw pictures of designs. */
export function previewRoutes(desk: Desk): void {
  const { app, context } = desk

  app.get('/preview', { schema: hidden }, async (request, reply) => {
    assertNotForeign(request)
    const designRef = designRefIn((name) => queryValue(request, name))
    const [view, width] = [queryValue(request, 'view'), Number(queryValue(request, 'width'))]
    if (!widths.includes(width) || !/^\d{1,4}$/.test(view))
      throw new SvcError('rest_no_route', { message: 'There is no such preview.' })
    desk.assertMay(request, scopeOf(designRef))
    const { renderer } = context
    if (!renderer) throw new SvcError('svc_renderer_off')
    const preview = { ...designRef, view: Number(view) }
    try {
      const design = await designOf(desk, designRef)
      const key = hash('sha256', `${view} ${width} ${design}`)
      // The browser requests it each time, and receives 304 unless the design has changed.
      reply.header('cache-control', 'private, no-cache')
      const etag = setEtag(reply, key, 'desk')
      if (matchesEtag(request, etag)) return reply.code(304).send()
      const png = await renderer.preview(
        design,
        { key, client: rendererClient(designRef), view: preview.view, width },
        disconnectSignal(reply),
      )
      remember(desk, preview, undefined)
      return reply.type(fileTypes.png.mimeType).send(png)
    } catch (error) {
      reply.removeHeader('etag')
      if (!(error instanceof SvcError)) throw error
      if (!temporaryErrors.has(error.code)) remember(desk, preview, error.message)
      return reply
        .code(error.statusCode)
        .header('cache-control', 'private, no-store')
        .type('text/plain; charset=utf-8')
        .send(error.message)
    }
  })
}

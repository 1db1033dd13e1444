// Pictures of the files of the library, drawn small by the renderer, which reads all storages and shows a drawing as a picture.
import { hash } from 'node:crypto'
import { requestTime, within } from '../../src/core/deadline.ts'
import { SvcError } from '../../src/core/errors.ts'
import { fileTypes } from '../../src/files/file-types.ts'
import { disconnectSignal } from '../../src/http/disconnect.ts'
import { matchesEtag, setEtag } from '../../src/http/etag.ts'
import { hidden } from '../../src/http/schema.ts'
import { assetsRepository } from '../../src/library/assets.ts'
import { assertNotForeign } from '../../src/pages/forgery.ts'
import { queryValue } from '../../src/pages/form.ts'
import type { Asset } from './asset-parts.ts'
import type { Desk } from './desk.ts'

/** Widths in pixels that the pages show. */
const widths = [240, 800]

/** The route of the pictures that `assetPreview` shows. */
export function assetPreviewRoute(desk: Desk): void {
  const { database, totals, storages, renderer } = desk.context
  const assets = assetsRepository(database, totals, storages)

  desk.app.get('/asset-preview', { schema: hidden }, async (request, reply) => {
    assertNotForeign(request)
    const width = Number(queryValue(request, 'width'))
    if (!renderer) throw new SvcError('svc_renderer_off')
    const asset = await within(requestTime.handler, async () => {
      await desk.assertOpen(request, 'assets:read')
      return assets.find(queryValue(request, 'key'))
    })
    if (!asset || !widths.includes(width)) throw new SvcError('svc_asset_not_found')
    const key = hash('sha256', JSON.stringify([asset.key, asset.size, asset.modified, width]))
    reply.header('cache-control', 'private, no-cache')
    const etag = setEtag(reply, key, 'desk')
    if (matchesEtag(request, etag)) return reply.code(304).send()
    const settings = { key, client: 'library', view: 0, width }
    try {
      const png = await renderer.preview(designOf(asset), settings, disconnectSignal(reply))
      return reply.type(fileTypes.png.mimeType).send(png)
    } catch (error) {
      reply.removeHeader('etag')
      throw error
    }
  })
}

/** A design that shows the asset alone. */
function designOf({ url, title, width, height }: Asset): string {
  const [stageWidth, stageHeight] = [width ?? 300, height ?? 300]
  const parameters = { left: stageWidth / 2, top: stageHeight / 2 }
  const elements = [{ title, source: url, type: 'image', parameters }]
  return JSON.stringify({ product: [{ title, elements, options: { stageWidth, stageHeight } }] })
}

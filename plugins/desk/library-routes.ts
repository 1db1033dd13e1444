// The library of uploaded pictures, drawings and PDFs: a grid with the original file names, and a page for each file that lists
// its usages and can delete it.
import { requestTime, uploadTime, within } from '../../src/core/deadline.ts'
import { invalidParams, SvcError } from '../../src/core/errors.ts'
import { type Html, html } from '../../src/core/html.ts'
import { typesFor } from '../../src/files/file-types.ts'
import { svcFolders } from '../../src/files/folders.ts'
import { hidden } from '../../src/http/schema.ts'
import { assetsRepository } from '../../src/library/assets.ts'
import { assetUsages } from '../../src/orders/asset-usages.ts'
import { assertNotForeign } from '../../src/pages/forgery.ts'
import { listPageOf, queryValue, valueIn } from '../../src/pages/form.ts'
import { choices, notice, section } from '../../src/pages/html.ts'
import {
  type Asset,
  assetCard,
  assetFacts,
  assetPage,
  assetPreview,
  assetUploaded,
  typeNames,
} from './asset-parts.ts'
import { assetPreviewRoute } from './asset-preview.ts'
import type { Desk, FormMaker } from './desk.ts'
import { receiveFile } from './received-file.ts'
import { deleteParts, usageList } from './usage-parts.ts'

const pageSize = 24

const noAsset = () => new SvcError('svc_asset_not_found')

/** The pages that list, upload, show and delete the files of the library. */
export function libraryRoutes(desk: Desk): void {
  assetPreviewRoute(desk)
  const { context } = desk
  const { database, totals, storages, checks, assetSpool } = context
  const assets = assetsRepository(database, totals, storages)
  const usagesOf = assetUsages(database)
  const canPreview = context.renderer !== undefined
  /** What the check of an upload has changed in the file, by key: of the newest files that this process received. */
  const checkWarnings = new Map<string, string>()

  async function assetNamed(key: string): Promise<Asset> {
    const asset = await assets.find(key)
    if (!asset) throw noAsset()
    return asset
  }

  desk.get('/library', 'assets:read', async (request, form) => {
    const search = queryValue(request, 'q').trim().slice(0, 200)
    const type = typesFor('asset').find((name) => name === queryValue(request, 'type'))
    const number = listPageOf(request)
    const rows = { limit: pageSize, offset: (number - 1) * pageSize }
    const { items, total } = await assets.list({ ...rows, type, search: search || undefined })
    const link = (page: number, text: string) =>
      html`<a href="library?q=${encodeURIComponent(search)}&type=${type ?? ''}&page=${page}">${text}</a>`
    const zone = await desk.timeZone()
    const main = html`${queryValue(request, 'deleted') === '1' && notice('done', 'The file was deleted.')}
${uploadSection(form)}
${filters(search, type ?? '')}
<p><a href="unused">Unused files</a></p>
<p class="remark" role="status">${total} ${total === 1 ? 'file' : 'files'}, newest first.</p>
<ul class="gallery">${items.map((asset) => html`<li>${assetCard(asset, canPreview, zone)}</li>`)}</ul>
<p class="pages">${number > 1 && link(number - 1, 'Newer files')} ${number * pageSize < total && link(number + 1, 'Older files')}</p>`
    return { title: 'Library', current: 'library', main }
  })

  // Only reading has the time limit of a page: after an upload, the renderer checks the file, with a longer one.
  desk.app.get('/asset', { schema: hidden }, async (request, reply) => {
    assertNotForeign(request)
    const { asset, usages, zone } = await within(requestTime.handler, async () => {
      await desk.assertOpen(request, 'assets:read')
      const asset = await assetNamed(queryValue(request, 'key'))
      return { asset, usages: await usagesOf(asset), zone: await desk.timeZone() }
    })
    const { key, title } = asset
    const form = desk.forms(request, reply)
    const removal = html`<p class="remark">The file is deleted from its storage. Designs that show it cannot be printed afterwards.</p>${deleteParts(title, usages)}`
    const main = html`${queryValue(request, 'uploaded') === '1' && (await uploadNotices(asset, request.ip))}
<p><a href="library">All files</a></p>
${section('asset-picture', 'Picture', [
  html`<div class="asset">${assetPreview(asset, 800, canPreview)}</div>`,
  html`<dl><dt>Original name</dt><dd>${title}</dd><dt>Stored as</dt><dd><code>${key}</code></dd>
<dt>Type and size</dt><dd>${assetFacts(asset)}</dd><dt>Uploaded</dt><dd>${assetUploaded(asset, zone)}</dd><dt>URL</dt><dd><code>${asset.url}</code></dd></dl>`,
])}
${section('asset-usages', 'Where it is used', usageList(desk, request, usages))}
${form('assets:write', 'delete-asset', { key }, section('asset-delete', 'Delete', removal), { className: '' })}`
    return desk.send(request, reply, { title: title || key, current: 'library', main })
  })

  /** Says that the file was uploaded, what its check has changed, and what the renderer finds in it. */
  async function uploadNotices(asset: Asset, sender: string): Promise<Html> {
    const { key, url, width, height, mime_type: mimeType } = asset
    const rendererWarnings = await context.uploadWarnings({ url, mimeType, width, height }, sender)
    const warnings = [checkWarnings.get(key) ?? [], rendererWarnings].flat()
    const list = html`<ul>${warnings.map((warning) => html`<li>${warning}</li>`)}</ul>`
    return html`${notice('done', 'The file was uploaded.')}
${warnings.length > 0 && section('asset-warnings', 'Before you print it', list)}`
  }

  desk.post('/delete-asset', { scope: 'assets:write', operation: 'delete_asset' }, async (form) => {
    if (valueIn(form, 'confirmed') !== 'yes') throw invalidParams({ confirmed: 'must be ticked' })
    if (!(await assets.remove(valueIn(form, 'key')))) throw noAsset()
    return 'library?deleted=1'
  })

  const route = { scope: 'assets:write', operation: 'upload_asset', fields: [] } as const
  receiveFile(
    desk,
    '/add-asset',
    { ...route, folder: svcFolders.assets, spool: assetSpool },
    async (file) => {
      const { picture } = await within(requestTime.handler, () => context.uploadLimits())
      const accepted = await within(uploadTime.check, () => checks.asset(file, picture))
      const { asset, found_by } = await assets.create(accepted)
      if (found_by.warning !== null) remember(checkWarnings, asset.key, found_by.warning)
      return `${assetPage(asset.key)}&uploaded=1`
    },
  )
}

/** The most files whose warnings are remembered. */
const maxRemembered = 100

/** Adds a warning, and removes the oldest if there are too many. */
function remember(warnings: Map<string, string>, key: string, warning: string): void {
  const [oldest] = warnings.keys()
  if (oldest !== undefined && warnings.size >= maxRemembered) warnings.delete(oldest)
  warnings.set(key, warning)
}

function uploadSection(form: FormMaker): Html | undefined {
  const fields = html`<p><label>Picture, drawing or PDF (.png, .jpg, .svg, .pdf) <input type="file" name="file" accept=".png,.jpg,.jpeg,.svg,.pdf" required></label></p>
<button class="main">Upload file</button>`
  const uploadForm = form('assets:write', 'add-asset', {}, fields, { hasFile: true })
  return uploadForm && section('asset-upload', 'Upload a file', uploadForm)
}

const filters = (search: string, type: string) => html`<form class="filters" action="library" method="get">
<p><label for="library-q">Name</label><input type="search" id="library-q" name="q" value="${search}" maxlength="200"></p>
<p><label for="library-type">Type</label><select id="library-type" name="type">${choices({ '': 'All', ...typeNames }, type)}</select></p>
<p><button>Search</button></p></form>`

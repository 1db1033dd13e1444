// The pages of fonts: upload, samples, the check of the renderer, usages, deletion.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { requestTime, uploadTime, within } from '../../src/core/deadline.ts'
import { invalidParams, SvcError } from '../../src/core/errors.ts'
import { type Html, html } from '../../src/core/html.ts'
import { contains } from '../../src/db/fold.ts'
import { svcFolders } from '../../src/files/folders.ts'
import { disconnectSignal } from '../../src/http/disconnect.ts'
import { hidden } from '../../src/http/schema.ts'
import { requireStorage } from '../../src/http/upload.ts'
import { fontsRepository } from '../../src/library/fonts.ts'
import { fontUsages } from '../../src/orders/font-usages.ts'
import { assertNotForeign } from '../../src/pages/forgery.ts'
import { listPageOf, queryValue, valueIn } from '../../src/pages/form.ts'
import { notice, section } from '../../src/pages/html.ts'
import type { Preflight } from '../../src/renderer/preflight-result.ts'
import type { Desk, FormMaker } from './desk.ts'
import { findingRows } from './finding-parts.ts'
import { faceOf, faceSheet, fontFaces } from './font-faces.ts'
import { type SampledFont, sampleDesign, sampleLines, stylesOf } from './font-sample.ts'
import { receiveFile } from './received-file.ts'
import { deleteParts, usageList } from './usage-parts.ts'

const pageSize = 24
const fontPage = (name: string) => `font?name=${encodeURIComponent(name)}`

/** The pages that list, upload and delete fonts. */
export function fontRoutes(desk: Desk): void {
  const { app, context } = desk
  const { storage, database, options, checks } = context
  // Without an uploads folder there is no font, and no link to these pages.
  if (!storage) return
  const fonts = fontsRepository(database, options, storage)
  const usagesOf = fontUsages(database, options)
  fontFaces(desk)

  desk.get('/fonts', 'fonts:read', async (request, form) => {
    const search = queryValue(request, 'q').trim().slice(0, 200)
    const number = listPageOf(request)
    const all = (await fonts.list()).filter(({ name }) => contains(name, search))
    const fontsOfPage = all.slice((number - 1) * pageSize, number * pageSize)
    const isDeleted = queryValue(request, 'deleted') === '1'
    const link = (page: number, text: string) =>
      html`<a href="fonts?q=${encodeURIComponent(search)}&page=${page}">${text}</a>`
    const main = html`${faceSheet}${isDeleted && notice('done', 'The font was deleted.')}
${uploadSection(form)}
${searchForm(search)}
<p class="remark" role="status">${all.length} ${all.length === 1 ? 'font' : 'fonts'}${search && ` with “${search}” in the name`}.</p>
<ul class="specimens">${fontsOfPage.map(specimen)}</ul>
<p class="pages">${number > 1 && link(number - 1, 'Previous fonts')} ${number * pageSize < all.length && link(number + 1, 'Next fonts')}</p>`
    return { title: 'Fonts', current: 'fonts', main }
  })

  // Only reading has the time limit of a page: the preflight of the sample has a longer one in the renderer.
  app.get('/font', { schema: hidden }, async (request, reply) => {
    assertNotForeign(request)
    const { font, usages } = await within(requestTime.handler, async () => {
      await desk.assertOpen(request, 'fonts:read')
      const font = await fontNamed(queryValue(request, 'name'))
      return { font, usages: await usagesOf(font.name) }
    })
    const { name } = font
    const form = desk.forms(request, reply)
    const isUploaded = queryValue(request, 'uploaded') === '1'
    const main = html`${faceSheet}${isUploaded && notice('done', 'The font was uploaded.')}
<p><a href="fonts">All fonts</a></p>
${section('font-sample', 'Sample', sampleParts(font))}
${await rendererSection(request, reply, font)}
${section('font-usages', 'Where it is used', usageList(desk, request, usages))}
${form('fonts:write', 'delete-font', { name }, html`${section('font-delete', 'Delete', html`<p class="remark">All its styles are deleted. Designs that name it cannot be printed until it is uploaded again.</p>${deleteParts(name, usages)}`)}`, { className: '' })}`
    return desk.send(request, reply, { title: name, current: 'fonts', main })
  })

  async function fontNamed(name: string): Promise<SampledFont> {
    const row = await fonts.find(name)
    if (!row) throw new SvcError('svc_font_not_found')
    return row.font
  }

  /** What the renderer finds in a sample of all styles; undefined if this host does not draw. */
  async function rendererSection(
    request: FastifyRequest,
    reply: FastifyReply,
    font: SampledFont,
  ): Promise<Html | undefined> {
    const { renderer } = context
    if (!renderer) return undefined
    const settings = { ...(await context.preflightForm()), client: `font ${request.ip}` }
    const result = await renderer
      .preflight(sampleDesign(font), settings, disconnectSignal(reply))
      .catch((error: unknown) => {
        if (error instanceof SvcError) return error.message
        throw error
      })
    return section('font-check', 'In print', checkedSample(result))
  }

  desk.post('/delete-font', { scope: 'fonts:write', operation: 'delete_font' }, async (form) => {
    if (valueIn(form, 'confirmed') !== 'yes') throw invalidParams({ confirmed: 'must be ticked' })
    if (!(await fonts.remove(valueIn(form, 'name')))) throw new SvcError('svc_font_not_found')
    return 'fonts?deleted=1'
  })

  const route = { scope: 'fonts:write', operation: 'upload_font', fields: ['name'] } as const
  const spool = async () => requireStorage(storage)
  receiveFile(desk, '/add-font', { ...route, folder: svcFolders.fonts, spool }, async (file) => {
    const accepted = await within(uploadTime.check, () => checks.font(file, file.fields.name))
    const { found_by } = await within(requestTime.handler, () => fonts.store(accepted))
    return `${fontPage(found_by)}&uploaded=1`
  })
}

function uploadSection(form: FormMaker): Html | undefined {
  const fields = html`<p><label>TrueType file (.ttf) <input type="file" name="file" accept=".ttf" required></label></p>
<p><label>Name of the family, if not that of the file <input type="text" name="name" maxlength="120" autocomplete="off" spellcheck="false"></label></p>
<button class="main">Upload font</button>`
  const uploadForm = form('fonts:write', 'add-font', {}, fields, { hasFile: true })
  const help = html`<p class="remark">For bold and italic, upload files whose names end in <code>__bold</code>, <code>__italic</code> or <code>__bolditalic</code>, after the regular one.</p>`
  return uploadForm && section('font-upload', 'Upload a font', [uploadForm, help])
}

const searchForm = (search: string) => html`<form class="filters" action="fonts" method="get">
<p><label for="font-q">Name</label><input type="search" id="font-q" name="q" value="${search}" maxlength="200"></p><p><button>Search</button></p></form>`

function specimen(font: SampledFont): Html {
  const styles = stylesOf(font).map(({ style }) => style)
  return html`<li><p class="specimen ${faceOf(font.file)}">${font.name}</p>
<p class="name"><a href="${fontPage(font.name)}">${font.name}</a></p><p class="remark">${styles.join(', ')}</p></li>`
}

const sampleParts = (font: SampledFont): Html[] =>
  stylesOf(font).map(
    ({ style, file }) => html`<h3>${style} <code>${file}</code></h3>
${sampleLines.map(({ text }) => html`<p class="specimen ${faceOf(file)}">${text}</p>`)}`,
  )

function checkedSample(result: Preflight | string): Html {
  if (typeof result === 'string') return html`<p class="why">${result}</p>`
  const rows = findingRows(result.findings)
  return rows ?? html`<p class="good">The renderer prints all letters of the sample.</p>`
}

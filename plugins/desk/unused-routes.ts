// The page of old files of the library that nothing uses, and the action that deletes them, which searches for usages once more.
import { requestTime, within } from '../../src/core/deadline.ts'
import { invalidParams } from '../../src/core/errors.ts'
import { type Html, html } from '../../src/core/html.ts'
import { databaseTime } from '../../src/db/time.ts'
import { assetsRepository } from '../../src/library/assets.ts'
import { unusedAssets } from '../../src/orders/unused-assets.ts'
import { listPageIn, listPageOf, queryValue, valueIn } from '../../src/pages/form.ts'
import { notice, section } from '../../src/pages/html.ts'
import { type Asset, assetCard } from './asset-parts.ts'
import type { Desk } from './desk.ts'

/** Files that are listed, and searched for, at a time. */
const pageSize = 24
/** Younger files may be in carts and in designs that were not saved yet, which are not searched. */
const minDays = 30
/** Milliseconds after which no further file is deleted; the page says how many are left. */
const maxDeleting = 6000

const cutOff =
  'This shop has more designs than can be searched while a page loads, so no file can be called unused. The page of each file lists the usages that were found.'

/** The page that lists files of the library that nothing uses, and deletes the selected ones. */
export function unusedRoutes(desk: Desk): void {
  const { database, totals, storages, renderer } = desk.context
  const assets = assetsRepository(database, totals, storages)
  const unusedAmong = unusedAssets(database)
  const oldest = async () => (await databaseTime(database)) - minDays * 86_400

  desk.get('/unused', 'assets:read', async (request, form) => {
    const number = listPageOf(request)
    const rows = { offset: (number - 1) * pageSize, limit: pageSize + 1 }
    const oldAssets = await assets.before(await oldest(), rows)
    const unused = await unusedAmong(oldAssets.slice(0, pageSize))
    const zone = await desk.timeZone()
    const cards = unused?.map((asset) => card(asset, renderer !== undefined, zone))
    const fields = html`<ul class="gallery">${cards}</ul>
<p><label class="box"><input type="checkbox" name="confirmed" value="yes" required> Permanently delete the selected files</label></p>
<p><button class="danger">Delete unused files</button></p>`
    const sent = form('assets:write', 'delete-unused', { page: String(number) }, fields, { className: '' })
    const list = cards?.length
      ? (sent ?? html`<ul class="gallery">${cards}</ul>`)
      : html`<p role="status">${noneUnused(oldAssets.length)}</p>`
    const main = html`
<p><a href="library">All files</a></p>
${deletionNotice(queryValue(request, 'deleted'), queryValue(request, 'left'))}
<p class="remark">Files that were uploaded more than ${minDays} days ago and that no product, design, layout, print profile, setting or order
contains, oldest first, among ${pageSize} files at a time. Carts, pages of the CMS and e-mails are not searched.</p>
${unused ? section('unused-files', 'Unused files', list) : notice('problem', cutOff)}
<p class="pages">${number > 1 && link(number - 1, 'Older files')} ${oldAssets.length > pageSize && link(number + 1, 'Newer files')}</p>`
    return { title: 'Unused files', current: 'library', main }
  })

  desk.post('/delete-unused', { scope: 'assets:write', operation: 'delete_unused_assets' }, async (form) => {
    if (valueIn(form, 'confirmed') !== 'yes') throw invalidParams({ confirmed: 'must be ticked' })
    const keys = [...new Set(form.get('key'))]
    if (keys.length === 0) throw invalidParams({ key: 'no file is selected' })
    if (keys.length > pageSize)
      throw invalidParams({ key: `at most ${pageSize} files can be deleted at a time` })
    const unused = await within(requestTime.handler, async () => {
      const before = await oldest()
      const chosen = await Promise.all(keys.map((key) => assets.find(key)))
      return unusedAmong(
        chosen.filter((asset) => asset !== undefined).filter(({ modified }) => modified < before),
      )
    })
    const until = performance.now() + maxDeleting
    let deleted = 0
    for (const { key } of unused ?? []) {
      if (performance.now() > until) break
      if (await assets.remove(key)) deleted++
    }
    return `unused?page=${listPageIn(valueIn(form, 'page'))}&deleted=${deleted}&left=${keys.length - deleted}`
  })
}

const card = (asset: Asset, canPreview: boolean, zone: string): Html => html`
<li>${assetCard(asset, canPreview, zone)}
<p><label class="box"><input type="checkbox" name="key" value="${asset.key}" checked> Delete<span class="unseen"> ${asset.title}</span></label></p></li>`

const noneUnused = (count: number) =>
  count === 0
    ? `No file is older than ${minDays} days. Newer files: open one in the library; its page says where it is used.`
    : 'All of these files are used.'

const link = (page: number, text: string) => html`<a href="unused?page=${page}">${text}</a>`

/** What the last deletion did. */
function deletionNotice(deleted: string, left: string): Html | undefined {
  if (!/^\d{1,3}$/.test(deleted) || !/^\d{1,3}$/.test(left)) return undefined
  const deletedText = `${filesText(Number(deleted))} deleted.`
  if (left === '0') return notice('done', deletedText)
  return notice(
    'problem',
    `${deletedText} ${filesText(Number(left))} not deleted: used by now, already gone, or there was no time.`,
  )
}

const filesText = (count: number) => (count === 1 ? '1 file was' : `${count} files were`)

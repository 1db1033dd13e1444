// A font or picture that a design needs: uploaded where it is missed.
import { requestTime, uploadTime, within } from '../../src/core/deadline.ts'
import { SvcError } from '../../src/core/errors.ts'
import { type Html, html } from '../../src/core/html.ts'
import { svcFolders } from '../../src/files/folders.ts'
import { requireStorage } from '../../src/http/upload.ts'
import { assetsRepository } from '../../src/library/assets.ts'
import { folder, fontsRepository } from '../../src/library/fonts.ts'
import { changeElements } from './design-change.ts'
import type { Desk, FormMaker } from './desk.ts'
import { type Drawn, drawnFields, drawnIn, drawnQuery, scopeToChange } from './drawn.ts'
import { type LostPicture, replacePicture } from './lost-pictures.ts'
import { type Received, receiveFile, type Upload } from './received-file.ts'

/** The routes that take files which a design lacks: fonts and pictures. */
export function uploadRoutes(desk: Desk): void {
  fontRoute(desk)
  pictureRoute(desk)
}

function fontRoute(desk: Desk): void {
  const { storage, database, options, checks } = desk.context
  const how = { scope: 'fonts:write', operation: 'upload_font', changesDesign: false, field: 'name' } as const
  const spool = async () => requireStorage(storage)

  postFile(desk, '/font', { ...how, folder, spool }, async (file, _drawn, name) => {
    const accepted = await within(uploadTime.check, () => checks.font(file, name))
    const fonts = fontsRepository(database, options, requireStorage(storage))
    await within(requestTime.handler, () => fonts.store(accepted))
  })
}

/** A form that uploads the font under this name. */
export function fontForm(form: FormMaker, drawn: Drawn, name: string): Html | undefined {
  const words = html`<label>Font ${name} (.ttf) <input type="file" name="file" accept=".ttf" required></label> <button>Upload</button>`
  return form('fonts:write', 'font', { name, ...drawnFields(drawn) }, words, { hasFile: true })
}

function pictureRoute(desk: Desk): void {
  const { database, totals, storages, checks, assetSpool, uploadLimits } = desk.context
  const assets = assetsRepository(database, totals, storages)
  const how = {
    scope: 'assets:write',
    operation: 'replace_picture',
    changesDesign: true,
    field: 'picture',
    folder: svcFolders.assets,
    spool: assetSpool,
  } as const
  postFile(desk, '/picture', how, async (file, drawn, key) => {
    const { picture } = await within(requestTime.handler, () => uploadLimits())
    const accepted = await within(uploadTime.check, () => checks.asset(file, picture))
    if (accepted.type === 'pdf')
      throw new SvcError('svc_upload_type_not_allowed', { message: 'A picture is a PNG, JPEG or SVG file.' })
    const { asset } = await assets.create(accepted)
    try {
      await within(requestTime.handler, () =>
        changeElements(desk, drawn, (elements) => replacePicture(elements, key, asset)),
      )
    } catch (error) {
      // Nothing shows it.
      await assets.remove(asset.key).catch(() => {})
      throw error
    }
  })
}

/** Elements that the form of a picture names. */
const maxPlaces = 20

/** A form that uploads a picture in place of the lost one; nothing for those who may not change the design. */
export function pictureForm(
  form: FormMaker,
  canUpload: boolean,
  drawn: Drawn,
  { key, places, file }: LostPicture,
): Html | undefined {
  const titles = [...new Set(places.map(({ view, element }) => [view, element].filter(Boolean).join(', ')))]
  const words = html`<label>${titles.slice(0, maxPlaces).join('; ')}${file && html` <code>${file}</code>`} (.png, .jpg, .svg) <input type="file" name="file" accept=".png,.jpg,.jpeg,.svg" required></label> <button>Upload</button>`
  return canUpload
    ? form(scopeToChange(drawn), 'picture', { picture: key, ...drawnFields(drawn) }, words, { hasFile: true })
    : undefined
}

interface Taken extends Omit<Received, 'fields'> {
  /** Whether the design itself is changed. */
  changesDesign: boolean
  /** Field that names what is missing. */
  field: string
}

/** A form with one file that a design lacks; then the check of the design is shown once more. */
function postFile(
  desk: Desk,
  url: string,
  { changesDesign, field, ...how }: Taken,
  act: (file: Upload, drawn: Drawn, what: string) => Promise<void>,
): void {
  const fields = ['type', 'id', 'item', field]
  receiveFile(desk, url, { ...how, fields }, async (file, request) => {
    const drawn = drawnIn((name) => file.fields[name] ?? '')
    if (changesDesign) desk.assertMay(request, scopeToChange(drawn))
    await act(file, drawn, file.fields[field] ?? '')
    return `check?${drawnQuery(drawn)}`
  })
}

// Uploads of a font or a picture that a design lacks, by the forms on the page of its check, which is shown again afterwards.
import { requestTime, uploadTime, within } from '../../src/core/deadline.ts'
import { SvcError } from '../../src/core/errors.ts'
import { type Html, html } from '../../src/core/html.ts'
import { svcFolders } from '../../src/files/folders.ts'
import { requireStorage } from '../../src/http/upload.ts'
import { assetsRepository } from '../../src/library/assets.ts'
import { fontsRepository } from '../../src/library/fonts.ts'
import { changeElements, PartlyChanged } from './design-change.ts'
import { type DesignRef, designFields, designQuery, designRefIn, scopeToChange } from './design-ref.ts'
import type { Desk, FormMaker } from './desk.ts'
import { type LostPicture, replacePicture } from './lost-pictures.ts'
import { type FileForm, receiveFile, type Upload } from './received-file.ts'

/** The routes that take files which a design lacks: fonts and pictures. */
export function uploadRoutes(desk: Desk): void {
  fontRoute(desk)
  pictureRoute(desk)
}

function fontRoute(desk: Desk): void {
  const { storage, database, options, checks } = desk.context
  const how = { scope: 'fonts:write', operation: 'upload_font', changesDesign: false, field: 'name' } as const
  const spool = async () => requireStorage(storage)

  missingFileRoute(
    desk,
    '/font',
    { ...how, folder: svcFolders.fonts, spool },
    async (file, _designRef, name) => {
      const accepted = await within(uploadTime.check, () => checks.font(file, name))
      const fonts = fontsRepository(database, options, requireStorage(storage))
      await within(requestTime.handler, () => fonts.store(accepted))
    },
  )
}

/** A form that uploads the font under this name. */
export function fontForm(form: FormMaker, designRef: DesignRef, name: string): Html | undefined {
  const field = html`<label>Font ${name} (.ttf) <input type="file" name="file" accept=".ttf" required></label> <button>Upload</button>`
  return form('fonts:write', 'font', { name, ...designFields(designRef) }, field, { hasFile: true })
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
  missingFileRoute(desk, '/picture', how, async (file, designRef, key) => {
    const { picture } = await within(requestTime.handler, () => uploadLimits())
    const accepted = await within(uploadTime.check, () => checks.asset(file, picture))
    if (accepted.type === 'pdf')
      throw new SvcError('svc_upload_type_not_allowed', { message: 'A picture is a PNG, JPEG or SVG file.' })
    const { asset } = await assets.create(accepted)
    try {
      await within(requestTime.handler, () =>
        changeElements(desk, designRef, (elements) => replacePicture(elements, key, asset)),
      )
    } catch (error) {
      if (error instanceof PartlyChanged) throw error.cause
      // No design shows the stored picture.
      await assets.remove(asset.key).catch(() => {})
      throw error
    }
  })
}

/** The most elements that the form of a picture names. */
const maxPlaces = 20

/** A form that uploads a picture in place of the lost one. Its visitor needs `assets:write` as well, which the caller checks. */
export function pictureForm(
  form: FormMaker,
  designRef: DesignRef,
  { key, places, file }: LostPicture,
): Html | undefined {
  const titles = [...new Set(places.map(({ view, element }) => [view, element].filter(Boolean).join(', ')))]
  const field = html`<label>${titles.slice(0, maxPlaces).join('; ')}${file && html` <code>${file}</code>`} (.png, .jpg, .svg) <input type="file" name="file" accept=".png,.jpg,.jpeg,.svg" required></label> <button>Upload</button>`
  return form(scopeToChange(designRef), 'picture', { picture: key, ...designFields(designRef) }, field, {
    hasFile: true,
  })
}

interface MissingFile extends Omit<FileForm, 'fields'> {
  /** Whether the design itself is changed. */
  changesDesign: boolean
  /** Name of the field that identifies the missing file: the family of a font, or the key of a `LostPicture`. */
  field: string
}

/** Declares the route of a form with one file that a design lacks. @param act gets the value of `field` as `missing` */
function missingFileRoute(
  desk: Desk,
  url: string,
  { changesDesign, field, ...how }: MissingFile,
  act: (file: Upload, designRef: DesignRef, missing: string) => Promise<void>,
): void {
  const fields = ['type', 'id', 'item', field]
  receiveFile(desk, url, { ...how, fields }, async (file, request) => {
    const designRef = designRefIn((name) => file.fields[name] ?? '')
    if (changesDesign) desk.assertMay(request, scopeToChange(designRef))
    await act(file, designRef, file.fields[field] ?? '')
    return `check?${designQuery(designRef)}`
  })
}

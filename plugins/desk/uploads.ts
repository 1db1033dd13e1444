// A font or picture that a design needs: uploaded where it is missed.
import { requestTime, uploadTime, within } from '../../src/core/deadline.ts'
import { SvcError } from '../../src/core/errors.ts'
import type { NeededScope } from '../../src/core/scopes.ts'
import { svcFolders } from '../../src/files/folders.ts'
import { hidden } from '../../src/http/schema.ts'
import { acceptForms, requireStorage, type UploadedFile, withUpload } from '../../src/http/upload.ts'
import { assetsRepository } from '../../src/library/assets.ts'
import { folder, fontsRepository } from '../../src/library/fonts.ts'
import { type Html, html } from '../../src/pages/html.ts'
import { type LostPicture, replacePicture } from './design.ts'
import { changeElements } from './design-change.ts'
import {
  type Desk,
  type Drawn,
  drawnFields,
  drawnIn,
  drawnQuery,
  type FormMaker,
  scopeToChange,
} from './desk.ts'

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
  const { database, totals, storages, checks, spool, uploadLimits } = desk.context
  const assets = assetsRepository(database, totals, storages)
  const how = {
    scope: 'assets:write',
    operation: 'replace_picture',
    changesDesign: true,
    field: 'picture',
  } as const
  const received = async () => {
    await storages.current()
    return spool
  }

  const where = { folder: svcFolders.assets, spool: received }
  postFile(desk, '/picture', { ...how, ...where }, async (file, drawn, key) => {
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

/** A form that uploads a picture in place of the lost one; nothing for those who may not change the design. */
export function pictureForm(
  form: FormMaker,
  canUpload: boolean,
  drawn: Drawn,
  { key, view, element, file }: LostPicture,
): Html | undefined {
  const words = html`<label>${[view, element].filter(Boolean).join(', ')}${file && html` <code>${file}</code>`} (.png, .jpg, .svg) <input type="file" name="file" accept=".png,.jpg,.jpeg,.svg" required></label> <button>Upload</button>`
  return canUpload
    ? form(scopeToChange(drawn), 'picture', { picture: key, ...drawnFields(drawn) }, words, { hasFile: true })
    : undefined
}

type Upload = UploadedFile & { client: string }

interface Taken {
  /** The right to store the file. */
  scope: NeededScope
  /** Name in the audit trail. */
  operation: string
  /** Of the temporary file. */
  folder: string
  spool: Parameters<typeof withUpload>[3]['spool']
  /** Whether the design itself is changed. */
  changesDesign: boolean
  /** Field that names what is missing. */
  field: string
}

/** A form with one file, for those who have the scopes; then the check of the design is shown once more. */
function postFile(
  desk: Desk,
  url: string,
  { scope, operation, changesDesign, field, ...where }: Taken,
  act: (file: Upload, drawn: Drawn, what: string) => Promise<void>,
): void {
  const { app, context } = desk
  app.register(async (forms) => {
    acceptForms(forms)
    forms.post(url, {
      schema: hidden,
      handler: async (request, reply) => {
        desk.assertMay(request, scope)
        const { bytes } = await within(requestTime.handler, () => context.uploadLimits())
        const form = { ...where, bytes, fields: ['_form', 'type', 'id', 'item', field] }
        const next = await withUpload(context, request, reply, form, (file) =>
          desk.acting(request, file.fields._form ?? '', operation, async () => {
            const drawn = drawnIn((name) => file.fields[name] ?? '')
            if (changesDesign) desk.assertMay(request, scopeToChange(drawn))
            await act({ ...file, client: request.ip }, drawn, file.fields[field] ?? '')
            return `check?${drawnQuery(drawn)}`
          }),
        )
        return reply.redirect(next, 303)
      },
    })
  })
}

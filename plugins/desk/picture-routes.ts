// A picture that a design needs and that is lost or damaged: another one is uploaded where it is missed.
import { requestTime, uploadTime, within } from '../../src/core/deadline.ts'
import { SvcError } from '../../src/core/errors.ts'
import { svcFolders } from '../../src/files/folders.ts'
import { assetsRepository } from '../../src/library/assets.ts'
import { type Html, html } from '../../src/pages/html.ts'
import { changeElements } from './design-change.ts'
import type { Desk, FormMaker } from './desk.ts'
import { type Drawn, drawnFields, scopeToChange } from './drawn.ts'
import { type LostPicture, replacePicture } from './lost-pictures.ts'
import { postFile } from './upload.ts'

const scope = 'assets:write'

export function pictureRoutes(desk: Desk): void {
  const { database, totals, storages, checks, spool, uploadLimits } = desk.context
  const assets = assetsRepository(database, totals, storages)
  const how = { scope, operation: 'replace_picture', changesDesign: true, field: 'picture' } as const
  const received = async () => {
    await storages.current()
    return spool
  }

  postFile(
    desk,
    '/picture',
    { ...how, folder: svcFolders.assets, spool: received },
    async (file, drawn, key) => {
      const { picture } = await within(requestTime.handler, () => uploadLimits())
      const accepted = await within(uploadTime.check, () => checks.asset(file, picture))
      if (accepted.type === 'pdf')
        throw new SvcError('svc_upload_type_not_allowed', {
          message: 'A picture is a PNG, JPEG or SVG file.',
        })
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
    },
  )
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
    ? form(scopeToChange(drawn), 'picture', { picture: key, ...drawnFields(drawn) }, words, true)
    : undefined
}

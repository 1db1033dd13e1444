// A font that a design needs and nobody has uploaded: uploaded where it is missed.
import { requestTime, uploadTime, within } from '../../src/core/deadline.ts'
import { requireStorage } from '../../src/http/upload.ts'
import { folder, fontsRepository } from '../../src/library/fonts.ts'
import { type Html, html } from '../../src/pages/html.ts'
import type { Desk, FormMaker } from './desk.ts'
import { type Drawn, drawnFields } from './drawn.ts'
import { postFile } from './upload.ts'

const scope = 'fonts:write'

export function fontRoutes(desk: Desk): void {
  const { storage, database, options, checks } = desk.context
  const how = { scope, operation: 'upload_font', changesDesign: false, field: 'name' } as const
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
  return form(scope, 'font', { name, ...drawnFields(drawn) }, words, true)
}

// A font that a design needs and nobody has uploaded: uploaded where it is missed.
import { requestTime, uploadTime, within } from '../../src/core/deadline.ts'
import { hidden } from '../../src/http/schema.ts'
import { acceptForms, requireStorage, withUpload } from '../../src/http/upload.ts'
import { folder, fontsRepository } from '../../src/library/fonts.ts'
import { type Html, html } from '../../src/pages/html.ts'
import type { Desk, FormMaker } from './desk.ts'
import { type Drawn, drawnInFields, drawnQuery } from './drawn.ts'

export function fontRoutes(desk: Desk): void {
  const { app, context } = desk
  const { storage, database, options, checks } = context

  app.register(async (forms) => {
    acceptForms(forms)
    forms.post('/font', {
      schema: hidden,
      handler: async (request, reply) => {
        desk.assertMay(request, 'fonts:write')
        const { bytes } = await within(requestTime.handler, () => context.uploadLimits())
        const fields = ['_form', 'name', 'type', 'id', 'item']
        const form = { folder, bytes, fields, spool: async () => requireStorage(storage) }
        const next = await withUpload(context, request, reply, form, (file) =>
          desk.acting(request, file.fields._form ?? '', 'upload_font', async () => {
            const drawn = drawnInFields((name) => file.fields[name] ?? '')
            const accepted = await within(uploadTime.check, () =>
              checks.font({ ...file, client: request.ip }, file.fields.name),
            )
            const fonts = fontsRepository(database, options, requireStorage(storage))
            await within(requestTime.handler, () => fonts.store(accepted))
            return `check?${drawnQuery(drawn)}`
          }),
        )
        return reply.redirect(next, 303)
      },
    })
  })
}

/** A form that uploads the font under this name. */
export function fontForm(form: FormMaker, { type, id, item }: Drawn, name: string): Html | undefined {
  const about = { name, type, id: String(id), item: String(item) }
  const words = html`<label>Font ${name} (.ttf) <input type="file" name="file" accept=".ttf" required></label> <button>Upload</button>`
  return form('fonts:write', 'font', about, words, true)
}

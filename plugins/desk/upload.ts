// A file that a design lacks, sent from the page that says so.
import { requestTime, within } from '../../src/core/deadline.ts'
import type { NeededScope } from '../../src/core/scopes.ts'
import { hidden } from '../../src/http/schema.ts'
import { acceptForms, type UploadedFile, withUpload } from '../../src/http/upload.ts'
import type { Desk } from './desk.ts'
import { type Drawn, drawnInFields, drawnQuery, scopeToChange } from './drawn.ts'

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
export function postFile(
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
            const drawn = drawnInFields((name) => file.fields[name] ?? '')
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

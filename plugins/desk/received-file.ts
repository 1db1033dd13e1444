// Routes of forms with one file. The rights of the sender are checked before the file is received, the token of the form after that.
// The received file is temporary: `act` stores what it needs of it.
import type { FastifyRequest } from 'fastify'
import { requestTime, within } from '../../src/core/deadline.ts'
import type { NeededScope } from '../../src/core/scopes.ts'
import { hidden } from '../../src/http/schema.ts'
import { acceptForms, type UploadedFile, withUpload } from '../../src/http/upload.ts'
import type { Desk } from './desk.ts'

/** A received file. `client` is the address of its sender; senders take turns in the checks of files. */
export type Upload = UploadedFile & { client: string }

/** A form with one file. */
export interface FileForm {
  /** The right that sending the form needs. */
  scope: NeededScope
  /** Name in the audit trail. */
  operation: string
  /** Folder of the temporary file. */
  folder: string
  /** Returns the storage of the temporary file; called before the file is received, and throws if it could not be stored. */
  spool: Parameters<typeof withUpload>[3]['spool']
  /** Names of the other fields, without the form's token. */
  fields: readonly string[]
}

/**
 * Declares the route of a form with one file, which is removed once `act` has ended.
 * @param act returns the page to show next
 */
export function receiveFile(
  desk: Desk,
  url: string,
  { scope, operation, fields, ...where }: FileForm,
  act: (file: Upload, request: FastifyRequest) => Promise<string>,
): void {
  const { app, context } = desk
  app.register(async (forms) => {
    acceptForms(forms)
    forms.post(url, {
      schema: hidden,
      handler: async (request, reply) => {
        await within(requestTime.handler, () => desk.assertOpen(request, scope))
        const { bytes } = await within(requestTime.handler, () => context.uploadLimits())
        const form = { ...where, bytes, fields: ['_form', ...fields] }
        const next = await withUpload(context, request, reply, form, (file) =>
          desk.runAction(request, file.fields._form ?? '', operation, () =>
            act({ ...file, client: request.ip }, request),
          ),
        )
        return reply.redirect(next, 303)
      },
    })
  })
}

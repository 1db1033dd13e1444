// /fonts: lists, uploads and deletes the TrueType families that customers may use.
import { requestTime, uploadTime, within } from '../../src/core/deadline.ts'
import { SvcError } from '../../src/core/errors.ts'
import { contains } from '../../src/db/fold.ts'
import { svcFolders } from '../../src/files/folders.ts'
import { group, type Rest } from '../../src/http/group.ts'
import { once } from '../../src/http/idempotency.ts'
import { listRoute } from '../../src/http/list-route.ts'
import { ok } from '../../src/http/response.ts'
import { hidden, responses } from '../../src/http/schema.ts'
import { acceptForms, requireStorage, uploadCauses, withUpload } from '../../src/http/upload.ts'
import { type FoundFont, fontsRepository } from '../../src/library/fonts.ts'
import { DeletedFont, Font, FontForm, FontListQuery, FontParams } from './schema.ts'

/** Seconds in which checking and storing should have ended: after them a repeated request may begin again. */
const maxSeconds = 120

/** The font. @throws SvcError 404 if it is undefined */
function found<T>(font: T | undefined): T {
  if (font === undefined) throw new SvcError('svc_font_not_found')
  return font
}

/** The routes of fonts: listed, uploaded and removed. */
export default group('fonts', (app, context) => {
  const { storage, database, options, checks } = context
  const repository = storage && fontsRepository(database, options, storage)
  // After a crash in the middle of a write, the list of offered fonts may lack a font, or contain a deleted one.
  app.addHook('onReady', async () => {
    repository?.repair().catch((error) => app.log.warn(error, 'The offered fonts could not be checked.'))
  })
  /** The repository. @throws SvcError 503 without an uploads folder */
  const fonts = () => {
    requireStorage(storage)
    return found(repository)
  }

  listRoute(app, context, {
    operationId: 'list_fonts',
    summary: 'List font families',
    config: { causes: ['svc_storage_not_configured'] },
    querystring: FontListQuery,
    resource: Font,
    read: async ({ search = '' }) => ({
      items: (await fonts().list()).filter(({ name }) => contains(name, search)),
    }),
  })

  app.register(async (forms) => {
    acceptForms(forms)
    forms.post('/', {
      schema: {
        operationId: 'upload_font',
        summary: 'Upload a font',
        description:
          'One TrueType file. The suffixes `__bold`, `__italic` and `__bolditalic` of its name make variants.',
        response: responses(201, Font),
      },
      config: { patient: true, documented: FontForm, causes: uploadCauses },
      handler: async (request, reply) => {
        const { bytes } = await within(requestTime.handler, () => context.uploadLimits())
        const form = {
          folder: svcFolders.fonts,
          bytes,
          fields: ['name'],
          spool: async () => requireStorage(storage),
        }
        const { font } = await withUpload(context, request, reply, form, (file) =>
          once<FoundFont, string>(context, request, reply, {
            body: [file.name, file.fields, file.sha256],
            maxSeconds,
            make: async () => {
              const accepted = await within(uploadTime.check, () =>
                checks.font({ ...file, client: request.ip }, file.fields.name),
              )
              return within(requestTime.handler, () => fonts().store(accepted))
            },
            findAgain: async (name) => found(await fonts().find(name)),
          }),
        )
        const warnings = await context.uploadWarnings({ family: font.name }, request.ip)
        reply.code(201)
        return ok(font, warnings.length > 0 ? { warnings } : undefined)
      },
    })
  })

  const remove = async (name: string) => ok({ name: found(await fonts().remove(name)), deleted: true })

  const response = responses(200, DeletedFont)
  app.delete('/:name', {
    config: { takes: [], causes: ['svc_storage_not_configured'] },
    schema: {
      operationId: 'delete_font',
      summary: 'Delete a font family',
      description: 'With all its variants.',
      params: FontParams,
      response,
    },
    handler: (request) => remove(request.params.name),
  })
  // The same for names that the router does not match as a parameter: more than 100 characters.
  app.delete<Rest>('/*', {
    schema: { ...hidden, response },
    config: { twinOf: 'delete_font' },
    handler: (request) => remove(request.params['*']),
  })
})

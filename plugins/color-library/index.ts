// /color-library: reads and saves the library of named colors and palettes, and finds where a color or palette is used.
import { SvcError } from '../../src/core/errors.ts'
import { ifMatch, matchesEtag, setEtag } from '../../src/http/etag.ts'
import { selectedFields } from '../../src/http/fields.ts'
import { group } from '../../src/http/group.ts'
import { withUnreadable } from '../../src/http/pagination.ts'
import { ok, pick } from '../../src/http/response.ts'
import { FieldsQuery, responses } from '../../src/http/schema.ts'
import { colorLibraryRepository, type FoundLibrary } from '../../src/library/color-library.ts'
import { usageScan } from '../../src/library/color-usages.ts'
import { ColorLibrary, ColorLibraryBody, Usages, UsagesQuery } from './schema.ts'

/** `meta` of a response with the library. */
function metaOf({ persisted, library: { version }, unreadable }: FoundLibrary) {
  return withUnreadable(
    { persisted, version },
    unreadable.map((key) => ({ id: key, column: 'option_value' })),
  )
}

/** The routes of the color library, which is saved as a whole. */
export default group('color_library', (app, context) => {
  const { encoder, t } = context.database
  const colors = colorLibraryRepository(context.options, encoder, t.options)
  const scan = usageScan(context.database)

  app.get('/', {
    schema: {
      operationId: 'get_color_library',
      summary: 'Get the color library',
      description: 'All colors and palettes.',
      querystring: FieldsQuery,
      response: responses(200, ColorLibrary),
    },
    handler: async (request, reply) => {
      const selection = selectedFields(request.query, ColorLibrary)
      const stored = await colors.find()
      const etag = setEtag(reply, stored.state, selection.key)
      if (matchesEtag(request, etag)) return reply.code(304).send()
      return ok(pick(stored.library, selection), metaOf(stored))
    },
  })

  app.put('/', {
    bodyLimit: context.bodyLimits.blob,
    config: { causes: ['svc_color_library_invalid'] },
    schema: {
      operationId: 'save_color_library',
      summary: 'Save the color library',
      description: 'Replaces all colors and palettes; everything is validated first.',
      body: ColorLibraryBody,
      response: responses(200, ColorLibrary),
    },
    handler: async (request, reply) => {
      // `save` validates the properties, which the schema leaves open.
      const saved = await colors.save(request.body as Record<string, unknown>, ifMatch(request))
      setEtag(reply, saved.state)
      return ok(saved.library, metaOf(saved))
    },
  })

  app.get('/usages', {
    config: { takes: [], causes: ['svc_color_not_found', 'svc_palette_not_found'] },
    schema: {
      operationId: 'get_color_library_usages',
      summary: 'Find where a color or palette is used',
      description: 'Settings, print profiles, designs, products and views that refer to it.',
      querystring: UsagesQuery,
      response: responses(200, Usages),
    },
    handler: async (request) => {
      const { id, type } = request.query
      const selection = selectedFields(request.query, Usages)
      const { color, palette, palettes } = await colors.findWithPalettes(type, id)
      if (!color && !palette) {
        throw new SvcError(type === 'color' ? 'svc_color_not_found' : 'svc_palette_not_found', {
          message: `No ${type} with the id "${id}" in the library.`,
        })
      }
      const picker = (await context.options.get('svc_color_colorPickerPalette')) ?? ''
      const { usages, incomplete } = await scan({ palettes, id, color, picker, selection })
      return ok(pick(usages, selection), incomplete.length > 0 ? { incomplete } : undefined)
    },
  })
})

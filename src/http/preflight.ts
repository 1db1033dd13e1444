// Preflights: what a print of a design would be like, as data.

import { type TObject, Type } from '@sinclair/typebox'
import type { SvcContext } from '../app/context.ts'
import { type ErrorCode, SvcError } from '../core/errors.ts'
import { disconnectSignal } from './disconnect.ts'
import type { GroupScope } from './group.ts'
import { ok } from './response.ts'
import { IdParams, responses, TextOrNull } from './schema.ts'

export const PreflightFinding = Type.Object({
  level: Type.String({ description: 'refusal: it is not printed; warning: it is worth a look.' }),
  code: Type.String({
    description:
      'design, page, value, feature, font, glyph, picture, drawing, box, limit, or with a value: resolution (dpi), line (pt), margin (mm between text and edge, negative if it is cut), bleed (mm a picture reaches beyond the edge), overflow (mm of text that are cut off), ink (% of all inks together), rgb.',
  }),
  view: TextOrNull('Title of the view; null for the whole design.'),
  element: TextOrNull('Title of the element; null for the whole view.'),
  message: Type.String({ description: 'One sentence.' }),
  value: Type.Union([Type.Number(), Type.String(), Type.Null()], {
    description: 'What was measured, in the unit of the code.',
  }),
})

const Page = Type.Object({
  view: Type.String({ description: 'Title of the view.' }),
  area: TextOrNull('Print area, where the view has several.'),
  width: Type.Number({ description: 'Millimetres, without the bleed.' }),
  height: Type.Number({ description: 'Millimetres, without the bleed.' }),
  bleed: Type.Number({ description: 'Millimetres on each side.' }),
  elements: Type.Array(
    Type.Object({
      title: Type.String({ description: 'Title of the element.' }),
      type: Type.String({ description: 'text or picture.' }),
      dpi: Type.Union([Type.Number(), Type.Null()], {
        description: 'Effective resolution of a picture of pixels.',
      }),
    }),
    { description: 'What is printed on the page.' },
  ),
})

const Font = Type.Object({
  family: Type.String({ description: 'As in the design.' }),
  bold: Type.Boolean({ description: 'Whether it is needed in bold.' }),
  italic: Type.Boolean({ description: 'Whether it is needed in italic.' }),
  substitute: TextOrNull('The family that is printed in its place.'),
  missing: Type.Boolean({ description: 'Neither uploaded nor replaced.' }),
})

const Preflight = Type.Object({
  printable: Type.Boolean({ description: 'Whether nothing is refused.' }),
  findings: Type.Array(PreflightFinding, { description: 'Refusals first.' }),
  pages: Type.Array(Page, { description: 'In the order of the file.' }),
  fonts: Type.Array(Font, { description: 'Every font that the texts need.' }),
})

interface PreflightRoute<Query> {
  /** In the operation id. */
  one: string
  summary: string
  description: string
  querystring?: TObject & { static: Query }
  /** Error codes in addition to those of all preflights. */
  causes?: readonly ErrorCode[]
  /** @returns JSON text of a design */
  read(id: number, query: Query): Promise<string>
}

/** GET of what a print of a design would be like: 501 if the renderer is off. */
export function preflightRoute<Query>(
  app: GroupScope,
  context: SvcContext,
  { one, summary, description, querystring, causes = [], read }: PreflightRoute<Query>,
): void {
  app.get('/:id/preflight', {
    // As previews, except that nothing is refused.
    config: {
      patient: true,
      takes: [],
      causes: ['svc_render_failed', 'svc_renderer_busy', 'svc_renderer_off', ...causes],
    },
    schema: {
      operationId: `get_${one}_preflight`,
      summary,
      description,
      params: IdParams,
      ...(querystring && { querystring }),
      response: responses(200, Preflight),
    },
    handler: async (request, reply) => {
      const { renderer, uploadLimits, printOutput } = context
      if (!renderer) throw new SvcError('svc_renderer_off')
      const { minDpi } = (await uploadLimits()).picture
      const design = await read(request.params.id, request.query as Query)
      return ok(await renderer.preflight(design, minDpi, disconnectSignal(reply), await printOutput()))
    },
  })
}

// Previews: one view of a design as PNG, under the ETag of what it was drawn from.

import { hash } from 'node:crypto'
import { type TObject, Type } from '@sinclair/typebox'
import type { SvcContext } from '../app/context.ts'
import { type ErrorCode, SvcError } from '../core/errors.ts'
import { disconnectSignal } from './disconnect.ts'
import { matchesEtag, setEtag } from './etag.ts'
import type { GroupScope } from './group.ts'
import { ErrorResponse, IdParams } from './schema.ts'

const Width = Type.Optional(
  Type.Integer({
    minimum: 16,
    maximum: 2000,
    default: 600,
    description: 'Width in pixels. A very high view is drawn narrower.',
  }),
)

/** Query parameters of previews of a single view. */
export const viewPreviewQuery = { width: Width }

/** Query parameters of previews of several views. */
export const previewQuery = {
  view: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 1000, default: 0, description: 'Position of the view, from 0.' }),
  ),
  width: Width,
}

const responses = {
  200: {
    description: 'The preview.',
    // Without the format `binary`, which validators of hosts do not know.
    content: { 'image/png': { schema: Type.String() } },
  },
  '4xx': ErrorResponse,
  '5xx': ErrorResponse,
}

/** What a preview is drawn from. */
export interface Previewed {
  /** JSON text of a customization. */
  design: string
  /** Hash of its state. */
  state: string
  /** Which of its views is drawn, from 0. */
  view?: number | undefined
}

interface PreviewRoute<Query> {
  /** In the operation id. */
  one: string
  summary: string
  querystring: TObject & { static: Query }
  /** Error codes in addition to those of all previews. */
  causes?: readonly ErrorCode[]
  read(id: number, query: Query): Promise<Previewed>
}

/** GET of one view of a design as PNG: 501 if the renderer is off, 422 for what cannot be drawn, 404 without such a view. */
export function previewRoute<Query extends { width?: number }>(
  app: GroupScope,
  context: SvcContext,
  { one, summary, querystring, causes = [], read }: PreviewRoute<Query>,
): void {
  app.get('/:id/preview', {
    // Drawing may take longer than other requests; the renderer has its own deadline.
    config: {
      patient: true,
      causes: ['svc_render_refused', 'svc_render_failed', 'svc_renderer_busy', 'svc_renderer_off', ...causes],
    },
    schema: {
      operationId: `get_${one}_preview`,
      summary,
      description: 'The whole stage as PNG.',
      params: IdParams,
      querystring,
      response: responses,
    },
    handler: async (request, reply) => {
      const { renderer } = context
      if (!renderer) throw new SvcError('svc_renderer_off')
      const query = request.query as Query
      const { width = 600 } = query
      const { design, state, view = 0 } = await read(request.params.id, query)
      const etag = setEtag(reply, state, `preview ${view} ${width}`)
      if (matchesEtag(request, etag)) return reply.code(304).send()
      try {
        // The state is a hash of the design, which may be too large to hash once more.
        const key = hash('sha256', `${request.url} ${state}`)
        const png = await renderer.preview(design, { key, view, width }, disconnectSignal(reply))
        reply.type('image/png')
        return png
      } catch (error) {
        reply.removeHeader('etag')
        throw error
      }
    },
  })
}

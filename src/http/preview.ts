// Adds the routes that show what a print of a design would be like: a preview of one view as PNG, and a preflight as data.

import { hash } from 'node:crypto'
import { type TObject, Type } from '@sinclair/typebox'
import type { SvcContext } from '../app/context.ts'
import { type ErrorCode, SvcError } from '../core/errors.ts'
import { findingCodes } from '../core/finding-codes.ts'
import { disconnectSignal } from './disconnect.ts'
import { matchesEtag, setEtag } from './etag.ts'
import type { GroupScope } from './group.ts'
import { ok } from './response.ts'
import { ErrorResponse, IdParams, responses, TextOrNull } from './schema.ts'

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

const pictureResponses = {
  200: {
    description: 'The preview.',
    // Without the format `binary`, which validators of hosts do not know.
    content: { 'image/png': { schema: Type.String() } },
  },
  '4xx': ErrorResponse,
  '5xx': ErrorResponse,
}

/** A design to preview. */
export interface PreviewSource {
  /** JSON text of a customization. */
  design: string
  /** Hash of the state of the resource that contains the design. */
  state: string
  /** Index of the view to draw; 0 by default. */
  view?: number | undefined
}

/** What previews and preflights of a resource share. `Source` is what is drawn or checked. */
interface DesignRoute<Query, Source> {
  /** Name of the resource in the operation id. */
  singular: string
  summary: string
  /** Error codes in addition to those of all such routes. */
  causes?: readonly ErrorCode[]
  /** Reads the design of the resource with this id. @throws SvcError 404 */
  read(id: number, query: Query): Promise<Source>
}

interface PreviewRoute<Query> extends DesignRoute<Query, PreviewSource> {
  querystring: TObject & { static: Query }
}

/**
 * Adds `GET /{id}/preview`, which draws one view of a design as PNG: 501 if the renderer is off, 422 for a design that cannot be drawn,
 * 404 without such a view. Its ETag is that of the resource, so that an unchanged design is not drawn again.
 */
export function previewRoute<Query extends { width?: number }>(
  app: GroupScope,
  context: SvcContext,
  { singular, summary, querystring, causes = [], read }: PreviewRoute<Query>,
): void {
  app.get('/:id/preview', {
    // Drawing may take longer than other requests; the renderer has its own deadline.
    config: {
      patient: true,
      causes: ['svc_render_refused', 'svc_render_failed', 'svc_renderer_busy', 'svc_renderer_off', ...causes],
    },
    schema: {
      operationId: `get_${singular}_preview`,
      summary,
      description: 'The whole stage as PNG.',
      params: IdParams,
      querystring,
      response: pictureResponses,
    },
    handler: async (request, reply) => {
      const { renderer } = context
      if (!renderer) throw new SvcError('svc_renderer_off')
      // Validated by `querystring`.
      const query = request.query as Query
      const { width = 600 } = query
      const { design, state, view = 0 } = await read(request.params.id, query)
      const etag = setEtag(reply, state, `preview ${view} ${width}`)
      if (matchesEtag(request, etag)) return reply.code(304).send()
      try {
        // The key of the renderer's cache. The state stands for the design, which may be too large to hash.
        const key = hash('sha256', `${request.url} ${state}`)
        // Resources take turns in the renderer.
        const client = `${singular} ${request.params.id}`
        const png = await renderer.preview(design, { key, client, view, width }, disconnectSignal(reply))
        reply.type('image/png')
        return png
      } catch (error) {
        reply.removeHeader('etag')
        throw error
      }
    },
  })
}

/** The codes of findings, for their description. */
const codes = Object.entries(findingCodes).map(([code, value]) =>
  value === '' ? code : `${code} (value: ${value})`,
)

/** A finding in the response of a preflight, and of an export. */
export const PreflightFinding = Type.Object({
  level: Type.String({ description: 'refusal: it is not printed; warning: it is worth a look.' }),
  code: Type.String({
    description: `${codes.join(', ')}.`,
  }),
  view: TextOrNull(
    'First 100 characters of the title of the view, with a number if an earlier view has the same; null for the whole design.',
  ),
  view_position: Type.Optional(
    Type.Union([Type.Integer(), Type.Null()], {
      description: 'Position of the view, from 0, as previews take it; null for the whole design.',
    }),
  ),
  view_id: Type.Optional(
    Type.Union([Type.Integer(), Type.Null()], {
      description: 'Id of the view, in checks of products; null for the whole design.',
    }),
  ),
  element: TextOrNull('First 100 characters of the title of the element; null for the whole view.'),
  message: Type.String({ description: 'One sentence.' }),
  value: Type.Union([Type.Number(), Type.String(), Type.Null()], {
    description: 'What was measured, in the unit of the code.',
  }),
})

const Page = Type.Object({
  view: Type.String({ description: 'First 100 characters of the title of the view.' }),
  area: TextOrNull('Print area, where the view has several.'),
  width: Type.Number({ description: 'Millimetres, without the bleed.' }),
  height: Type.Number({ description: 'Millimetres, without the bleed.' }),
  bleed: Type.Number({ description: 'Millimetres on each side.' }),
  elements: Type.Array(
    Type.Object({
      title: Type.String({ description: 'First 100 characters of the title of the element.' }),
      type: Type.String({ description: 'text or picture.' }),
      dpi: Type.Union([Type.Number(), Type.Null()], {
        description: 'Effective resolution of a picture of pixels.',
      }),
    }),
    { description: 'What is printed on the page; at most 2,000 elements on all pages.' },
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
  pages: Type.Array(Page, { description: 'In the order of the file, at most 1,000.' }),
  fonts: Type.Array(Font, { description: 'The fonts that the texts need, at most 200.' }),
})

/** The print that is checked, instead of one with the export settings. */
type PreflightForm = NonNullable<Parameters<SvcContext['preflightForm']>[0]>

/** A design to check. */
export interface PreflightSource {
  /** JSON text of a customization. */
  design: string
  /** Ids of the views in their order, if they are rows. */
  viewIds?: readonly number[]
}

interface PreflightRoute<Query> extends DesignRoute<Query, PreflightSource> {
  description: string
  querystring: TObject & { static: Query }
}

/** Adds `GET /{id}/preflight`, which reports what a print of a design would be like, without drawing: 501 if the renderer is off. */
export function preflightRoute<Query extends PreflightForm>(
  app: GroupScope,
  context: SvcContext,
  { singular, summary, description, querystring, causes = [], read }: PreflightRoute<Query>,
): void {
  app.get('/:id/preflight', {
    // As for previews, except that a refused design is a finding in the response.
    config: {
      patient: true,
      takes: [],
      causes: ['svc_render_failed', 'svc_renderer_busy', 'svc_renderer_off', ...causes],
    },
    schema: {
      operationId: `get_${singular}_preflight`,
      summary,
      description,
      params: IdParams,
      querystring,
      response: responses(200, Preflight),
    },
    handler: async (request, reply) => {
      const { renderer, preflightForm } = context
      if (!renderer) throw new SvcError('svc_renderer_off')
      // Validated by `querystring`.
      const query = request.query as Query
      const { design, viewIds } = await read(request.params.id, query)
      const settings = { ...(await preflightForm(query)), client: `${singular} ${request.params.id}` }
      const { findings, ...result } = await renderer.preflight(design, settings, disconnectSignal(reply))
      const withIds = findings.map((finding) => ({
        ...finding,
        ...(viewIds && { view_id: viewIds[finding.view_position ?? -1] ?? null }),
      }))
      return ok({ ...result, findings: withIds })
    },
  })
}

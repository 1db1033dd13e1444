// Previews: one view of a design as PNG, under the ETag of what it was drawn from.

import { hash } from 'node:crypto'
import { Type } from '@sinclair/typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { SvcContext } from '../app/context.ts'
import { SvcError } from '../core/errors.ts'
import { disconnectSignal } from './disconnect.ts'
import { matchesEtag, setEtag } from './etag.ts'
import { ErrorResponse } from './schema.ts'

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

/** Declared responses of a preview. */
export const previewResponses = {
  200: {
    description: 'The preview.',
    // Without the format `binary`, which validators of hosts do not know.
    content: { 'image/png': { schema: Type.String() } },
  },
  '4xx': ErrorResponse,
  '5xx': ErrorResponse,
}

/** Drawing may take longer than other requests; the renderer has its own deadline. */
export const previewConfig = {
  patient: true,
  causes: ['svc_render_refused', 'svc_render_failed', 'svc_renderer_busy', 'svc_renderer_off'],
} as const

/** What a preview is drawn from: JSON text of a customization, and the hash of its state. */
export interface Previewed {
  design: string
  state: string
}

/**
 * The PNG of a view, or 304.
 * @throws SvcError 501 if the renderer is off, 422 for what cannot be drawn, 404 without such a view
 */
export async function sendPreview(
  { renderer }: SvcContext,
  request: FastifyRequest,
  reply: FastifyReply,
  read: () => Promise<Previewed>,
  { view = 0, width = 600 }: { view?: number | undefined; width?: number | undefined },
): Promise<Buffer | FastifyReply> {
  if (!renderer) throw new SvcError('svc_renderer_off')
  const { design, state } = await read()
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
}

// /views/{id}: single views of any product.

import type { Static } from '@sinclair/typebox'
import { viewsRepository } from '../../src/catalog/views.ts'
import type { Declaration } from '../../src/core/groups.ts'
import { changeRoutes } from '../../src/http/change-routes.ts'
import { foundOr404 } from '../../src/http/found.ts'
import { group } from '../../src/http/group.ts'
import { once } from '../../src/http/idempotency.ts'
import { previewConfig, previewResponses, sendPreview } from '../../src/http/preview.ts'
import { created, sendWritten } from '../../src/http/response.ts'
import { IdParams, responses } from '../../src/http/schema.ts'
import { previewedView, View } from '../../src/http/view.ts'
import { viewWarnings } from '../../src/renderer/written-view.ts'
import { ViewCopy, ViewPatch, ViewPatchQuery, ViewPreviewQuery, ViewQuery } from './schema.ts'

const found = foundOr404('svc_view_not_found', 'view')

const declaration = {
  name: 'views',
  path: '/views',
  tag: 'Single views: one printable side of a product.',
  toggle: { of: 'products' },
  errors: {
    svc_view_not_found: [404, 'No view with this id.'],
  },
  missing: 'svc_view_not_found',
  events: ['view'],
  counts: { views: 'views' },
} as const satisfies Declaration

/** Routes of single views. Views are listed and added under `/products/{id}/views`. */
export default group(declaration, (app, context) => {
  const views = viewsRepository(context.database)
  const table = context.database.t.views

  changeRoutes(app, {
    one: 'view',
    found,
    resource: View,
    read: { querystring: ViewQuery, table, find: views.find },
    patch: ViewPatch,
    querystring: ViewPatchQuery,
    update: (id: number, changes: Static<typeof ViewPatch>, check, { merge }) =>
      views.update(id, changes, { merge, check }),
    remove: views.remove,
    onPatch: {
      description:
        'Merges `options` into the stored ones; `merge=false` replaces them. `product_id` moves the view to another product; `sorted_views` of the product changes the order.',
    },
    onDelete: { description: 'The remaining views close the gap in the order.' },
    send: (reply, written, _query, changes) =>
      sendWritten<object>(reply, written, '', written.resource, viewWarnings(changes)),
  })

  app.get('/:id/preview', {
    config: previewConfig,
    schema: {
      operationId: 'get_view_preview',
      summary: 'Preview a view',
      description: 'The whole stage as PNG.',
      params: IdParams,
      querystring: ViewPreviewQuery,
      response: previewResponses,
    },
    handler: (request, reply) => {
      const { id } = request.params
      const read = async () => previewedView(found(await views.find(id), id), table)
      return sendPreview(context, request, reply, read, request.query)
    },
  })

  app.post('/:id/duplicate', {
    schema: {
      operationId: 'duplicate_view',
      summary: 'Duplicate a view',
      description: 'The copy follows the original.',
      params: IdParams,
      body: ViewCopy,
      response: responses(201, View),
    },
    handler: async (request, reply) => {
      const { id } = request.params
      const make = () => views.duplicate(id, request.body.title)
      const view = found(await once(context, request, reply, { make, again: views.find }), id)
      created(context, reply, `/views/${view.resource.id}`)
      return sendWritten(reply, view, '', view.resource)
    },
  })
})

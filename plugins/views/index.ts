// /views/{id}: single views of any product.

import { viewsRepository } from '../../src/catalog/views.ts'
import { selectedFields } from '../../src/http/fields.ts'
import { deleteHandler, foundOr404 } from '../../src/http/found.ts'
import { group } from '../../src/http/group.ts'
import { once } from '../../src/http/idempotency.ts'
import { changesOf, writeCheck } from '../../src/http/patch.ts'
import { previewConfig, previewResponses, sendPreview } from '../../src/http/preview.ts'
import { created, pick, sendOne, sendWritten } from '../../src/http/response.ts'
import { Deleted, IdParams, responses } from '../../src/http/schema.ts'
import { previewedView, View } from '../../src/http/view.ts'
import { viewWarnings } from '../../src/renderer/written-view.ts'
import { ViewCopy, ViewPatch, ViewPatchQuery, ViewPreviewQuery, ViewQuery } from './schema.ts'

const tags = ['views']
const found = foundOr404('svc_view_not_found', 'view')

/** Routes of single views. Views are listed and added under `/products/{id}/views`. */
export default group('views', 'products', (app, context) => {
  const views = viewsRepository(context.database)
  const table = context.database.t.views

  app.get('/:id', {
    schema: {
      operationId: 'get_view',
      summary: 'Get a view',
      tags,
      params: IdParams,
      querystring: ViewQuery,
      response: responses(200, View),
    },
    handler: async (request, reply) => {
      const selection = selectedFields(request.query, View)
      const { id } = request.params
      const view = found(await views.find(id), id)
      return sendOne(request, reply, view, {
        representation: selection.key,
        data: pick(view.resource, selection),
        table,
      })
    },
  })

  app.get('/:id/preview', {
    config: previewConfig,
    schema: {
      operationId: 'get_view_preview',
      summary: 'Preview a view',
      description: 'The whole stage as PNG.',
      tags,
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

  app.patch('/:id', {
    schema: {
      operationId: 'update_view',
      summary: 'Update a view',
      description:
        'Merges `options` into the stored ones; `merge=false` replaces them. `product_id` moves the view to another product; `sorted_views` of the product changes the order.',
      tags,
      params: IdParams,
      querystring: ViewPatchQuery,
      body: ViewPatch,
      response: responses(200, View),
    },
    handler: async (request, reply) => {
      const { id } = request.params
      const check = writeCheck(request, ViewPatch, View)
      const changes = changesOf(request, ViewPatch)
      const { merge } = request.query
      const view = found(await views.update(id, changes, { merge, check }), id)
      return sendWritten(reply, view, '', view.resource, viewWarnings(changes))
    },
  })

  app.delete('/:id', {
    schema: {
      operationId: 'delete_view',
      summary: 'Delete a view',
      description: 'The remaining views close the gap in the order.',
      tags,
      params: IdParams,
      response: responses(200, Deleted),
    },
    handler: deleteHandler(views.remove, found),
  })

  app.post('/:id/duplicate', {
    schema: {
      operationId: 'duplicate_view',
      summary: 'Duplicate a view',
      description: 'The copy follows the original.',
      tags,
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

// /views/{id}: one view, wherever its product.

import { SvcError } from '../../src/errors.ts'
import { changesOf, checkOf } from '../../src/http/echo.ts'
import { selectedFields } from '../../src/http/fields.ts'
import { group } from '../../src/http/group.ts'
import { once } from '../../src/http/idempotency.ts'
import { created, deleted, type Found, pick, sendOne, sendWritten } from '../../src/http/response.ts'
import { answers, Deleted, IdParams } from '../../src/http/schema.ts'
import { View } from '../../src/http/view.ts'
import type { Unread } from '../../src/read-back.ts'
import type { FoundView, View as ViewResource } from '../../src/repositories/view-rows.ts'
import { viewsRepository } from '../../src/repositories/views.ts'
import { ViewCopy, ViewPatch, ViewPatchQuery, ViewQuery } from './schema.ts'

const tags = ['views']

function found(view: FoundView | undefined): Found<ViewResource>
function found(view: FoundView | Unread | undefined): Found<ViewResource> | Unread
function found(view: FoundView | Unread | undefined): Found<ViewResource> | Unread {
  if (view === undefined) throw new SvcError('svc_view_not_found')
  if (view.state === undefined) return view
  return { ...view, unreadable: view.unreadable.map((column) => ({ id: view.resource.id, column })) }
}

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
      response: answers(200, View),
    },
    handler: async (request, reply) => {
      const selection = selectedFields(request.query, View)
      const view = found(await views.find(request.params.id))
      return sendOne(request, reply, view, {
        representation: selection.key,
        data: pick(view.resource, selection),
        table,
      })
    },
  })

  app.patch('/:id', {
    schema: {
      operationId: 'update_view',
      summary: 'Update a view',
      description:
        'Merges `options` into the stored ones; `merge=false` replaces them. `order` moves the view among its siblings.',
      tags,
      params: IdParams,
      querystring: ViewPatchQuery,
      body: ViewPatch,
      response: answers(200, View),
    },
    handler: async (request, reply) => {
      const check = checkOf(request, request.body, ViewPatch, View)
      const changes = changesOf(request.body, ViewPatch)
      const { merge } = request.query
      const view = found(await views.update(request.params.id, changes, { merge, check }))
      return sendWritten(reply, view, '', view.resource)
    },
  })

  app.delete('/:id', {
    schema: {
      operationId: 'delete_view',
      summary: 'Delete a view',
      description: 'The remaining views close the gap in the order.',
      tags,
      params: IdParams,
      response: answers(200, Deleted),
    },
    handler: async (request) => {
      const { id } = request.params
      if (!(await views.remove(id, checkOf(request, undefined, ViewPatch, View))))
        throw new SvcError('svc_view_not_found')
      return deleted(id)
    },
  })

  app.post('/:id/duplicate', {
    schema: {
      operationId: 'duplicate_view',
      summary: 'Duplicate a view',
      description: 'The copy goes to the end of its product, or to the product named by `product_id`.',
      tags,
      params: IdParams,
      body: ViewCopy,
      response: answers(201, View),
    },
    handler: async (request, reply) => {
      const view = found(
        await once(context, request, reply, {
          make: () => views.duplicate(request.params.id, request.body.title),
          again: views.find,
        }),
      )
      created(context, reply, `/views/${view.resource.id}`)
      return sendWritten(reply, view, '', view.resource)
    },
  })
})

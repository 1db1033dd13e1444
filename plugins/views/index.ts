// /views/{id}: single views of any product.
import { previewedView } from '../../src/catalog/product-design.ts'
import { viewsRepository } from '../../src/catalog/views.ts'
import type { Write } from '../../src/core/resource.ts'
import { group } from '../../src/http/group.ts'
import { previewRoute } from '../../src/http/preview.ts'
import { resourceRoutes } from '../../src/http/resource-routes.ts'
import { View } from '../../src/http/schema.ts'
import { designWarnings } from '../../src/renderer/written-view.ts'
import { ViewCopy, ViewPatch, ViewPatchQuery, ViewPreviewQuery } from './schema.ts'

/** Routes of single views. Views are listed and added under `/products/{id}/views`. */
export default group('views', (app, context, declaration) => {
  const views = viewsRepository(context.database)
  const table = context.database.t.views
  const routes = resourceRoutes(app, context, declaration, {
    singular: 'view',
    resource: View,
    table,
    find: views.find,
    warnings: (view) =>
      'elements' in view || 'options' in view ? designWarnings([view], context.missingFiles) : undefined,
  })

  routes.get()
  routes.patch({
    description:
      'Merges `options` into the stored ones; `merge=false` replaces them. `product_id` moves the view to another product; `sorted_views` of the product changes the order.',
    querystring: ViewPatchQuery,
    body: ViewPatch,
    update: (id, change: Write<ViewPatch>, { merge }) => views.update(id, change, { merge }),
  })
  routes.remove({
    description: 'The remaining views close the gap in the order.',
    remove: views.remove,
  })
  previewRoute(app, context, {
    singular: 'view',
    summary: 'Preview a view',
    querystring: ViewPreviewQuery,
    read: async (id) => previewedView(routes.found(await views.find(id)), table),
  })
  routes.post('/:id/duplicate', {
    operationId: 'duplicate_view',
    summary: 'Duplicate a view',
    description: 'The copy follows the original.',
    body: ViewCopy,
    make: ({ title }, id, options) => views.duplicate(id, title, options),
  })
})

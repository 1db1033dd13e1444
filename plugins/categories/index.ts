// /categories: product categories, and the products in each.
import type { Static } from '@sinclair/typebox'
import { categoriesRepository } from '../../src/catalog/categories.ts'
import { selectedFields, withField } from '../../src/http/fields.ts'
import { group } from '../../src/http/group.ts'
import { resourceRoutes } from '../../src/http/resource-routes.ts'
import { Category, CategoryListQuery, CategoryPatch, CategoryQuery, NewCategory } from './schema.ts'

/** The routes of product categories. Titles are unique, ignoring case. */
export default group('categories', (app, context, declaration) => {
  const categories = categoriesRepository(context.database, context.totals)
  const routes = resourceRoutes(app, context, declaration, {
    singular: 'category',
    noun: 'product category',
    resource: Category,
    table: context.database.t.categories,
    find: categories.find,
    // The ids of products are included by `include_products`, or if `fields` names them.
    select: (query: Static<typeof CategoryQuery>) =>
      withField(selectedFields(query, Category), {
        property: 'products',
        isIncluded: query.include_products,
        byDefault: true,
      }),
  })

  routes.list({
    querystring: CategoryListQuery,
    read: async ({ include }, selection) => ({
      items: await categories.list(include, { withProducts: selection.has('products') }),
    }),
  })
  routes.create({
    description: 'Titles are unique, compared without case.',
    config: { causes: ['svc_category_title_taken'] },
    body: NewCategory,
    make: ({ title }, _ref, options) => categories.create(title, options),
  })
  routes.get({ querystring: CategoryQuery })
  routes.patch({
    config: { causes: ['svc_category_title_taken'] },
    body: CategoryPatch,
    update: categories.update,
  })
  routes.remove({ description: 'Its products stay.', remove: categories.remove })
  routes.post('/:id/clear', {
    operationId: 'clear_category',
    summary: 'Remove all products from a category',
    description: 'The category and the products stay.',
    status: 200,
    make: (_body, id, options) => categories.clear(id, options),
  })
})

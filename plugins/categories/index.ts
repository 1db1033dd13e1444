// /categories: product categories and the products in them.

import { Type } from '@sinclair/typebox'
import { categoriesRepository } from '../../src/catalog/categories.ts'
import type { Declaration } from '../../src/core/groups.ts'
import { changeRoutes } from '../../src/http/change-routes.ts'
import { selectedFields, withField } from '../../src/http/fields.ts'
import { foundOr404 } from '../../src/http/found.ts'
import { group } from '../../src/http/group.ts'
import { once } from '../../src/http/idempotency.ts'
import { totalMeta } from '../../src/http/pagination.ts'
import { created, ok, pick, sendWritten } from '../../src/http/response.ts'
import { IdParams, responses } from '../../src/http/schema.ts'
import { Category, CategoryListQuery, CategoryPatch, CategoryQuery, NewCategory } from './schema.ts'

const found = foundOr404('svc_category_not_found', 'product category')

/** The selected fields. Products come with include_products, or where `fields` names them. */
const selected = (
  query: { fields?: string; _fields?: string; include_products?: boolean },
  byDefault: boolean,
) => withField(selectedFields(query, Category), 'products', query.include_products, byDefault)

const declaration = {
  name: 'categories',
  path: '/categories',
  tag: 'Categories of products.',
  toggle: { label: 'Product Categories API' },
  errors: {
    svc_category_not_found: [404, 'No product category with this id.'],
    svc_category_title_taken: [409, 'Another product category already has this title.'],
  },
  missing: 'svc_category_not_found',
  readable: true,
  events: ['category'],
  counts: { categories: 'categories' },
} as const satisfies Declaration

/** The routes of product categories. Titles are unique, ignoring case. */
export default group(declaration, (app, context) => {
  const categories = categoriesRepository(context.database, context.totals)

  app.get('/', {
    schema: {
      operationId: 'list_categories',
      summary: 'List product categories',
      querystring: CategoryListQuery,
      response: responses(200, Type.Array(Category)),
    },
    handler: async (request, reply) => {
      const selection = selected(request.query, false)
      const list = await categories.list(request.query.include, selection.has('products'))
      return ok(
        list.map((category) => pick(category, selection)),
        totalMeta(reply, list.length),
      )
    },
  })

  app.post('/', {
    config: { causes: ['svc_category_title_taken'] },
    schema: {
      operationId: 'create_category',
      summary: 'Create a product category',
      description: 'Titles are unique, compared without case.',
      body: NewCategory,
      response: responses(201, Category),
    },
    handler: async (request, reply) => {
      const make = () => categories.create(request.body.title)
      const category = found(await once(context, request, reply, { make, again: categories.find }))
      created(context, reply, `/categories/${category.resource.id}`)
      return sendWritten(reply, category, '', category.resource)
    },
  })

  changeRoutes(app, {
    one: 'category',
    noun: 'product category',
    found,
    resource: Category,
    read: {
      querystring: CategoryQuery,
      table: context.database.t.categories,
      find: categories.find,
      select: (query) => selected(query, true),
    },
    patch: CategoryPatch,
    update: categories.update,
    remove: categories.remove,
    onPatch: { config: { causes: ['svc_category_title_taken'] } },
    onDelete: { description: 'Its products stay.' },
  })

  app.post('/:id/clear', {
    schema: {
      operationId: 'clear_category',
      summary: 'Remove all products from a category',
      description: 'The category and the products stay.',
      params: IdParams,
      response: responses(200, Category),
    },
    handler: async (request, reply) => {
      const { id } = request.params
      const make = () => categories.clear(id)
      const category = found(await once(context, request, reply, { make, again: categories.find }), id)
      return sendWritten(reply, category, '', category.resource)
    },
  })
})

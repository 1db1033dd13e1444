// /categories: product categories and the products in them.

import { categoriesRepository } from '../../src/catalog/categories.ts'
import { Type } from '../../src/core/typebox.ts'
import { selectedFields, withField } from '../../src/http/fields.ts'
import { deleteHandler, foundOr404 } from '../../src/http/found.ts'
import { group } from '../../src/http/group.ts'
import { once } from '../../src/http/idempotency.ts'
import { totalMeta } from '../../src/http/pagination.ts'
import { changesOf, writeCheck } from '../../src/http/patch.ts'
import { created, ok, pick, sendOne, sendWritten } from '../../src/http/response.ts'
import { Deleted, IdParams, responses } from '../../src/http/schema.ts'
import { Category, CategoryListQuery, CategoryPatch, CategoryQuery, NewCategory } from './schema.ts'

const tags = ['categories']

const found = foundOr404('svc_category_not_found', 'product category')

/** The selected fields. Products come with include_products, or where `fields` names them. */
const selected = (
  query: { fields?: string; _fields?: string; include_products?: boolean },
  byDefault: boolean,
) => withField(selectedFields(query, Category), 'products', query.include_products, byDefault)

/** The routes of product categories. Titles are unique, ignoring case. */
export default group('categories', 'categories', (app, context) => {
  const categories = categoriesRepository(context.database, context.totals)
  const table = context.database.t.categories

  app.get('/', {
    schema: {
      operationId: 'list_categories',
      summary: 'List product categories',
      tags,
      querystring: CategoryListQuery,
      response: responses(200, Type.Array(Category)),
    },
    handler: async (request, reply) => {
      const selection = selected(request.query, false)
      const list = await categories.list({
        include: request.query.include,
        withProducts: selection.has('products'),
      })
      return ok(
        list.map((category) => pick(category, selection)),
        totalMeta(reply, list.length),
      )
    },
  })

  app.post('/', {
    schema: {
      operationId: 'create_category',
      summary: 'Create a product category',
      description: 'Titles are unique, compared without case.',
      tags,
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

  app.get('/:id', {
    schema: {
      operationId: 'get_category',
      summary: 'Get a product category',
      tags,
      params: IdParams,
      querystring: CategoryQuery,
      response: responses(200, Category),
    },
    handler: async (request, reply) => {
      const selection = selected(request.query, true)
      const { id } = request.params
      const category = found(await categories.find(id), id)
      const data = pick(category.resource, selection)
      return sendOne(request, reply, category, { representation: selection.key, data, table })
    },
  })

  app.patch('/:id', {
    schema: {
      operationId: 'update_category',
      summary: 'Update a product category',
      tags,
      params: IdParams,
      body: CategoryPatch,
      response: responses(200, Category),
    },
    handler: async (request, reply) => {
      const { id } = request.params
      const check = writeCheck(request, CategoryPatch, Category)
      const changes = changesOf(request, CategoryPatch)
      const category = found(await categories.update(id, changes, check), id)
      return sendWritten(reply, category, '', category.resource)
    },
  })

  app.delete('/:id', {
    schema: {
      operationId: 'delete_category',
      summary: 'Delete a product category',
      description: 'Its products stay.',
      tags,
      params: IdParams,
      response: responses(200, Deleted),
    },
    handler: deleteHandler(categories.remove, found),
  })

  app.post('/:id/clear', {
    schema: {
      operationId: 'clear_category',
      summary: 'Remove all products from a category',
      description: 'The category and the products stay.',
      tags,
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

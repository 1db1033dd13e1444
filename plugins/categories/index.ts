// /categories: product categories and which products are in them.
import { Type } from '@sinclair/typebox'
import { SvcError } from '../../src/errors.ts'
import { changesOf, checkOf } from '../../src/http/echo.ts'
import { selectedFields } from '../../src/http/fields.ts'
import { group } from '../../src/http/group.ts'
import { once } from '../../src/http/idempotency.ts'
import { wholeMeta } from '../../src/http/pagination.ts'
import { created, deleted, ok, pick, sendOne, sendWritten } from '../../src/http/response.ts'
import { answers, Deleted, IdParams } from '../../src/http/schema.ts'
import { categoriesRepository } from './repository.ts'
import { Category, CategoryListQuery, CategoryPatch, CategoryQuery, NewCategory } from './schema.ts'

const tags = ['categories']

function found<T>(category: T | undefined): T {
  if (category === undefined) throw new SvcError('svc_category_not_found')
  return category
}

/** What is wanted of a category: its products only with include_products, or where `fields` names them. */
function wantedWith(
  query: { fields?: string; _fields?: string; include_products?: boolean },
  standard: boolean,
) {
  const selection = selectedFields(query, Category)
  const products = query.include_products || selection.key !== ''
  return {
    has: (member: string) => (member !== 'products' || products) && selection.has(member),
    key: selection.key + (query.include_products === standard ? '' : '&products'),
  }
}

export default group('categories', 'categories', (app, context) => {
  const categories = categoriesRepository(context.database, context.totals)
  const table = context.database.t.categories

  app.get('/', {
    schema: {
      operationId: 'list_categories',
      summary: 'List product categories',
      tags,
      querystring: CategoryListQuery,
      response: answers(200, Type.Array(Category)),
    },
    handler: async (request, reply) => {
      const selection = wantedWith(request.query, false)
      const list = await categories.list({
        include: request.query.include,
        withProducts: selection.has('products'),
      })
      return ok(
        list.map((category) => pick(category, selection)),
        wholeMeta(reply, list.length),
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
      response: answers(201, Category),
    },
    handler: async (request, reply) => {
      const category = found(
        await once(context, request, reply, {
          make: () => categories.create(request.body.title),
          again: categories.find,
        }),
      )
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
      response: answers(200, Category),
    },
    handler: async (request, reply) => {
      const selection = wantedWith(request.query, true)
      const category = found(await categories.find(request.params.id))
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
      response: answers(200, Category),
    },
    handler: async (request, reply) => {
      const check = checkOf(request, request.body, CategoryPatch, Category)
      const category = found(
        await categories.update(request.params.id, changesOf(request.body, CategoryPatch), check),
      )
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
      response: answers(200, Deleted),
    },
    handler: async (request) => {
      const { id } = request.params
      if (!(await categories.remove(id, checkOf(request, undefined, CategoryPatch, Category)))) {
        throw new SvcError('svc_category_not_found')
      }
      return deleted(id)
    },
  })

  app.post('/:id/clear', {
    schema: {
      operationId: 'clear_category',
      summary: 'Remove all products from a category',
      description: 'The category and the products stay.',
      tags,
      params: IdParams,
      response: answers(200, Category),
    },
    handler: async (request, reply) => {
      const category = found(
        await once(context, request, reply, {
          make: () => categories.clear(request.params.id),
          again: categories.find,
        }),
      )
      return sendWritten(reply, category, '', category.resource)
    },
  })
})

// /design-categories: the category tree of the design library, and the designs in each category.

import { unreadableValue } from '../../src/core/errors.ts'
import { Type } from '../../src/core/typebox.ts'
import { selectedFields } from '../../src/http/fields.ts'
import { deleteHandler, foundOr404 } from '../../src/http/found.ts'
import { group } from '../../src/http/group.ts'
import { once } from '../../src/http/idempotency.ts'
import { offsetOf, pageMeta, pageOf, withUnreadable } from '../../src/http/pagination.ts'
import { changesOf, writeCheck } from '../../src/http/patch.ts'
import { created, ok, pick, sendOne, sendWritten } from '../../src/http/response.ts'
import { Deleted, IdParams, responses } from '../../src/http/schema.ts'
import { designCategoriesRepository } from '../../src/library/design-categories.ts'
import {
  DesignCategory,
  DesignCategoryFields,
  DesignCategoryListQuery,
  DesignCategoryPatch,
  DesignCategoryQuery,
  DesignCategoryWithDesigns,
  NewDesignCategory,
} from './schema.ts'

const tags = ['design-categories']
const whole = new Set(['id', 'category_data', 'designs'])

const found = foundOr404('svc_design_category_not_found', 'design category')

/** The routes of design categories. Deleting a category deletes its designs; its children move up to its parent. */
export default group('design_categories', 'design_categories', (app, context) => {
  const categories = designCategoriesRepository(context.database)
  const table = context.database.t.designs

  app.get('/', {
    schema: {
      operationId: 'list_design_categories',
      summary: 'List design categories',
      description: 'As a flat list with `parent_id`.',
      tags,
      querystring: DesignCategoryListQuery,
      response: responses(200, Type.Array(DesignCategory)),
    },
    handler: async (request, reply) => {
      const { only_roots, search, parent_id, include } = request.query
      const page = pageOf(request.query)
      const rows = page.limit === -1 ? { ...page, limit: Number.MAX_SAFE_INTEGER } : page
      const selection = selectedFields(request.query, DesignCategory)
      const { items, total, unreadable } = await categories.list(
        {
          offset: offsetOf(rows),
          limit: rows.limit,
          onlyRoots: only_roots,
          search,
          parentId: parent_id,
          include,
        },
        selection,
      )
      const data = items.map((item) => pick(item, selection))
      return ok(data, withUnreadable(pageMeta(context, request, reply, page, total), unreadable))
    },
  })

  app.post('/', {
    schema: {
      operationId: 'create_design_category',
      summary: 'Create a design category',
      tags,
      body: NewDesignCategory,
      response: responses(201, DesignCategoryWithDesigns),
    },
    handler: async (request, reply) => {
      const make = () => categories.create(request.body)
      const category = found(await once(context, request, reply, { make, again: categories.find }))
      created(context, reply, `/design-categories/${category.resource.id}`)
      return sendWritten(reply, category, '', pick(category.resource, whole))
    },
  })

  app.get('/:id', {
    schema: {
      operationId: 'get_design_category',
      summary: 'Get a design category with its designs',
      tags,
      params: IdParams,
      querystring: DesignCategoryQuery,
      response: responses(200, DesignCategoryWithDesigns),
    },
    handler: async (request, reply) => {
      const selection = selectedFields(request.query, DesignCategoryWithDesigns)
      const { id } = request.params
      const category = found(await categories.find(id), id)
      for (const { column } of category.unreadable) {
        if (selection.has(column === 'designs' ? column : 'category_data'))
          throw unreadableValue({ table, row: id, column })
      }
      const data = pick(pick(category.resource, whole), selection)
      return sendOne(request, reply, category, { representation: selection.key, data, table })
    },
  })

  app.patch('/:id', {
    schema: {
      operationId: 'update_design_category',
      summary: 'Update a design category',
      description: 'Its data, its designs, or both. The designs are replaced as a whole.',
      tags,
      params: IdParams,
      body: DesignCategoryPatch,
      response: responses(200, DesignCategoryWithDesigns),
    },
    handler: async (request, reply) => {
      const { id } = request.params
      const check = writeCheck(request, DesignCategoryPatch, DesignCategoryFields)
      const changes = changesOf(request, DesignCategoryPatch, 'category_data')
      const category = found(await categories.update(id, changes, check), id)
      return sendWritten(reply, category, '', pick(category.resource, whole))
    },
  })

  app.delete('/:id', {
    schema: {
      operationId: 'delete_design_category',
      summary: 'Delete a design category',
      description: 'Its subcategories move up to its parent; its designs are deleted.',
      tags,
      params: IdParams,
      response: responses(200, Deleted),
    },
    handler: deleteHandler(categories.remove, found),
  })
})

// /design-categories: the category tree of the design library, and the designs in each category.

import { Type } from '@sinclair/typebox'
import { unreadableValue } from '../../src/core/errors.ts'
import type { Declaration } from '../../src/core/groups.ts'
import { changeRoutes } from '../../src/http/change-routes.ts'
import { selectedFields } from '../../src/http/fields.ts'
import { foundOr404 } from '../../src/http/found.ts'
import { group } from '../../src/http/group.ts'
import { once } from '../../src/http/idempotency.ts'
import { offsetOf, pageMeta, pageOf, withUnreadable } from '../../src/http/pagination.ts'
import { created, ok, pick, sendOne, sendWritten } from '../../src/http/response.ts'
import { IdParams, responses } from '../../src/http/schema.ts'
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

const whole = new Set(['id', 'category_data', 'designs'])

const found = foundOr404('svc_design_category_not_found', 'design category')

const declaration = {
  name: 'design_categories',
  path: '/design-categories',
  tag: 'Categories of ready-made designs, and the designs themselves.',
  toggle: { label: 'Design Library API' },
  errors: {
    svc_design_category_not_found: [404, 'No design category with this id.'],
    svc_design_category_cycle: [400, 'A design category cannot be moved below one of its own descendants.'],
  },
  missing: 'svc_design_category_not_found',
  events: ['design_category'],
  counts: { design_categories: 'designs' },
} as const satisfies Declaration

/** The routes of design categories. Deleting a category deletes its designs; its children move up to its parent. */
export default group(declaration, (app, context) => {
  const categories = designCategoriesRepository(context.database)
  const table = context.database.t.designs

  app.get('/', {
    schema: {
      operationId: 'list_design_categories',
      summary: 'List design categories',
      description: 'As a flat list with `parent_id`.',
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
    config: { causes: ['svc_design_category_cycle'] },
    schema: {
      operationId: 'create_design_category',
      summary: 'Create a design category',
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

  changeRoutes(app, {
    one: 'design_category',
    found,
    resource: DesignCategoryWithDesigns,
    fields: DesignCategoryFields,
    patch: DesignCategoryPatch,
    envelope: 'category_data',
    update: categories.update,
    remove: categories.remove,
    send: (reply, category) =>
      sendWritten<object>(reply, category, '', pick<object>(category.resource, whole)),
    onPatch: {
      description: 'Its data, its designs, or both. The designs are replaced as a whole.',
      config: { causes: ['svc_design_category_cycle'] },
    },
    onDelete: { description: 'Its subcategories move up to its parent; its designs are deleted.' },
  })
})

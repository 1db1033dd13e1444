// /design-categories: the category tree of the design library, and the designs in each category.
import { unreadableValue } from '../../src/core/errors.ts'
import { membersOf } from '../../src/core/foreign.ts'
import { group } from '../../src/http/group.ts'
import { listRoute } from '../../src/http/list-route.ts'
import { resourceRoutes } from '../../src/http/resource-routes.ts'
import { pick, sendWritten } from '../../src/http/response.ts'
import { designCategoriesRepository } from '../../src/library/design-categories.ts'
import { libraryWarnings } from '../../src/renderer/written-view.ts'
import {
  DesignCategory,
  DesignCategoryFields,
  DesignCategoryListQuery,
  DesignCategoryPatch,
  DesignCategoryWithDesigns,
  NewDesignCategory,
} from './schema.ts'

/** Properties of one category in responses; the repository returns further ones. */
const resourceFields = new Set(['id', 'category_data', 'designs'])

/** The routes of design categories. Deleting a category deletes its designs; its children move up to its parent. */
export default group('design_categories', (app, context, declaration) => {
  const categories = designCategoriesRepository(context.database)
  const table = context.database.t.designs
  const routes = resourceRoutes(app, context, declaration, {
    singular: 'design_category',
    resource: DesignCategoryWithDesigns,
    table,
    find: categories.find,
    send: async (reply, category, _query, written) => {
      const warnings = await libraryWarnings(membersOf(written).designs, context.missingFiles)
      return sendWritten<object>(
        reply,
        category,
        '',
        pick<object>(category.resource, resourceFields),
        warnings,
      )
    },
  })

  listRoute(app, context, {
    operationId: 'list_design_categories',
    summary: 'List design categories',
    description: 'As a flat list with `parent_id`.',
    querystring: DesignCategoryListQuery,
    resource: DesignCategory,
    read: ({ only_roots: onlyRoots, parent_id: parentId, search, include }, selection, rows) =>
      categories.list({ ...rows, onlyRoots, search, parentId, include }, selection),
  })
  routes.create({
    config: { causes: ['svc_design_category_cycle'] },
    body: NewDesignCategory,
    make: (category, _ref, options) => categories.create(category, options),
  })

  routes.get({
    summary: 'Get a design category with its designs',
    represent(category, selection) {
      const { id } = category.resource
      for (const { column } of category.unreadable) {
        if (selection.has(column === 'designs' ? column : 'category_data'))
          throw unreadableValue({ table, row: id, column })
      }
      return { ...category, resource: pick(category.resource, resourceFields) }
    },
  })
  routes.patch({
    description: 'Its data, its designs, or both. The designs are replaced as a whole.',
    config: { causes: ['svc_design_category_cycle'] },
    body: DesignCategoryPatch,
    fields: DesignCategoryFields,
    envelope: 'category_data',
    update: categories.update,
  })
  routes.remove({
    description: 'Its subcategories move up to its parent; its designs are deleted.',
    remove: categories.remove,
  })
})

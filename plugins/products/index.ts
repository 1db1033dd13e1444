// /products, and the views of each product.
import { type Static, Type } from '@sinclair/typebox'
import type { FastifyReply } from 'fastify'
import { previewedView, productDesign } from '../../src/catalog/product-design.ts'
import { type FoundProduct, productsRepository } from '../../src/catalog/products.ts'
import { viewOf } from '../../src/catalog/view-rows.ts'
import { viewsRepository } from '../../src/catalog/views.ts'
import { invalidParams, missingParams, SvcError } from '../../src/core/errors.ts'
import type { Selection, Write, WriteOptions } from '../../src/core/resource.ts'
import { mapInTurns } from '../../src/core/turns.ts'
import { selectedFields, withField } from '../../src/http/fields.ts'
import { group } from '../../src/http/group.ts'
import { listMeta, rowsOf, withUnreadable } from '../../src/http/pagination.ts'
import { preflightRoute, previewRoute } from '../../src/http/preview.ts'
import { resourceRoutes } from '../../src/http/resource-routes.ts'
import { ok, pick, sendWritten } from '../../src/http/response.ts'
import { IdParams, responses, View } from '../../src/http/schema.ts'
import { designWarnings } from '../../src/renderer/written-view.ts'
import {
  NewProduct,
  NewView,
  Product,
  ProductListQuery,
  ProductPatch,
  ProductPatchQuery,
  ProductPreflightQuery,
  ProductPreviewQuery,
  ProductQuery,
  ViewListQuery,
  WriteQuery,
} from './schema.ts'

/** The fields of the response. Views are among them with `include_views`, or if `fields` names them. */
const select = (query: Static<typeof ProductQuery>) =>
  withField(selectedFields(query, Product), { property: 'views', isIncluded: query.include_views })

/** Call it before a product is sent. @throws SvcError 413 if the response has the views, and they were not read because they are too large */
function assertViewsRead({ isWhole }: FoundProduct, selection: Selection): void {
  if (!isWhole && selection.has('views')) throw new SvcError('svc_list_too_large')
}

/** The product without problems of its views if the response does not have the views: `meta.unreadable` must not list these. */
const withSelectedProblems = (product: FoundProduct, selection: Selection): FoundProduct =>
  selection.has('views')
    ? product
    : { ...product, unreadable: product.unreadable.filter(({ table }) => table === undefined) }

/** Sends the response to a write, with the views if the query asks for them. */
function sendProduct(
  reply: FastifyReply,
  product: FoundProduct,
  { include_views = false }: Static<typeof ProductQuery>,
) {
  const selection = select({ include_views })
  assertViewsRead(product, selection)
  const data = pick<Partial<FoundProduct['resource']>>(product.resource, selection)
  return sendWritten(reply, withSelectedProblems(product, selection), selection.key, data)
}

type Products = ReturnType<typeof productsRepository>

/** Creates a product from exactly one source: its own fields, another product, or a template. */
function createFrom(
  products: Products,
  { duplicate_product_id, template_id, ...plain }: Static<typeof NewProduct>,
  options: WriteOptions,
) {
  const { title, type, thumbnail, ...notCopied } = plain
  const source = duplicate_product_id ?? template_id
  if (source === undefined) {
    if (title === undefined) throw missingParams(['title'])
    return products.create({ ...plain, title }, options)
  }
  const sourceName = duplicate_product_id === undefined ? 'template_id' : 'duplicate_product_id'
  const surplus = [
    ...Object.keys(notCopied),
    ...(duplicate_product_id !== undefined && template_id !== undefined ? ['template_id'] : []),
  ]
  if (surplus.length > 0) {
    throw invalidParams(
      Object.fromEntries(surplus.map((name) => [name, `cannot be combined with ${sourceName}`])),
    )
  }
  if (sourceName === 'duplicate_product_id')
    return products.duplicate(source, { title, type, thumbnail }, options)
  if (type === 'template') throw invalidParams({ type: 'must be catalog together with template_id' })
  return products.createFromTemplate(source, { title, thumbnail }, options)
}

/** The routes of products and their views. A product is created new, as a copy, or from a template. */
export default group('products', (app, context, declaration) => {
  const { t } = context.database
  const products = productsRepository(context.database, context.totals, context.titles)
  const views = viewsRepository(context.database)
  const routes = resourceRoutes(app, context, declaration, {
    singular: 'product',
    resource: Product,
    table: t.products,
    find: products.find,
    select,
    send: sendProduct,
  })

  routes.list({
    description: 'Catalog products by default.',
    querystring: ProductListQuery,
    read: ({ type = 'catalog', search, order_by = 'id', order = 'desc', ...query }, selection, rows) => {
      const { category_id, include } = query
      const only = {
        type: type === 'all' ? undefined : type,
        search: search || undefined,
        category_id,
        include,
      }
      return products.list({ ...rows, ...only, order_by, order }, selection)
    },
  })

  routes.create({
    description:
      'From a title, as a copy of a product (`duplicate_product_id`) or from a template (`template_id`).',
    config: { causes: ['svc_product_not_found'] },
    querystring: WriteQuery,
    body: NewProduct,
    make: (product, _ref, options) => createFrom(products, product, options),
  })

  routes.get({
    querystring: ProductQuery,
    represent(product, selection) {
      assertViewsRead(product, selection)
      return withSelectedProblems(product, selection)
    },
  })

  previewRoute(app, context, {
    singular: 'product',
    summary: 'Preview a view of a product',
    querystring: ProductPreviewQuery,
    causes: ['svc_view_not_found'],
    async read(id, { view: position = 0 }) {
      const row = routes.found(await views.listOf(id, new Set<string>()))[position]
      const view = row?.ID === undefined ? undefined : await views.find(row.ID)
      if (view) return previewedView(view, t.views)
      throw new SvcError('svc_view_not_found', {
        message: `The product has no view at position ${position}.`,
      })
    },
  })

  preflightRoute(app, context, {
    singular: 'product',
    summary: 'Check the print of a product',
    description: 'Whether its views can be printed as they are, with what is uploaded.',
    querystring: ProductPreflightQuery,
    read: async (id) => routes.found(await productDesign(context.database, id)),
  })

  routes.patch({
    description:
      'Merges `options` into the stored ones; `merge=false` replaces them. `sorted_views` reorders the views.',
    querystring: ProductPatchQuery,
    body: ProductPatch,
    update: (id, change: Write<ProductPatch>, { merge }) => products.update(id, change, { merge }),
  })
  routes.remove({
    description: 'Deletes its views and its category assignments, too.',
    remove: products.remove,
  })

  app.get('/:id/views', {
    schema: {
      operationId: 'list_product_views',
      summary: 'List the views of a product',
      description: 'In order; all of them, unless `page` or `limit` is given.',
      params: IdParams,
      querystring: ViewListQuery,
      response: responses(200, Type.Array(View)),
    },
    handler: async (request, reply) => {
      const selection = selectedFields(request.query, View)
      const { offset, limit } = rowsOf(request)
      const all = routes.found(await views.listOf(request.params.id, selection, request.query.include))
      const foundViews = await mapInTurns(all.slice(offset, offset + limit), viewOf)
      const unreadable = foundViews.flatMap((view) => view.unreadable)
      const data = foundViews.map(({ resource }) => pick(resource, selection))
      return ok(data, withUnreadable(listMeta(context, request, reply, all.length), unreadable))
    },
  })

  const viewRoutes = resourceRoutes(app, context, declaration, {
    singular: 'view',
    resource: View,
    path: '/views',
    table: t.views,
    find: views.find,
    warnings: (view) => designWarnings([view], context.missingFiles),
  })
  viewRoutes.post('/:id/views', {
    operationId: 'add_product_view',
    summary: 'Add a view to a product',
    body: NewView,
    make: (view, id, options) => views.create(id, view, options),
  })
})

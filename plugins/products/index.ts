// /products, and the views of each product.

import type { Static } from '@sinclair/typebox'
import { Type } from '@sinclair/typebox'
import type { FastifyReply } from 'fastify'
import { productDesign } from '../../src/catalog/product-design.ts'
import { type FoundProduct, productsRepository } from '../../src/catalog/products.ts'
import { viewOf } from '../../src/catalog/view-rows.ts'
import { viewsRepository } from '../../src/catalog/views.ts'
import { invalidParams, missingParams, SvcError } from '../../src/core/errors.ts'
import type { Declaration } from '../../src/core/groups.ts'
import type { Unread } from '../../src/core/read-back.ts'
import type { Selection } from '../../src/core/resource.ts'
import { mapInTurns } from '../../src/core/turns.ts'
import { changeRoutes } from '../../src/http/change-routes.ts'
import { selectedFields, withField } from '../../src/http/fields.ts'
import { foundOr404 } from '../../src/http/found.ts'
import { group } from '../../src/http/group.ts'
import { once } from '../../src/http/idempotency.ts'
import { offsetOf, pageMeta, pageOf, totalMeta, withUnreadable } from '../../src/http/pagination.ts'
import { Preflight, preflightConfig, sendPreflight } from '../../src/http/preflight.ts'
import { previewConfig, previewResponses, sendPreview } from '../../src/http/preview.ts'
import { created, ok, pick, sendOne, sendWritten } from '../../src/http/response.ts'
import { IdParams, responses } from '../../src/http/schema.ts'
import { previewedView, View } from '../../src/http/view.ts'
import { viewWarnings } from '../../src/renderer/written-view.ts'
import {
  NewProduct,
  NewView,
  Product,
  ProductListQuery,
  ProductPatch,
  ProductPatchQuery,
  ProductPreviewQuery,
  ProductQuery,
  ViewListQuery,
  WriteQuery,
} from './schema.ts'

const found = foundOr404('svc_product_not_found', 'product')

/** The selected fields. Views come with include_views, or where `fields` names them. */
const selected = (query: { fields?: string; _fields?: string; include_views?: boolean }) =>
  withField(selectedFields(query, Product), 'views', query.include_views)

/** @throws SvcError 413 for views that are too large together */
function assertWhole({ isWhole }: FoundProduct, selection: Selection): void {
  if (!isWhole && selection.has('views')) throw new SvcError('svc_list_too_large')
}

/** A representation without views says nothing of what cannot be read inside them. */
const shownOf = <P extends FoundProduct | Unread>(product: P, selection: Selection): P =>
  selection.has('views')
    ? product
    : { ...product, unreadable: product.unreadable.filter(({ table }) => table === undefined) }

type Products = ReturnType<typeof productsRepository>

/** Creates a product from exactly one source: its own fields, another product, or a template. */
function createFrom(
  products: Products,
  { duplicate_product_id, template_id, ...plain }: Static<typeof NewProduct>,
) {
  const { title, type, thumbnail, ...others } = plain
  const source = duplicate_product_id ?? template_id
  if (source === undefined) {
    if (title === undefined) throw missingParams(['title'])
    return products.create({ ...plain, title })
  }
  const form = duplicate_product_id === undefined ? 'template_id' : 'duplicate_product_id'
  const surplus = [
    ...Object.keys(others),
    ...(duplicate_product_id !== undefined && template_id !== undefined ? ['template_id'] : []),
  ]
  if (surplus.length > 0) {
    throw invalidParams(Object.fromEntries(surplus.map((name) => [name, `cannot be combined with ${form}`])))
  }
  if (form === 'duplicate_product_id') return products.duplicate(source, { title, type, thumbnail })
  if (type === 'template') throw invalidParams({ type: 'must be catalog together with template_id' })
  return products.createFromTemplate(source, { title, thumbnail })
}

const declaration = {
  name: 'products',
  path: '/products',
  tag: 'Products, and the views of a product.',
  toggle: { label: 'Products API' },
  errors: {
    svc_product_not_found: [404, 'No product with this id.'],
  },
  missing: 'svc_product_not_found',
  events: ['product'],
} as const satisfies Declaration

/** The routes of products and their views. A product is created new, as a copy, or from a template. */
export default group(declaration, (app, context) => {
  const products = productsRepository(context.database, context.totals)
  const views = viewsRepository(context.database)

  function sendProduct(reply: FastifyReply, product: FoundProduct | Unread, include_views = false) {
    const selection = selected({ include_views })
    if (product.state !== undefined) assertWhole(product, selection)
    const data = pick<Partial<FoundProduct['resource']>>(product.resource, selection)
    return sendWritten(reply, shownOf(product, selection), selection.key, data)
  }

  app.get('/', {
    schema: {
      operationId: 'list_products',
      summary: 'List products',
      description: 'Catalog products by default.',
      querystring: ProductListQuery,
      response: responses(200, Type.Array(Product)),
    },
    handler: async (request, reply) => {
      const { query } = request
      const page = pageOf(query)
      const selection = selected(query)
      const { search, category_id, type = 'catalog', include, order_by = 'id', order = 'desc' } = query
      const { items, total, unreadable } = await products.list(
        {
          offset: offsetOf(page),
          limit: page.limit,
          order_by,
          order,
          ...(search ? { search } : {}),
          ...(category_id === undefined ? {} : { category_id }),
          ...(type === 'all' ? {} : { type }),
          ...(include === undefined ? {} : { include }),
        },
        selection,
      )
      // The repository reads only the selected fields, and the id.
      const data = selection.has('id') ? items : items.map((item) => pick(item, selection))
      return ok(data, withUnreadable(pageMeta(context, request, reply, page, total), unreadable))
    },
  })

  app.post('/', {
    config: { causes: ['svc_product_not_found'] },
    schema: {
      operationId: 'create_product',
      summary: 'Create a product',
      description:
        'From a title, as a copy of a product (`duplicate_product_id`) or from a template (`template_id`).',
      querystring: WriteQuery,
      body: NewProduct,
      response: responses(201, Product),
    },
    handler: async (request, reply) => {
      const make = () => createFrom(products, request.body)
      const product = found(await once(context, request, reply, { make, again: products.find }))
      created(context, reply, `/products/${product.resource.id}`)
      return sendProduct(reply, product, request.query.include_views)
    },
  })

  app.get('/:id', {
    schema: {
      operationId: 'get_product',
      summary: 'Get a product',
      params: IdParams,
      querystring: ProductQuery,
      response: responses(200, Product),
    },
    handler: async (request, reply) => {
      const selection = selected(request.query)
      const { id } = request.params
      const product = found(await products.find(id), id)
      assertWhole(product, selection)
      const data = pick(product.resource, selection)
      return sendOne(request, reply, shownOf(product, selection), {
        representation: selection.key,
        data,
        table: context.database.t.products,
      })
    },
  })

  app.get('/:id/preview', {
    config: { ...previewConfig, causes: [...previewConfig.causes, 'svc_view_not_found'] },
    schema: {
      operationId: 'get_product_preview',
      summary: 'Preview a view of a product',
      description: 'The whole stage as PNG.',
      params: IdParams,
      querystring: ProductPreviewQuery,
      response: previewResponses,
    },
    handler: (request, reply) => {
      const { view: position = 0, width } = request.query
      const read = async () => {
        const { id } = request.params
        const row = found(await views.listOf(id, new Set<string>()), id)[position]
        const view = row?.ID === undefined ? undefined : await views.find(row.ID)
        if (!view) {
          throw new SvcError('svc_view_not_found', {
            message: `The product has no view at position ${position}.`,
          })
        }
        return previewedView(view, context.database.t.views)
      }
      return sendPreview(context, request, reply, read, { width })
    },
  })

  app.get('/:id/preflight', {
    config: preflightConfig,
    schema: {
      operationId: 'get_product_preflight',
      summary: 'Check the print of a product',
      description: 'Whether its views can be printed as they are, with what is uploaded.',
      params: IdParams,
      response: responses(200, Preflight),
    },
    handler: (request, reply) => {
      const { id } = request.params
      return sendPreflight(context, reply, async () => found(await productDesign(context.database, id), id))
    },
  })

  changeRoutes(app, {
    one: 'product',
    found,
    resource: Product,
    patch: ProductPatch,
    querystring: ProductPatchQuery,
    update: (id: number, changes: Static<typeof ProductPatch>, check, { merge }) =>
      products.update(id, changes, { merge, check }),
    remove: products.remove,
    send: (reply, product, { include_views }) => sendProduct(reply, product, include_views),
    onPatch: {
      description:
        'Merges `options` into the stored ones; `merge=false` replaces them. `sorted_views` reorders the views.',
    },
    onDelete: { description: 'Deletes its views and its category assignments, too.' },
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
      const { include, page, limit } = request.query
      const { id } = request.params
      const all = found(await views.listOf(id, selection, include), id)
      const paged = page === undefined && limit === undefined ? undefined : pageOf(request.query)
      const rows = paged ? all.slice(offsetOf(paged), offsetOf(paged) + paged.limit) : all
      const read = await mapInTurns(rows, (row) => viewOf(row))
      const unreadable = read.flatMap((view) => view.unreadable)
      const data = read.map(({ resource }) => pick(resource, selection))
      const meta = paged ? pageMeta(context, request, reply, paged, all.length) : totalMeta(reply, all.length)
      return ok(data, withUnreadable(meta, unreadable))
    },
  })

  app.post('/:id/views', {
    schema: {
      operationId: 'add_product_view',
      summary: 'Add a view to a product',
      params: IdParams,
      body: NewView,
      response: responses(201, View),
    },
    handler: async (request, reply) => {
      const { id } = request.params
      const make = () => views.create(id, request.body)
      const view = found(await once(context, request, reply, { make, again: views.find }), id)
      created(context, reply, `/views/${view.resource.id}`)
      return sendWritten(reply, view, '', view.resource, viewWarnings(request.body))
    },
  })
})

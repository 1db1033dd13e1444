// /products and /products/{id}/views.
import { Type } from '@sinclair/typebox'
import { invalidParams, missingParams, SvcError } from '../../src/errors.ts'
import { changesOf, checkOf } from '../../src/http/echo.ts'
import { type FieldSelection, selectedFields } from '../../src/http/fields.ts'
import { group } from '../../src/http/group.ts'
import { once } from '../../src/http/idempotency.ts'
import { offsetOf, pageMeta, pageOf, wholeMeta, withUnreadable } from '../../src/http/pagination.ts'
import { created, deleted, ok, pick, sendOne, sendWritten } from '../../src/http/response.ts'
import { answers, Deleted, IdParams } from '../../src/http/schema.ts'
import { View } from '../../src/http/view.ts'
import type { Unread } from '../../src/read-back.ts'
import { viewOf } from '../../src/repositories/view-rows.ts'
import { viewsRepository } from '../../src/repositories/views.ts'
import { type FoundProduct, type Product as ProductRow, productsRepository } from './repository.ts'
import {
  NewProduct,
  NewView,
  Product,
  ProductListQuery,
  ProductPatch,
  ProductPatchQuery,
  ProductQuery,
  ViewListQuery,
  WriteQuery,
} from './schema.ts'

const tags = ['products']
const found = <T>(resource: T | undefined): T => {
  if (resource === undefined) throw new SvcError('svc_product_not_found')
  return resource
}

/** Views come with include_views, or where `fields` names them. */
function withViews(selection: FieldSelection, includeViews: boolean | undefined): FieldSelection {
  const views = includeViews || selection.key !== ''
  return {
    has: (member) => (member !== 'views' || views) && selection.has(member),
    key: selection.key + (includeViews ? '&views' : ''),
  }
}

/** @throws SvcError 413 for views that are too large together */
function assertWhole({ isWhole }: FoundProduct, selection: FieldSelection): void {
  if (!isWhole && selection.has('views')) throw new SvcError('svc_list_too_large')
}

export default group('products', 'products', (app, context) => {
  const products = productsRepository(context.database, context.totals)
  const views = viewsRepository(context.database)

  function written(
    reply: Parameters<typeof sendWritten>[0],
    product: FoundProduct | Unread,
    includeViews: boolean | undefined,
  ) {
    const selection = withViews(selectedFields({}, Product), includeViews)
    if (product.state !== undefined) assertWhole(product, selection)
    // The standard form comes without views, so what is wrong inside them is not this answer's matter.
    const shown =
      includeViews || product.state === undefined
        ? product
        : { ...product, unreadable: product.unreadable.filter((lost) => !lost.table) }
    return sendWritten<ProductRow>(reply, shown, selection.key, pick(product.resource, selection))
  }

  app.get('/', {
    schema: {
      operationId: 'list_products',
      summary: 'List products',
      description: 'Catalog products by default; `type=template` or `type=all` selects others.',
      tags,
      querystring: ProductListQuery,
      response: answers(200, Type.Array(Product)),
    },
    handler: async (request, reply) => {
      const { query } = request
      const page = pageOf(query)
      const selection = withViews(selectedFields(query, Product), query.include_views)
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
      // The repository reads only what is wanted, and the id.
      const data = selection.has('id') ? items : items.map((item) => pick(item, selection))
      return ok(data, withUnreadable(pageMeta(context, request, reply, page, total), unreadable))
    },
  })

  app.post('/', {
    schema: {
      operationId: 'create_product',
      summary: 'Create a product',
      description:
        'From a title, as a copy of a product (`duplicate_product_id`) or from a template (`template_id`).',
      tags,
      querystring: WriteQuery,
      body: NewProduct,
      response: answers(201, Product),
    },
    handler: async (request, reply) => {
      const product = found(
        await once(context, request, reply, { make: () => createIn(request.body), again: products.find }),
      )
      created(context, reply, `/products/${product.resource.id}`)
      return written(reply, product, request.query.include_views)
    },
  })

  /** Exactly one of the three forms of a new product. */
  function createIn({ duplicate_product_id, template_id, ...plain }: NewProduct) {
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
      throw invalidParams(
        Object.fromEntries(surplus.map((name) => [name, `cannot be combined with ${form}`])),
      )
    }
    if (form === 'duplicate_product_id') return products.duplicate(source, { title, type, thumbnail })
    if (type === 'template') throw invalidParams({ type: 'must be catalog beside template_id' })
    return products.createFromTemplate(source, { title, thumbnail })
  }

  app.get('/:id', {
    schema: {
      operationId: 'get_product',
      summary: 'Get a product',
      tags,
      params: IdParams,
      querystring: ProductQuery,
      response: answers(200, Product),
    },
    handler: async (request, reply) => {
      const selection = withViews(selectedFields(request.query, Product), request.query.include_views)
      const product = found(await products.find(request.params.id))
      assertWhole(product, selection)
      const data = pick(product.resource, selection)
      const shown = selection.has('views')
        ? product
        : { ...product, unreadable: product.unreadable.filter((lost) => !lost.table) }
      return sendOne(request, reply, shown, {
        representation: selection.key,
        data,
        table: context.database.t.products,
      })
    },
  })

  app.patch('/:id', {
    schema: {
      operationId: 'update_product',
      summary: 'Update a product',
      description:
        'Merges `options` into the stored ones; `merge=false` replaces them. `sorted_views` reorders the views.',
      tags,
      params: IdParams,
      querystring: ProductPatchQuery,
      body: ProductPatch,
      response: answers(200, Product),
    },
    handler: async (request, reply) => {
      const check = checkOf(request, request.body, ProductPatch, Product)
      const changes = changesOf(request.body, ProductPatch)
      const { merge, include_views } = request.query
      const product = found(await products.update(request.params.id, changes, { merge, check }))
      return written(reply, product, include_views)
    },
  })

  app.delete('/:id', {
    schema: {
      operationId: 'delete_product',
      summary: 'Delete a product',
      description: 'Deletes its views and its category assignments, too.',
      tags,
      params: IdParams,
      response: answers(200, Deleted),
    },
    handler: async (request) => {
      const { id } = request.params
      const check = checkOf(request, undefined, ProductPatch, Product)
      if (!(await products.remove(id, check))) throw new SvcError('svc_product_not_found')
      return deleted(id)
    },
  })

  app.get('/:id/views', {
    schema: {
      operationId: 'list_product_views',
      summary: 'List the views of a product',
      description: 'Complete and in order, unless `page` or `limit` is given.',
      tags,
      params: IdParams,
      querystring: ViewListQuery,
      response: answers(200, Type.Array(View)),
    },
    handler: async (request, reply) => {
      const selection = selectedFields(request.query, View)
      const { include, page, limit } = request.query
      const all = found(await views.listOf(request.params.id, selection, include))
      const paged = page === undefined && limit === undefined ? undefined : pageOf(request.query)
      const rows = paged ? all.slice(offsetOf(paged), offsetOf(paged) + paged.limit) : all
      const read = rows.map((row) => viewOf(row))
      const unreadable = read.flatMap(({ view, unreadable: lost }) =>
        lost.map((column) => ({ id: Number(view.id), column })),
      )
      const data = read.map(({ view }) => pick(view, selection))
      const meta = paged ? pageMeta(context, request, reply, paged, all.length) : wholeMeta(reply, all.length)
      return ok(data, withUnreadable(meta, unreadable))
    },
  })

  app.post('/:id/views', {
    schema: {
      operationId: 'add_product_view',
      summary: 'Add a view to a product',
      tags,
      params: IdParams,
      body: NewView,
      response: answers(201, View),
    },
    handler: async (request, reply) => {
      const view = found(
        await once(context, request, reply, {
          make: () => views.create(request.params.id, request.body),
          again: views.find,
        }),
      )
      created(context, reply, `/views/${view.resource.id}`)
      return sendWritten(reply, { ...view, unreadable: [] }, '', view.resource)
    },
  })
})

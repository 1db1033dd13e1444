// /shortcode-orders: orders from the shortcode form.

import { Type } from '../../src/core/typebox.ts'
import { selectedFields, withField } from '../../src/http/fields.ts'
import { deleteHandler, foundOr404 } from '../../src/http/found.ts'
import { group } from '../../src/http/group.ts'
import { once } from '../../src/http/idempotency.ts'
import { offsetOf, pageMeta, pageOf, withUnreadable } from '../../src/http/pagination.ts'
import { changesOf, writeCheck } from '../../src/http/patch.ts'
import { created, ok, pick, sendOne, sendWritten } from '../../src/http/response.ts'
import { Deleted, IdParams, responses } from '../../src/http/schema.ts'
import { shortcodeOrdersRepository } from '../../src/orders/shortcode-orders.ts'
import { designWarnings } from '../../src/renderer/written-view.ts'
import {
  NewShortcodeOrder,
  ShortcodeOrder,
  ShortcodeOrderListQuery,
  ShortcodeOrderPatch,
  ShortcodeOrderQuery,
} from './schema.ts'

const tags = ['shortcode-orders']

const found = foundOr404('svc_shortcode_order_not_found', 'shortcode order')

/** The selected fields. Views come with include_data, or where `fields` names them. */
const selected = (query: { fields?: string; _fields?: string; include_data?: boolean }, byDefault: boolean) =>
  withField(selectedFields(query, ShortcodeOrder), 'views', query.include_data, byDefault)

export default group('shortcode_orders', 'shortcode_orders', (app, context) => {
  const orders = shortcodeOrdersRepository(context.database)
  const { totals, orderCreated } = context
  const remove = deleteHandler(orders.remove, found)

  app.get('/', {
    schema: {
      operationId: 'list_shortcode_orders',
      summary: 'List shortcode orders',
      tags,
      querystring: ShortcodeOrderListQuery,
      response: responses(200, Type.Array(ShortcodeOrder)),
    },
    handler: async (request, reply) => {
      const { include } = request.query
      const page = pageOf(request.query)
      const selection = selected(request.query, false)
      const withViews = selection.has('views')
      const [list, total] = await Promise.all([
        orders.list({ limit: page.limit, offset: offsetOf(page), include, withViews }),
        include ? orders.count(include) : totals.get('shortcode_orders', () => orders.count()),
      ])
      const lost = withViews ? list.filter((order) => order.views === null) : []
      return ok(
        list.map((order) => pick(order, selection)),
        withUnreadable(
          pageMeta(context, request, reply, page, total),
          lost.map(({ id }) => ({ id, column: 'views' })),
        ),
      )
    },
  })

  app.post('/', {
    schema: {
      operationId: 'create_shortcode_order',
      summary: 'Create a shortcode order',
      tags,
      body: NewShortcodeOrder,
      response: responses(201, ShortcodeOrder),
    },
    handler: async (request, reply) => {
      const make = async () => {
        const made = await orders.create(request.body)
        totals.forget()
        if (made) await orderCreated({ type: 'shortcode', id: made.resource.id })
        return made
      }
      const order = found(await once(context, request, reply, { make, again: orders.find }))
      created(context, reply, `/shortcode-orders/${order.resource.id}`)
      return sendWritten(reply, order, '', order.resource, designWarnings(request.body))
    },
  })

  app.get('/:id', {
    schema: {
      operationId: 'get_shortcode_order',
      summary: 'Get a shortcode order',
      tags,
      params: IdParams,
      querystring: ShortcodeOrderQuery,
      response: responses(200, ShortcodeOrder),
    },
    handler: async (request, reply) => {
      const selection = selected(request.query, true)
      const { id } = request.params
      const order = found(await orders.find(id), id)
      return sendOne(request, reply, order, {
        representation: selection.key,
        data: pick(order.resource, selection),
        table: context.database.t.orders,
      })
    },
  })

  app.patch('/:id', {
    schema: {
      operationId: 'update_shortcode_order',
      summary: 'Update a shortcode order',
      tags,
      params: IdParams,
      body: ShortcodeOrderPatch,
      response: responses(200, ShortcodeOrder),
    },
    handler: async (request, reply) => {
      const { id } = request.params
      const check = writeCheck(request, ShortcodeOrderPatch, ShortcodeOrder)
      const changes = changesOf(request, ShortcodeOrderPatch)
      const order = found(await orders.update(id, changes, check), id)
      return sendWritten(reply, order, '', order.resource, designWarnings(changes))
    },
  })

  app.delete('/:id', {
    schema: {
      operationId: 'delete_shortcode_order',
      summary: 'Delete a shortcode order',
      tags,
      params: IdParams,
      response: responses(200, Deleted),
    },
    handler: async (request) => {
      const response = await remove(request)
      totals.forget()
      return response
    },
  })
})

// /shortcode-orders: orders from the shortcode form.

import { Type } from '@sinclair/typebox'
import type { Declaration } from '../../src/core/groups.ts'
import { changeRoutes } from '../../src/http/change-routes.ts'
import { selectedFields, withField } from '../../src/http/fields.ts'
import { foundOr404 } from '../../src/http/found.ts'
import { group } from '../../src/http/group.ts'
import { once } from '../../src/http/idempotency.ts'
import { offsetOf, pageMeta, pageOf, withUnreadable } from '../../src/http/pagination.ts'
import { created, ok, pick, sendWritten } from '../../src/http/response.ts'
import { responses } from '../../src/http/schema.ts'
import { shortcodeOrdersRepository } from '../../src/orders/shortcode-orders.ts'
import { designWarnings } from '../../src/renderer/written-view.ts'
import {
  NewShortcodeOrder,
  ShortcodeOrder,
  ShortcodeOrderListQuery,
  ShortcodeOrderPatch,
  ShortcodeOrderQuery,
} from './schema.ts'

const found = foundOr404('svc_shortcode_order_not_found', 'shortcode order')

/** The selected fields. Views come with include_data, or where `fields` names them. */
const selected = (query: { fields?: string; _fields?: string; include_data?: boolean }, byDefault: boolean) =>
  withField(selectedFields(query, ShortcodeOrder), 'views', query.include_data, byDefault)

const declaration = {
  name: 'shortcode_orders',
  path: '/shortcode-orders',
  tag: 'Orders that were placed by the shortcode.',
  toggle: { label: 'Shortcode Orders API' },
  errors: {
    svc_shortcode_order_not_found: [404, 'No shortcode order with this id.'],
  },
  missing: 'svc_shortcode_order_not_found',
  events: ['shortcode_order'],
  counts: { shortcode_orders: 'orders' },
} as const satisfies Declaration

export default group(declaration, (app, context) => {
  const orders = shortcodeOrdersRepository(context.database)
  const { totals, orderCreated } = context

  app.get('/', {
    schema: {
      operationId: 'list_shortcode_orders',
      summary: 'List shortcode orders',
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

  changeRoutes(app, {
    one: 'shortcode_order',
    found,
    resource: ShortcodeOrder,
    read: {
      querystring: ShortcodeOrderQuery,
      table: context.database.t.orders,
      find: orders.find,
      select: (query) => selected(query, true),
    },
    patch: ShortcodeOrderPatch,
    update: orders.update,
    send: (reply, written, _query, changes) =>
      sendWritten<object>(reply, written, '', written.resource, designWarnings(changes)),
    async remove(id: number, check) {
      const removed = await orders.remove(id, check)
      totals.forget()
      return removed
    },
  })
})

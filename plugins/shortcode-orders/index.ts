// /shortcode-orders: orders that came by the shortcode form.
import { Type } from '@sinclair/typebox'
import { SvcError } from '../../src/errors.ts'
import { changesOf, checkOf } from '../../src/http/echo.ts'
import { selectedFields } from '../../src/http/fields.ts'
import { group } from '../../src/http/group.ts'
import { once } from '../../src/http/idempotency.ts'
import { offsetOf, pageMeta, pageOf, withUnreadable } from '../../src/http/pagination.ts'
import { created, deleted, ok, pick, sendOne, sendWritten } from '../../src/http/response.ts'
import { answers, Deleted, IdParams } from '../../src/http/schema.ts'
import { shortcodeOrdersRepository } from '../../src/repositories/shortcode-orders.ts'
import {
  NewShortcodeOrder,
  ShortcodeOrder,
  ShortcodeOrderListQuery,
  ShortcodeOrderPatch,
  ShortcodeOrderQuery,
} from './schema.ts'

const tags = ['shortcode-orders']

function found<T>(order: T | undefined): T {
  if (order === undefined) throw new SvcError('svc_shortcode_order_not_found')
  return order
}

/** The views come with include_data, or where `fields` names them. */
function wantedWith(query: { fields?: string; _fields?: string; include_data?: boolean }, standard: boolean) {
  const selection = selectedFields(query, ShortcodeOrder)
  const views = query.include_data || selection.key !== ''
  return {
    has: (member: string) => (member !== 'views' || views) && selection.has(member),
    key: selection.key + (query.include_data === standard ? '' : '&views'),
  }
}

export default group('shortcode_orders', 'shortcode_orders', (app, context) => {
  const orders = shortcodeOrdersRepository(context.database)
  const { totals, orderCreated } = context

  app.get('/', {
    schema: {
      operationId: 'list_shortcode_orders',
      summary: 'List shortcode orders',
      tags,
      querystring: ShortcodeOrderListQuery,
      response: answers(200, Type.Array(ShortcodeOrder)),
    },
    handler: async (request, reply) => {
      const { include } = request.query
      const page = pageOf(request.query)
      const selection = wantedWith(request.query, false)
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
      response: answers(201, ShortcodeOrder),
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
      return sendWritten(reply, order, '', order.resource)
    },
  })

  app.get('/:id', {
    schema: {
      operationId: 'get_shortcode_order',
      summary: 'Get a shortcode order',
      tags,
      params: IdParams,
      querystring: ShortcodeOrderQuery,
      response: answers(200, ShortcodeOrder),
    },
    handler: async (request, reply) => {
      const selection = wantedWith(request.query, true)
      const order = found(await orders.find(request.params.id))
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
      response: answers(200, ShortcodeOrder),
    },
    handler: async (request, reply) => {
      const check = checkOf(request, request.body, ShortcodeOrderPatch, ShortcodeOrder)
      const changes = changesOf(request.body, ShortcodeOrderPatch)
      const order = found(await orders.update(request.params.id, changes, check))
      return sendWritten(reply, order, '', order.resource)
    },
  })

  app.delete('/:id', {
    schema: {
      operationId: 'delete_shortcode_order',
      summary: 'Delete a shortcode order',
      tags,
      params: IdParams,
      response: answers(200, Deleted),
    },
    handler: async (request) => {
      const { id } = request.params
      const check = checkOf(request, undefined, ShortcodeOrderPatch, ShortcodeOrder)
      if (!(await orders.remove(id, check))) throw new SvcError('svc_shortcode_order_not_found')
      totals.forget()
      return deleted(id)
    },
  })
})

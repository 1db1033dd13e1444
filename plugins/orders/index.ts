// /orders: the customization data of orders from the shop, forms and shortcode. This group cannot be switched off.
import { invalidParams, unreadableValue } from '../../src/core/errors.ts'
import { mapInTurns } from '../../src/core/turns.ts'
import { stateCheck } from '../../src/http/etag.ts'
import { selectedFields } from '../../src/http/fields.ts'
import { group } from '../../src/http/group.ts'
import { wantsMinimal } from '../../src/http/headers.ts'
import { preflightRoute, previewRoute } from '../../src/http/preview.ts'
import { deleted, ok, pick, sendOne, sendWritten } from '../../src/http/response.ts'
import { Deleted, IdParams, responses } from '../../src/http/schema.ts'
import { type ItemValue, itemJson, readOnlyKey } from '../../src/orders/item-values.ts'
import type { FoundOrder } from '../../src/orders/order-values.ts'
import { ordersOf } from '../../src/orders/orders.ts'
import type { OrderFacts } from '../../src/orders/source.ts'
import { designWarnings } from '../../src/renderer/written-view.ts'
import { exportRoute } from './export.ts'
import { ordersListRoute } from './list.ts'
import { printStateRoutes } from './print-states.ts'
import { bodyWithQuery } from './requested-item.ts'
import {
  Order,
  OrderDeleteQuery,
  OrderPatch,
  OrderPreflightQuery,
  OrderPreviewQuery,
  OrderQuery,
} from './schema.ts'

/**
 * The order as responses contain it. An item that cannot be read is null and listed in `meta`.
 * @param type as the client has named it
 * @throws SvcError 500 if its only item cannot be read
 */
async function orderResource(
  orderId: number,
  type: string,
  { values, state }: FoundOrder,
  facts: OrderFacts,
) {
  const jsonOf = (item: ItemValue) => itemJson(item, facts.items?.get(item.stored.itemId ?? 0))
  const unreadable = values.filter(({ json }) => json === undefined)
  if (unreadable[0] && values.length === 1) throw unreadableValue(unreadable[0].stored.location)
  return {
    resource: {
      order_id: orderId,
      type,
      ...(facts.number !== undefined && { order_number: facts.number }),
      status: facts.status,
      items: `[${(await mapInTurns(values, jsonOf)).join(',')}]`,
    },
    state,
    unreadable: unreadable.map(({ stored: { itemId, location } }) => ({
      id: itemId ?? orderId,
      column: location.column,
      table: location.table,
    })),
  }
}

/** The routes of orders. Only shortcode orders can be deleted; the others belong to the CMS. */
export default group('orders', (app, context) => {
  const { database, totals, metaChanged } = context
  const orders = ordersOf(database, context.cms)
  const requested = bodyWithQuery()

  ordersListRoute(app, context, orders)

  app.get('/:id', {
    config: { causes: ['svc_order_item_not_found', 'svc_order_type_unavailable'] },
    schema: {
      operationId: 'get_order',
      summary: 'Get the customization of an order',
      params: IdParams,
      querystring: OrderQuery,
      response: responses(200, Order),
    },
    handler: async (request, reply) => {
      const { id } = request.params
      const { item_id: itemId, item_key: itemKey } = request.query
      const selection = selectedFields(request.query, Order)
      const { type = 'wc' } = request.query
      const { get, facts } = orders.of(type)
      const [order, orderFacts] = await Promise.all([get(id, { itemId, itemKey }), facts(id)])
      const resource = await orderResource(id, type, order, orderFacts)
      const parameters = [selection.key, itemId ?? '', readOnlyKey(itemKey) ?? ''].join('&')
      const representation = parameters === '&&' ? '' : parameters
      const data = pick(resource.resource, selection)
      return sendOne(request, reply, resource, { representation, data, table: database.t.orders })
    },
  })

  app.patch('/:id', {
    config: { causes: ['svc_order_item_not_found', 'svc_order_type_unavailable'] },
    schema: {
      operationId: 'update_order',
      summary: 'Update the customization of an order',
      description: '`order` replaces the stored design of the item.',
      params: IdParams,
      body: OrderPatch,
      response: responses(200, Order),
    },
    handler: async (request, reply) => {
      const { id } = request.params
      const { type: requestedType = 'wc', item_id: itemId, order } = requested(request)
      const { type, get, facts, update } = orders.of(requestedType)
      if (type !== 'wc' && itemId !== undefined) throw invalidParams({ item_id: 'belongs to type wc only' })
      const { orderId, change, readOnlyKey: itemKey } = await update(id, itemId, order, stateCheck(request))
      totals.forget()
      if (change) await metaChanged(change)
      if (wantsMinimal(request)) return ok({ order_id: orderId })
      const [written, orderFacts] = await Promise.all([get(orderId, { itemKey }), facts(orderId)])
      const found = await orderResource(orderId, requestedType, written, orderFacts)
      return sendWritten(reply, found, '', found.resource, await designWarnings(order, context.missingFiles))
    },
  })

  /** Error codes of routes that read the design of an item. */
  const itemCauses = [
    'svc_order_item_not_found',
    'svc_order_type_unavailable',
    'rest_missing_callback_param',
  ] as const

  previewRoute(app, context, {
    singular: 'order',
    summary: 'Preview a view of an order',
    querystring: OrderPreviewQuery,
    causes: itemCauses,
    async read(id, { item_id: itemId, type = 'wc', view }) {
      const { customization, state } = await orders.of(type).design(id, itemId)
      return { design: customization, state, view }
    },
  })

  preflightRoute(app, context, {
    singular: 'order',
    summary: 'Check the print of an order',
    description:
      'What would be refused, and what is worth a look, such as coarse pictures or text near the edge.',
    querystring: OrderPreflightQuery,
    causes: itemCauses,
    async read(id, { item_id: itemId, type = 'wc' }) {
      return { design: (await orders.of(type).design(id, itemId)).customization }
    },
  })

  exportRoute(app, context, orders)
  printStateRoutes(app, context, orders)

  app.delete('/:id', {
    config: { causes: ['svc_order_item_not_found', 'svc_order_type_unavailable'] },
    schema: {
      operationId: 'delete_order',
      summary: 'Delete the customization of an order',
      description: 'The order of the shop itself stays.',
      params: IdParams,
      querystring: OrderDeleteQuery,
      response: responses(200, Deleted),
    },
    handler: async (request) => {
      const { id } = request.params
      const { remove } = orders.of(request.query.type ?? 'shortcode')
      await remove(id, stateCheck(request))
      totals.forget()
      return deleted(id)
    },
  })
})

// /orders: the customization data of orders from the shop, forms and shortcode. Always on.

import type { SvcContext } from '../../src/app/context.ts'
import { invalidParams, unreadableValue } from '../../src/core/errors.ts'
import { mapInTurns } from '../../src/core/turns.ts'
import { stateCheck } from '../../src/http/etag.ts'
import { selectedFields } from '../../src/http/fields.ts'
import { group } from '../../src/http/group.ts'
import { wantsMinimal } from '../../src/http/headers.ts'
import { listRoute } from '../../src/http/list-route.ts'
import { preflightRoute, previewRoute } from '../../src/http/preview.ts'
import { deleted, ok, pick, sendOne, sendWritten } from '../../src/http/response.ts'
import { Deleted, IdParams, responses } from '../../src/http/schema.ts'
import { type AnyOrder, allOrders } from '../../src/orders/all-orders.ts'
import { type ItemValue, itemJson, readOnlyKey } from '../../src/orders/item-values.ts'
import type { FoundOrder } from '../../src/orders/order-values.ts'
import { ordersOf } from '../../src/orders/orders.ts'
import { printableStatusesOf, statusesIn } from '../../src/orders/printable.ts'
import type { ListedOrder as ListedRow, OrderFacts, OrderType } from '../../src/orders/source.ts'
import { nameTypes } from '../../src/orders/tables.ts'
import { printFileUrls } from '../../src/print/print-file.ts'
import { printJobsRepository } from '../../src/print/print-jobs.ts'
import { designWarnings } from '../../src/renderer/written-view.ts'
import { exportRoute } from './export.ts'
import { printStateRoutes } from './print-states.ts'
import { bodyWithQuery } from './requested-item.ts'
import {
  ListedOrder,
  Order,
  OrderDeleteQuery,
  OrderListQuery,
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
  const addPrintFiles = printFilesOf(context)
  const requested = bodyWithQuery()

  const mergedOrders = allOrders(orders)
  /** `addPrintFiles` for rows of several sources, in their order. */
  async function withPrintFiles(rows: AnyOrder[]) {
    const byType = [...Map.groupBy(rows, ({ type }) => type)]
    const lists = await Promise.all(
      byType.map(async ([type, rowsOfType]) =>
        (await addPrintFiles(type, rowsOfType)).map((row) => ({ ...row, type })),
      ),
    )
    const byKey = new Map(lists.flat().map((row) => [`${row.type}:${row.id}`, row]))
    return rows.map((row) => byKey.get(`${row.type}:${row.id}`) ?? row)
  }

  listRoute(app, context, {
    operationId: 'list_orders',
    summary: 'List orders with customizations',
    description: 'Those of one source, or of all.',
    config: { causes: ['svc_order_type_unavailable'] },
    querystring: OrderListQuery,
    resource: ListedOrder,
    async read(query, _selection, rows) {
      const { type: name = 'wc', include, has_print_file: hasPrintFile } = query
      // Orders without a print file are those to print, unless the client names states.
      const isPrintable = query.status === undefined && hasPrintFile === false
      const printable = isPrintable ? await context.printableStatuses() : []
      const statusesOf = (type: OrderType) =>
        isPrintable ? printableStatusesOf(type, printable) : requestedStatuses(query.status)
      const filters = { ...rows, search: query.search || undefined, include, hasPrintFile }
      if (name === 'all') {
        const statuses = { wc: statusesOf('wc'), gf: statusesOf('gf'), shortcode: statusesOf('shortcode') }
        const page = await mergedOrders.pageByOffset({ ...filters, statuses })
        const [items, total] = await Promise.all([withPrintFiles(page.orders), page.total()])
        return { items, total, meta: { type: name } }
      }
      const { type, list } = orders.of(name)
      const statuses = statusesOf(type)
      const page = await list({ ...filters, statuses }).catch((error: unknown) =>
        nameTypes(database, type, error),
      )
      // Only the total without filters is cached: jobs end without a request, so a cached count of print files would not be dropped.
      const isFiltered = filters.search || include || hasPrintFile !== undefined || statuses
      const [items, total] = await Promise.all([
        addPrintFiles(type, page.orders),
        isFiltered ? page.total() : totals.get(`orders:${type}`, page.total),
      ])
      return { items, total, meta: { type: name } }
    },
  })

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
      const { type: name = 'wc', item_id: itemId, order } = requested(request)
      const { type, get, facts, update } = orders.of(name)
      if (type !== 'wc' && itemId !== undefined) throw invalidParams({ item_id: 'belongs to type wc only' })
      const { orderId, change, readOnlyKey: itemKey } = await update(id, itemId, order, stateCheck(request))
      totals.forget()
      if (change) await metaChanged(change)
      if (wantsMinimal(request)) return ok({ order_id: orderId })
      const [written, orderFacts] = await Promise.all([get(orderId, { itemKey }), facts(orderId)])
      const found = await orderResource(orderId, name, written, orderFacts)
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

/** The states in the parameter `status`; undefined for `any`. @throws SvcError 400 for a state that no listed order can have */
function requestedStatuses(status: string | undefined): string[] | undefined {
  const statuses = statusesIn(status)
  if (!statuses || statuses.includes('any')) return undefined
  for (const name of statuses) {
    if (!/^[a-z0-9_-]{1,40}$/.test(name)) throw invalidParams({ status: `${name} is no state of an order` })
    if (['trash', 'auto-draft', 'checkout-draft'].includes(name))
      throw invalidParams({ status: `orders in the state ${name} are not listed` })
  }
  return statuses
}

/** A function that adds the URL of the newest print file to each listed order, or to each item of a shop order. */
function printFilesOf({ database, storages }: SvcContext) {
  const jobs = printJobsRepository(database)
  return async (type: OrderType, rows: ListedRow[]) => {
    const files = await jobs.newestFiles(
      type,
      rows.map(({ id }) => id),
    )
    const allFiles = [...files.values()].flatMap((items) => [...items.values()])
    const urls = new Map((await printFileUrls(allFiles, storages)).map((url, i) => [allFiles[i], url]))
    return rows.map(({ order_items, id, ...row }) => {
      // Orders without items have their file under 0.
      const urlOf = (itemId: number) => urls.get(files.get(id)?.get(itemId)) ?? null
      const order = { id, order_id: id, ...row }
      if (!order_items) return { ...order, print_file_url: urlOf(0) }
      const items = order_items.map(({ id: itemId, ...item }) => {
        return { id: itemId, item_id: itemId, ...item, print_file_url: urlOf(itemId) }
      })
      return { ...order, order_items: items }
    })
  }
}

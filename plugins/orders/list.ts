// `GET /orders`: the orders of one source, or of all, each with its newest print files.
import type { SvcContext } from '../../src/app/context.ts'
import { invalidParams } from '../../src/core/errors.ts'
import type { GroupScope } from '../../src/http/group.ts'
import { listRoute } from '../../src/http/list-route.ts'
import { type AnyOrder, allOrders } from '../../src/orders/all-orders.ts'
import { nameTypes } from '../../src/orders/installed-types.ts'
import type { Orders } from '../../src/orders/orders.ts'
import { printableStatusesOf, statusesIn } from '../../src/orders/printable.ts'
import type { ListedOrder as ListedRow, OrderType } from '../../src/orders/source.ts'
import { printFileUrls } from '../../src/print/print-file.ts'
import { printJobsRepository } from '../../src/print/print-jobs.ts'
import { ListedOrder, OrderListQuery } from './schema.ts'

/** Adds the route. */
export function ordersListRoute(app: GroupScope, context: SvcContext, orders: Orders): void {
  const { database, totals } = context
  const addPrintFiles = printFilesOf(context)
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
      const { type: requestedType = 'wc', include, has_print_file: hasPrintFile } = query
      // Orders without a print file are those to print, unless the client names states.
      const isPrintable = query.status === undefined && hasPrintFile === false
      const printable = isPrintable ? await context.printableStatuses() : []
      const statusesOf = (type: OrderType) =>
        isPrintable ? printableStatusesOf(type, printable) : requestedStatuses(query.status)
      const filters = { ...rows, search: query.search || undefined, include, hasPrintFile }
      if (requestedType === 'all') {
        const statuses = { wc: statusesOf('wc'), gf: statusesOf('gf'), shortcode: statusesOf('shortcode') }
        const page = await mergedOrders.pageByOffset({ ...filters, statuses })
        const [items, total] = await Promise.all([withPrintFiles(page.orders), page.total()])
        return { items, total, meta: { type: requestedType } }
      }
      const { type, list } = orders.of(requestedType)
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
      return { items, total, meta: { type: requestedType } }
    },
  })
}

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

/** Returns a function that adds the URL of the newest print file to each listed order, or to each item of a shop order. */
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

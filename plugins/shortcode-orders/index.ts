// /shortcode-orders: orders that customers send by the form of the shortcode, without a shop.
import type { Static } from '@sinclair/typebox'
import { selectedFields, withField } from '../../src/http/fields.ts'
import { group } from '../../src/http/group.ts'
import { resourceRoutes } from '../../src/http/resource-routes.ts'
import { shortcodeOrdersRepository } from '../../src/orders/shortcode-orders.ts'
import { designWarnings } from '../../src/renderer/written-view.ts'
import {
  NewShortcodeOrder,
  ShortcodeOrder,
  ShortcodeOrderListQuery,
  ShortcodeOrderPatch,
  ShortcodeOrderQuery,
} from './schema.ts'

/** The routes of shortcode orders. */
export default group('shortcode_orders', (app, context, declaration) => {
  const orders = shortcodeOrdersRepository(context.database)
  const { totals, orderCreated, autoPrint } = context
  const routes = resourceRoutes(app, context, declaration, {
    singular: 'shortcode_order',
    resource: ShortcodeOrder,
    table: context.database.t.orders,
    find: orders.find,
    // The views are included by `include_data`, or if `fields` names them.
    select: (query: Static<typeof ShortcodeOrderQuery>) =>
      withField(selectedFields(query, ShortcodeOrder), {
        property: 'views',
        isIncluded: query.include_data,
        byDefault: true,
      }),
    warnings: (order) => designWarnings(order, context.missingFiles),
  })

  routes.list({
    querystring: ShortcodeOrderListQuery,
    async read({ include }, selection, rows) {
      const withViews = selection.has('views')
      const [items, total] = await Promise.all([
        orders.list({ ...rows, include, withViews }),
        include ? orders.count(include) : totals.get('shortcode_orders', () => orders.count()),
      ])
      const withoutViews = withViews ? items.filter((order) => order.views === null) : []
      return { items, total, unreadable: withoutViews.map(({ id }) => ({ id, column: 'views' })) }
    },
  })
  routes.create({
    body: NewShortcodeOrder,
    async make(order, _ref, options) {
      const written = await orders.create(order, options)
      totals.forget()
      if (written) {
        await orderCreated({ type: 'shortcode', id: written.id })
        autoPrint.arrived('shortcode', written.id)
      }
      return written
    },
  })
  routes.get({ querystring: ShortcodeOrderQuery })
  routes.patch({ body: ShortcodeOrderPatch, update: orders.update })
  routes.remove({
    async remove(id, check) {
      const removed = await orders.remove(id, check)
      totals.forget()
      return removed
    },
  })
})

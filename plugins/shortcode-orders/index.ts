// /shortcode-orders: orders from the shortcode form.

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

/** The routes of orders that come from a form of the designer, without a shop. */
export default group('shortcode_orders', (app, context, declaration) => {
  const orders = shortcodeOrdersRepository(context.database)
  const { totals, orderCreated, autoPrint } = context
  const routes = resourceRoutes(app, context, declaration, {
    singular: 'shortcode_order',
    resource: ShortcodeOrder,
    table: context.database.t.orders,
    find: orders.find,
    // Views come with include_data, or where `fields` names them.
    select: (query: Static<typeof ShortcodeOrderQuery>) =>
      withField(selectedFields(query, ShortcodeOrder), 'views', query.include_data, true),
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
      const lost = withViews ? items.filter((order) => order.views === null) : []
      return { items, total, unreadable: lost.map(({ id }) => ({ id, column: 'views' })) }
    },
  })
  routes.create({
    body: NewShortcodeOrder,
    async make(order, _ref, options) {
      const made = await orders.create(order, options)
      totals.forget()
      if (made) await orderCreated({ type: 'shortcode', id: made.id })
      if (made) autoPrint.arrived('shortcode', made.id)
      return made
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

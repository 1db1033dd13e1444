// Functions with which a host prints orders outside of requests: one order, or all that have become printable.
import type { FastifyInstance } from 'fastify'
import { runningContext } from '../src/http/running-apis.ts'
import type { OrderType } from '../src/orders/source.ts'

/** An order by its source and id. */
export interface OrderToPrint {
  /** `wc` for orders of the shop, `gf` for form entries, `shortcode`. */
  type: OrderType
  id: number
  /** Path of the REST root of the API, such as `/wp-json`; needed if the app has several. */
  baseUrl?: string
}

/**
 * Prints the items of an order that have not been printed automatically, if the order is in a printable state, each once. The
 * files are drawn afterwards. Works whether or not automatic printing is on; how it prints, the option `autoPrint` says.
 * @returns of how many items a print job was made
 * @throws Error with `statusCode` 404 if there is no order with a design; Error if no API runs in the app
 * @example
 * await printOrder(app, { type: 'wc', id: 1047 })
 */
export const printOrder = (app: FastifyInstance, { type, id, baseUrl }: OrderToPrint): Promise<number> =>
  runningContext(app, baseUrl).autoPrint.order(type, id)

/**
 * Looks at once for orders that have become printable, and resolves when they are printed. Automatic printing must be on.
 * @param baseUrl path of the REST root of the API; needed if the app has several
 * @example
 * app.post('/hooks/order-paid', () => printNewOrders(app))
 */
export const printNewOrders = (app: FastifyInstance, baseUrl?: string): Promise<void> =>
  runningContext(app, baseUrl).autoPrint.now()

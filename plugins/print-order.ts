// Functions with which a host prints orders outside of requests: one order, or all that have become printable.
import type { FastifyInstance } from 'fastify'
import { runningContext } from '../src/http/running-apis.ts'
import type { OrderType } from '../src/orders/source.ts'

/** Which order to print. */
export interface OrderToPrint {
  /** `wc` for orders of the shop, `gf` for form entries, `shortcode`. */
  type: OrderType
  /** Id of the order in its source. */
  id: number
  /** Path of the REST root of the API, such as `/wp-json`; needed if the app has several. */
  baseUrl?: string
}

/**
 * Makes a print job for each item of an order for which automatic printing has made none yet, if the order is in a printable state.
 * The files are drawn later, in the background. Works even if automatic printing is off; the option `autoPrint` configures the jobs.
 * @returns the number of new print jobs
 * @throws Error with `statusCode` 404 if there is no order with a design; Error if no API runs in the app
 * @example
 * await printOrder(app, { type: 'wc', id: 1047 })
 */
export const printOrder = (app: FastifyInstance, { type, id, baseUrl }: OrderToPrint): Promise<number> =>
  runningContext(app, baseUrl).autoPrint.order(type, id)

/**
 * Looks for orders that have become printable now, instead of at the next interval, and resolves when they are printed. Automatic
 * printing must be on.
 * @param baseUrl path of the REST root of the API; needed if the app has several
 * @example
 * app.post('/hooks/order-paid', () => printNewOrders(app))
 */
export const printNewOrders = (app: FastifyInstance, baseUrl?: string): Promise<void> =>
  runningContext(app, baseUrl).autoPrint.now()

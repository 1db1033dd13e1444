// Reads the numbers by which people know shop orders, as plugins for order numbers store them.
import type { Database } from '../db/connect.ts'
import type { CmsOptions } from '../settings/cms.ts'
import { shopRows } from './shop-rows.ts'
import { shopText } from './shop-text.ts'

/**
 * Meta keys of the number, first the form that the shop shows: Sequential Order Numbers (Pro), WPFactory, YITH, Booster.
 * WebToffee uses `_order_number`, too.
 */
const numberKeys = [
  '_order_number_formatted',
  '_alg_wc_full_custom_order_number',
  '_ywson_custom_number_order_complete',
  '_order_number',
  '_alg_wc_custom_order_number',
  '_wcj_order_number',
]

/** Returns a function that reads the numbers of orders. */
export function orderNumbers(database: Database, cms: CmsOptions) {
  const { orderMeta } = shopRows(database, cms)

  /**
   * @param storage as `orderStorage` returns it
   * @returns a function from the id of an order to its number; the id if no plugin has stored a number
   */
  return async (
    orderIds: readonly number[],
    storage: { isInTables: boolean },
  ): Promise<(orderId: number) => string> => {
    if (orderIds.length === 0) return String
    const metaOf = await orderMeta(orderIds, numberKeys, storage)
    return (id) => numberKeys.map((key) => shopText(metaOf(id, key))).find(Boolean) ?? String(id)
  }
}

// Reads the numbers by which people know shop orders, as plugins for order numbers store them.
import type { Database } from '../db/connect.ts'
import { shopText } from './shop-text.ts'
import { foreignTables } from './tables.ts'

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
export function orderNumbers(database: Database) {
  const { db, f } = foreignTables(database)

  /** @returns a function from the id of an order to its number; the id if no plugin has stored a number */
  return async (ids: readonly number[], isInTables: boolean): Promise<(id: number) => string> => {
    if (ids.length === 0) return String
    const rows = isInTables
      ? await db
          .selectFrom(f.orderMeta)
          .select(['order_id as id', 'meta_key as key', 'meta_value as value'])
          .where('order_id', 'in', ids)
          .where('meta_key', 'in', numberKeys)
          .execute()
      : await db
          .selectFrom(f.postMeta)
          .select(['post_id as id', 'meta_key as key', 'meta_value as value'])
          .where('post_id', 'in', ids)
          .where('meta_key', 'in', numberKeys)
          .execute()
    const byOrder = Map.groupBy(rows, ({ id }) => Number(id))
    return (id) => {
      const meta = byOrder.get(id) ?? []
      const numbers = numberKeys.map((name) => shopText(meta.find(({ key }) => key === name)?.value))
      return numbers.find(Boolean) ?? String(id)
    }
  }
}

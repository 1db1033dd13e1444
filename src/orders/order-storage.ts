// Where a shop keeps its orders.
import type { CmsOptions } from '../settings/cms.ts'

const customOrders = 'woocommerce_custom_orders_table_enabled'
const synchronized = 'woocommerce_custom_orders_table_data_sync_enabled'

/** Whether orders have their own tables; else they are posts. Both may exist. */
export const hasOrderTables = async (cms: CmsOptions): Promise<boolean> =>
  (await cms.getMany([customOrders])).get(customOrders) === 'yes'

/** The same, and whether the shop keeps a copy of its orders on the other side. */
export async function orderStorage(cms: CmsOptions) {
  const stored = await cms.getMany([customOrders, synchronized])
  return {
    isInTables: stored.get(customOrders) === 'yes',
    isSynchronized: stored.get(synchronized) === 'yes',
  }
}

// The customization of one order or item, for callers that know only the ids.

import { SvcError } from '../core/errors.ts'
import type { Database } from '../db/connect.ts'
import type { CmsOptions } from '../settings/cms.ts'
import { ordersOf } from './orders.ts'

export interface OrderReference {
  type: string
  orderId: string
  /** 0 if the order has no items. */
  itemId: number
}

/** JSON text; undefined if the order is gone or unreadable. */
export function customizationOf(database: Database, cms: CmsOptions) {
  const orders = ordersOf(database, cms)
  return async ({ type, orderId, itemId }: OrderReference): Promise<string | undefined> => {
    try {
      const found = await orders.of(type).get(Number(orderId), { itemId: itemId > 0 ? itemId : undefined })
      const json = found.items[0]?.json
      return json === undefined ? undefined : String(json)
    } catch (error) {
      // A missing order is not a server error.
      if (error instanceof SvcError && error.statusCode < 500) return undefined
      throw error
    }
  }
}

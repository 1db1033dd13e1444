// The customization of one order or item, for callers that know only the ids.

import { SvcError } from '../core/errors.ts'
import type { Database } from '../db/connect.ts'
import type { CmsOptions } from '../settings/cms.ts'
import { ordersOf } from './orders.ts'
import { wholeOrder } from './whole-order.ts'

export interface OrderReference {
  type: string
  orderId: string
  /** 0 if the order has no items. */
  itemId: number
}

/** JSON text, of the whole order where items are not named; undefined if it is gone or unreadable. */
export function customizationOf(database: Database, cms: CmsOptions) {
  const orders = ordersOf(database, cms)
  return async ({ type, orderId, itemId }: OrderReference): Promise<string | undefined> => {
    try {
      const source = orders.of(type)
      const id = Number(orderId)
      if (source.type === 'wc' && itemId === 0) return await wholeOrder(source, id)
      const found = await source.get(id, { itemId: itemId > 0 ? itemId : undefined })
      const json = found.items[0]?.json
      return json === undefined ? undefined : String(json)
    } catch (error) {
      // A missing order is not a server error.
      if (error instanceof SvcError && error.statusCode < 500) return undefined
      throw error
    }
  }
}

// Reads when orders of the shop are due, as plugins for delivery dates store it in the meta of orders.
import type { Database } from '../db/connect.ts'
import type { CmsOptions } from '../settings/cms.ts'
import { shopRows } from './shop-rows.ts'
import { orderStorage } from './tables.ts'

/** Keys of Order Delivery Date (Tyche), Delivery Slots (Iconic) and others; the first one with a date counts. */
const dueKeys = [
  '_orddd_timestamp',
  '_orddd_lite_timestamp',
  'jckwds_date_ymd',
  '_delivery_date',
  'delivery_date',
  '_due_date',
]

/** Orders of one statement. */
const batchSize = 1000

/** Returns a function that reads the due days of shop orders. */
export function dueDates(database: Database, cms: CmsOptions) {
  const { orderMeta } = shopRows(database, cms)

  /** @returns days such as `2026-04-29`, by order; orders without one are left out */
  return async (orderIds: readonly number[]): Promise<Map<number, string>> => {
    const days = new Map<number, string>()
    for (let start = 0; start < orderIds.length; start += batchSize) {
      const ids = orderIds.slice(start, start + batchSize)
      const metaOf = await orderMeta(ids, dueKeys, await orderStorage(cms))
      for (const id of ids) {
        const day = dueKeys.map((key) => dayOf(metaOf(id, key))).find(Boolean)
        if (day) days.set(id, day)
      }
    }
    return days
  }
}

/** The day in a stored date, which is Unix seconds, `20260429`, or text that begins with `2026-04-29`; undefined for other values. */
export function dayOf(stored: string | null): string | undefined {
  const text = stored?.trim() ?? ''
  if (/^\d{9,10}$/.test(text)) return new Date(Number(text) * 1000).toISOString().slice(0, 10)
  const [, year, month, day] = /^(\d{4})-?(\d\d)-?(\d\d)(?!\d)/.exec(text) ?? []
  const iso = `${year}-${month}-${day}`
  return day !== undefined && !Number.isNaN(Date.parse(iso)) ? iso : undefined
}

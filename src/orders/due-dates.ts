// Reads when orders of the shop are due, as plugins for delivery dates store it in the meta of orders.
import type { Database } from '../db/connect.ts'
import type { CmsOptions } from '../settings/cms.ts'
import { foreignTables, orderStorage } from './tables.ts'
import { shopRows } from './wc-details.ts'

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
  const { db, f } = foreignTables(database)
  const { postMeta } = shopRows(database, cms)

  /**
   * Reads the meta of orders where the shop stores its orders.
   * @returns a function from order and key to the stored value; null if there is none
   */
  async function metaOf(orderIds: readonly number[]) {
    if (!(await orderStorage(cms)).isInTables) return postMeta(orderIds, dueKeys)
    const rows = await db
      .selectFrom(f.orderMeta)
      .select(['order_id', 'meta_key', 'meta_value'])
      .where('order_id', 'in', orderIds)
      .where('meta_key', 'in', dueKeys)
      // The oldest row of a key counts: it comes last and replaces the others in the map.
      .orderBy('id', 'desc')
      .execute()
    const values = new Map(rows.map((row) => [`${row.order_id} ${row.meta_key}`, row.meta_value]))
    return (order: number, key: string) => values.get(`${order} ${key}`) ?? null
  }

  /** @returns days such as `2026-04-29`, by order; orders without one are left out */
  return async (orderIds: readonly number[]): Promise<Map<number, string>> => {
    const days = new Map<number, string>()
    for (let start = 0; start < orderIds.length; start += batchSize) {
      const ids = orderIds.slice(start, start + batchSize)
      const storedValue = await metaOf(ids)
      for (const id of ids) {
        const day = dueKeys.map((key) => dayOf(storedValue(id, key))).find(Boolean)
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

// The addresses of an order of the shop, wherever it keeps its orders.
import type { Database } from '../db/connect.ts'
import type { CmsOptions } from '../settings/cms.ts'
import { hasOrderTables } from './order-storage.ts'
import type { Address } from './recipient.ts'
import { addressColumns, foreignTables } from './tables.ts'

export type Addresses = Record<'shipping' | 'billing', Address>

export function orderAddresses(database: Database, cms: CmsOptions) {
  const { db, f } = foreignTables(database)
  return async (orderId: number): Promise<Addresses> => {
    const addresses: Addresses = { shipping: {}, billing: {} }
    if (await hasOrderTables(cms)) {
      const rows = await db
        .selectFrom(f.addresses)
        .select(['address_type', ...addressColumns])
        .where('order_id', '=', orderId)
        .execute()
      for (const { address_type, ...address } of rows) {
        if (address_type === 'shipping' || address_type === 'billing') addresses[address_type] = address
      }
      return addresses
    }
    const kinds = ['shipping', 'billing'] as const
    const rows = await db
      .selectFrom(f.postMeta)
      .select(['meta_key', 'meta_value'])
      .where('post_id', '=', orderId)
      .where(
        'meta_key',
        'in',
        kinds.flatMap((kind) => addressColumns.map((column) => `_${kind}_${column}`)),
      )
      .orderBy('meta_id', 'desc')
      .execute()
    const values = new Map(rows.map((row) => [row.meta_key, row.meta_value]))
    for (const kind of kinds) {
      for (const column of addressColumns) addresses[kind][column] = values.get(`_${kind}_${column}`) ?? null
    }
    return addresses
  }
}

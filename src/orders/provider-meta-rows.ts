// Writes the meta rows with the order at the print provider (values: provider-meta-values.ts), in each place where the shop stores its
// orders: in the tables for orders, in posts, or in both.
import { type Kysely, sql } from 'kysely'
import type { Database } from '../db/connect.ts'
import type { Tables } from '../db/tables.ts'
import type { CmsOptions } from '../settings/cms.ts'
import { type MetaLimits, orderMeta } from './provider-meta-values.ts'
import type { MetaChange } from './source.ts'
import { foreignEncoder, foreignTables, orderStorage } from './tables.ts'

/** A table of meta, with its primary key, the column of the order's id, and the table of the orders. */
interface MetaTable {
  meta: string
  id: string
  owner: string
  orders: { table: string; id: string; type: string }
}

/** Bytes of a value: moderate even if the column has room for more, because PHP reads it with every order. */
const maxBytes = 1024 * 1024

/** Returns a function that records the provider's order in the meta of a shop order. */
export function orderMetaWriter(database: Database, cms: CmsOptions) {
  const { db, dialect } = database
  const { f } = foreignTables(database)
  const encoderFor = foreignEncoder(database)
  const inTables: MetaTable = {
    meta: f.orderMeta,
    id: 'id',
    owner: 'order_id',
    orders: { table: f.orders, id: 'id', type: 'type' },
  }
  const inPosts: MetaTable = {
    meta: f.postMeta,
    id: 'meta_id',
    owner: 'post_id',
    orders: { table: f.posts, id: 'ID', type: 'post_type' },
  }

  /** The tables of meta in which the shop stores this order. A placeholder in the other place is no copy. */
  async function metaTablesOf(orderId: number): Promise<MetaTable[]> {
    const { isInTables, isSynchronized } = await orderStorage(cms)
    const [used, other] = isInTables ? [inTables, inPosts] : [inPosts, inTables]
    return isSynchronized && (await hasCopy(other, orderId)) ? [used, other] : [used]
  }

  /** Whether the shop stores a copy of the order in this place. */
  async function hasCopy(
    { meta, orders: { table, id, type } }: MetaTable,
    orderId: number,
  ): Promise<boolean> {
    try {
      const { rows } = await sql`select ${sql.ref(id)} from ${sql.table(table)}
        where ${sql.ref(id)} = ${orderId} and ${sql.ref(type)} = 'shop_order'`.execute(db)
      return rows.length > 0 && (await encoderFor(db, meta)).has(meta, 'meta_value')
    } catch (error) {
      if (dialect.isMissingTable(error)) return false
      throw error
    }
  }

  /** The limits that all columns have in common, so that the copies are equal. */
  async function limitsOf(metaTables: readonly MetaTable[]): Promise<MetaLimits> {
    const columns = await Promise.all(
      metaTables.map(async ({ meta }) => [meta, await encoderFor(db, meta)] as const),
    )
    return {
      maxBytes: Math.min(
        maxBytes,
        ...columns.map(([meta, limits]) => limits.maxBytes(meta, 'meta_value') ?? maxBytes),
      ),
      storable: (text) =>
        columns.reduce((value, [meta, limits]) => limits.replaced(meta, 'meta_value', value), text),
    }
  }

  /** Writes a value to the oldest row with the key, which PHP reads, or to a new one. */
  async function put(
    trx: Kysely<Tables>,
    { meta, id, owner }: MetaTable,
    orderId: number,
    key: string,
    value: string,
  ) {
    const { rows } = await sql<{ id: number }>`select ${sql.ref(id)} as id from ${sql.table(meta)}
      where ${sql.ref(owner)} = ${orderId} and meta_key = ${key} order by ${sql.ref(id)} limit 1`.execute(trx)
    const [row] = rows
    await (row
      ? sql`update ${sql.table(meta)} set meta_value = ${value} where ${sql.ref(id)} = ${row.id}`
      : sql`insert into ${sql.table(meta)} (${sql.ref(owner)}, meta_key, meta_value)
          values (${orderId}, ${key}, ${value})`
    ).execute(trx)
  }

  /**
   * Writes to all tables in one transaction: some versions of a shop that stores its orders twice delete meta that the other copy
   * lacks.
   * @returns the changes of CMS meta rows
   */
  return async (orderId: number, order: Record<string, unknown>): Promise<MetaChange[]> => {
    const metaTables = await metaTablesOf(orderId)
    const values = orderMeta(order, await limitsOf(metaTables))
    await database.transaction(async (trx) => {
      for (const metaTable of metaTables)
        for (const [key, value] of Object.entries(values)) await put(trx, metaTable, orderId, key, value)
    })
    return metaTables.map(({ meta }) => ({ table: meta, objectId: orderId, keys: Object.keys(values) }))
  }
}

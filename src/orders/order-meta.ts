// The meta of a shop's orders, wherever the shop keeps it: in tables of its own, in posts, or in both.
import { type Kysely, sql } from 'kysely'
import type { Database } from '../db/connect.ts'
import type { Tables } from '../db/tables.ts'
import type { CmsOptions } from '../settings/cms.ts'
import { orderStorage } from './order-storage.ts'
import { foreignColumns, foreignTables } from './tables.ts'

/** A table of meta, and the table of the orders that it belongs to. */
interface Side {
  meta: string
  id: string
  owner: string
  orders: { table: string; id: string; type: string }
}

/** What all columns that are written have in common. */
export interface MetaLimits {
  /** Bytes of a value. */
  maxBytes: number
  /** The string without characters that a column cannot store. */
  storable(text: string): string
}

/** A moderate size where the column has room for more, since PHP reads it with every order. */
const maxBytes = 1024 * 1024

export function orderMetaWriter(database: Database, cms: CmsOptions) {
  const { db, dialect } = database
  const { f } = foreignTables(database)
  const columnsOf = foreignColumns(database)
  const inTables: Side = {
    meta: f.orderMeta,
    id: 'id',
    owner: 'order_id',
    orders: { table: f.orders, id: 'id', type: 'type' },
  }
  const inPosts: Side = {
    meta: f.postMeta,
    id: 'meta_id',
    owner: 'post_id',
    orders: { table: f.posts, id: 'ID', type: 'post_type' },
  }

  /** Where the shop keeps this order; the first counts. A placeholder is no copy. */
  async function sidesOf(orderId: number): Promise<Side[]> {
    const { isInTables, isSynchronized } = await orderStorage(cms)
    const [side, other] = isInTables ? [inTables, inPosts] : [inPosts, inTables]
    return isSynchronized && (await hasCopy(other, orderId)) ? [side, other] : [side]
  }

  async function hasCopy({ meta, orders: { table, id, type } }: Side, orderId: number): Promise<boolean> {
    try {
      const { rows } = await sql`select ${sql.ref(id)} from ${sql.table(table)}
        where ${sql.ref(id)} = ${orderId} and ${sql.ref(type)} = 'shop_order'`.execute(db)
      return rows.length > 0 && (await columnsOf(db, meta)).has(meta, 'meta_value')
    } catch (error) {
      if (dialect.isMissingTable(error)) return false
      throw error
    }
  }

  async function limitsOf(sides: readonly Side[]): Promise<MetaLimits> {
    const columns = await Promise.all(
      sides.map(async ({ meta }) => [meta, await columnsOf(db, meta)] as const),
    )
    return {
      maxBytes: Math.min(
        maxBytes,
        ...columns.map(([meta, known]) => known.maxBytes(meta, 'meta_value') ?? maxBytes),
      ),
      storable: (text) =>
        columns.reduce((left, [meta, known]) => known.replaced(meta, 'meta_value', left), text),
    }
  }

  /** PHP reads the oldest of several rows with one key. */
  async function put(
    trx: Kysely<Tables>,
    { meta, id, owner }: Side,
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
   * Writes values by key, everywhere in one transaction: where a shop keeps its orders twice, some releases delete from one
   * side what the other one lacks.
   * @param valuesOf the values that fit
   * @returns what was written
   */
  return async (
    orderId: number,
    valuesOf: (limits: MetaLimits) => Record<string, string>,
  ): Promise<{ table: string; objectId: number; keys: string[] }[]> => {
    const sides = await sidesOf(orderId)
    const values = valuesOf(await limitsOf(sides))
    await database.transaction(async (trx) => {
      for (const side of sides)
        for (const [key, value] of Object.entries(values)) await put(trx, side, orderId, key, value)
    })
    return sides.map(({ meta }) => ({ table: meta, objectId: orderId, keys: Object.keys(values) }))
  }
}

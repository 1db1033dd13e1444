// What an order's meta says about its draft at the print provider, in the format that PHP reads, and writing it wherever the
// shop keeps its orders: in tables of its own, in posts, or in both.
import { type Kysely, sql } from 'kysely'
import type { Database } from '../db/connect.ts'
import { PhpFormatError, phpFromJson, writePhp } from '../db/php-value.ts'
import { readStoredJson } from '../db/stored-json.ts'
import type { Tables } from '../db/tables.ts'
import { parseExact } from '../json/exact.ts'
import type { CmsOptions } from '../settings/cms.ts'
import type { MetaChange } from './source.ts'
import { foreignEncoder, foreignTables, orderStorage } from './tables.ts'

/** A table of meta, and the table of the orders that it belongs to. */
interface MetaTable {
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

  /** Where the shop keeps this order; the first counts. A placeholder is no copy. */
  async function metaTablesOf(orderId: number): Promise<MetaTable[]> {
    const { isInTables, isSynchronized } = await orderStorage(cms)
    const [side, other] = isInTables ? [inTables, inPosts] : [inPosts, inTables]
    return isSynchronized && (await hasCopy(other, orderId)) ? [side, other] : [side]
  }

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

  async function limitsOf(sides: readonly MetaTable[]): Promise<MetaLimits> {
    const columns = await Promise.all(
      sides.map(async ({ meta }) => [meta, await encoderFor(db, meta)] as const),
    )
    return {
      maxBytes: Math.min(
        maxBytes,
        ...columns.map(([meta, limits]) => limits.maxBytes(meta, 'meta_value') ?? maxBytes),
      ),
      storable: (text) =>
        columns.reduce((left, [meta, limits]) => limits.replaced(meta, 'meta_value', left), text),
    }
  }

  /** PHP reads the oldest of several rows with one key. */
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
   * Records the provider's order, everywhere in one transaction: where a shop keeps its orders twice, some releases delete
   * from one side what the other one lacks.
   * @returns what was written
   */
  return async (orderId: number, order: Record<string, unknown>): Promise<MetaChange[]> => {
    const sides = await metaTablesOf(orderId)
    const values = orderMeta(order, await limitsOf(sides))
    await database.transaction(async (trx) => {
      for (const side of sides)
        for (const [key, value] of Object.entries(values)) await put(trx, side, orderId, key, value)
    })
    return sides.map(({ meta }) => ({ table: meta, objectId: orderId, keys: Object.keys(values) }))
  }
}

type Value = Record<string, unknown>

const maxDepth = 100

/** Key of the row with the provider's order, which names the recipient. */
export const providerOrderKey = '_svc_printful_order_data'

/** The meta rows by key. */
export function orderMeta(order: Value, limits: MetaLimits): Record<string, string> {
  const { dashboard_url: url } = order
  const dashboard =
    typeof url === 'string' && url.length <= 2000 && /^https?:\/\/\S+$/.test(url) ? url : undefined
  return {
    [providerOrderKey]: firstThatFits([order, withItems(order), ownProperties(order)], limits),
    ...(dashboard !== undefined && { _svc_printful_order_dashboard_url: limits.storable(dashboard) }),
  }
}

/** The smaller of the columns, so that both sides of a shop that keeps its orders twice stay equal; read from it, it fits. */
const defaultLimits: MetaLimits = { maxBytes: 65_535, storable: (text) => text }

/** The stored order with what identifies it and its items alone; nothing of a value that cannot be read. */
export function withoutPerson(stored: string): string {
  const json = readStoredJson(stored, '{}')
  if (json === undefined) return writePhp(phpFromJson({}))
  const order: Value = Object(parseExact(json))
  return firstThatFits([withItems(order), ownProperties(order)], defaultLimits)
}

const ownProperties = (order: Value) =>
  scalars(order, ['id', 'external_id', 'store', 'status', 'created', 'updated', 'dashboard_url'])

function withItems(order: Value): Value {
  const items: unknown[] = Array.isArray(order.items) ? order.items : []
  const limits = ['id', 'external_id', 'variant_id', 'quantity']
  const named = items.map((item) => scalars(Object(item), limits))
  return { ...ownProperties(order), ...(named.length > 0 && { items: named }) }
}

/** The first form that fits. */
function firstThatFits(forms: readonly Value[], { maxBytes, storable }: MetaLimits): string {
  for (const form of forms) {
    const text = phpText(form, storable)
    if (text !== undefined && Buffer.byteLength(text) <= maxBytes) return text
  }
  return writePhp(phpFromJson({}))
}

function phpText(value: unknown, storable: MetaLimits['storable']): string | undefined {
  try {
    return writePhp(phpFromJson(storableValue(value, storable, 0)))
  } catch (error) {
    if (error instanceof PhpFormatError) return undefined
    throw error
  }
}

/** PHP values have no escapes for characters that the column cannot store. */
function storableValue(value: unknown, storable: MetaLimits['storable'], depth: number): unknown {
  if (typeof value === 'string') return storable(value)
  if (typeof value !== 'object' || value === null) return value
  if (depth === maxDepth) throw new PhpFormatError('The order is nested too deep.')
  if (Array.isArray(value)) return value.map((element) => storableValue(element, storable, depth + 1))
  return Object.fromEntries(
    Object.entries(value).map(([key, element]) => [
      storable(key),
      storableValue(element, storable, depth + 1),
    ]),
  )
}

const scalars = (record: Value, names: string[]): Value =>
  Object.fromEntries(
    names.flatMap((name) => {
      const value = record[name]
      const isShort = typeof value === 'string' ? value.length <= 2000 : Number.isFinite(value)
      return isShort ? [[name, value]] : []
    }),
  )

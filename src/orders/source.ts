// The contract of a source of orders: where customization data lie, and which orders carry some.
import type { Kysely } from 'kysely'
import type { Tables } from '../db/tables.ts'

/** The texts under which customers' designs were stored, newest generation first. */
export const generations = ['_svc_data', 'legacy_data', '_legacy_data'] as const

/** What is stored under one key of one item. */
export interface StoredData {
  /** null where the order has no items of its own. */
  itemId: number | null
  key: string
  value: string
  /** Where it stands, for whoever has to repair it: physical table, row, column. */
  place: { table: string; row: number; column: string }
}

/** What is stored of one order. */
export interface StoredOrder {
  /** Ids of all its items, with data or without; empty where the order has no items. */
  itemIds: number[]
  /** The designs, of all generations, in the order of items and of rows. */
  designs: StoredData[]
  /** What stands under the one other key that was asked for. */
  literal: StoredData[]
}

/** An order in the list. */
export interface ListedOrder {
  id: number
  order_number?: string
  created_date: string | null
  status?: string
  customer_name: string
  customer_mail: string
  order_items?: { id: number; name: string }[]
}

export interface ListQuery {
  search: string | undefined
  include: number[] | undefined
  limit: number
  offset: number
}

export interface OrderSource {
  /** What is stored of the order, with what stands under `literal`; undefined when there is no such order. */
  read(
    orderId: number,
    literal: string | undefined,
    executor?: Kysely<Tables>,
  ): Promise<StoredOrder | undefined>
  /** The order that an item belongs to; absent where orders have no items. */
  orderOf?(itemId: number): Promise<number | undefined>
  /** Writes where the data were found, else where the newest generation stands. */
  write(trx: Kysely<Tables>, target: WriteTarget): Promise<MetaPlace | undefined>
  /** Removes the order; absent where orders belong to the CMS. */
  remove?(trx: Kysely<Tables>, orderId: number): Promise<void>
  /** Orders that carry a design, newest first, those in the trash left out. */
  list(query: ListQuery): Promise<{ orders: ListedOrder[]; total: () => Promise<number> }>
}

export interface WriteTarget {
  orderId: number
  itemId: number | undefined
  /** Undefined where there were none. */
  found: StoredData | undefined
  /** The design. */
  order: object
}

/** The CMS meta row that was written, for the host's object cache. */
export interface MetaPlace {
  table: string
  objectId: number
  key: string
}

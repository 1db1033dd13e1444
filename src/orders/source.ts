// The contract of an order source: where customization data is stored, and which orders have it.
import type { Kysely } from 'kysely'
import type { Tables } from '../db/tables.ts'

export type OrderType = 'wc' | 'shortcode' | 'gf'

/** The sources in words, as pages name them. */
export const sourceNames: Record<OrderType, string> = { wc: 'Shop', gf: 'Form', shortcode: 'Shortcode' }

/** The keys under which customers' designs were stored, newest generation first. */
export const generations = ['_svc_data', 'legacy_data', '_legacy_data'] as const

/** Stored values that stand for no design: as JSON, and as PHP serializes an empty array. */
export const emptyValues = ['', 'null', '[]', 'a:0:{}']

/** The value stored under one key of one item. */
export interface StoredData {
  /** null if orders have no items. */
  itemId: number | null
  key: string
  value: string
  /** Where it is stored, so that it can be repaired: physical table, row, column. */
  location: { table: string; row: number; column: string }
}

/** The stored data of one order. */
export interface StoredOrder {
  /** Ids of all its items, with or without data; empty if orders have no items. */
  itemIds: number[]
  /** The designs of all generations, ordered by item and row. */
  designs: StoredData[]
  /** The values under the one other key that was requested. */
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
  /** First and last day of creation in UTC, such as `2026-04-29`. */
  since?: string | undefined
  until?: string | undefined
  /** Only orders of which all that is printed has a print file, or of which something has none. */
  hasPrintFile?: boolean | undefined
  limit: number
  offset: number
}

/** What else is known of an order; absent where its source does not know it. */
export interface OrderDetails {
  /** Lines of an address. */
  shipping?: string[]
  billing?: string[]
  phone?: string
  items?: { id: number; name: string; quantity: string; total: string }[]
  /** With its currency. */
  total?: string
  /** What the customer wrote. */
  note?: string
  /** Fields of a form, with those that name the customer. */
  fields?: { label: string; value: string; isCustomer: boolean }[]
}

export interface OrderSource {
  /** Absent where nothing else is known. */
  details?(orderId: number): Promise<OrderDetails>
  /** The stored data of the order, with the values under the key `literal`; undefined when there is no such order. */
  read(
    orderId: number,
    literal: string | undefined,
    executor?: Kysely<Tables>,
  ): Promise<StoredOrder | undefined>
  /** The order of an item; absent where orders have no items. */
  orderOf?(itemId: number): Promise<number | undefined>
  /** Writes to the row where the data was found, else under the key of the newest generation. */
  write(trx: Kysely<Tables>, target: WriteTarget): Promise<MetaLocation | undefined>
  /** Deletes the order; absent where orders belong to the CMS. */
  remove?(trx: Kysely<Tables>, orderId: number): Promise<void>
  /** Orders with a design, newest first, except those in the trash. */
  list(query: ListQuery): Promise<{ orders: ListedOrder[]; total: () => Promise<number> }>
}

interface WriteTarget {
  orderId: number
  itemId: number | undefined
  /** The row to write to: that of the stored design, else an empty one of the newest key; undefined if there is neither. */
  found: StoredData | undefined
  /** The new design. */
  order: object
}

/** The CMS meta row that was written, for the host's object cache. */
export interface MetaLocation {
  table: string
  objectId: number
  key: string
}

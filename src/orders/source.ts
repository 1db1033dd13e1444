// The contract of an order source, which reads and writes the designs of orders where their plugin stores them: wc.ts, gf.ts and
// shortcode-source.ts implement it; orders.ts, order-values.ts and the index of large shops call it.
import type { Kysely } from 'kysely'
import type { Tables } from '../db/tables.ts'

/** Orders of WooCommerce, of the shortcode, and entries of Gravity Forms. */
export type OrderType = 'wc' | 'shortcode' | 'gf'

/** The sources in words, as pages name them. */
export const sourceNames: Record<OrderType, string> = { wc: 'Shop', gf: 'Form', shortcode: 'Website' }

/** An order as people call it: `Shop A-77`, `Form 12, T-shirt form`, `Website order 2`. */
export function orderName({
  type,
  id,
  order_number: number = String(id),
  product,
}: Pick<ListedOrder, 'order_number' | 'product'> & { type: OrderType; id: number | string }): string {
  if (type === 'shortcode') return `Website order ${number}`
  return [`${sourceNames[type]} ${number}`, product].filter(Boolean).join(', ')
}

/**
 * The meta keys of designs: the current one, then those of older versions, newest first.
 *
 * The words of this room: an item of a shop order, or an order without items, has *values*, each under a *key* (a meta key; `item_key` in
 * the API). The value under one of these keys is the *design* of the item. A form entry has its design under the id of a field instead,
 * a shortcode order in the column `views`. A value under any other key is *read-only*: clients can request it, and send it back
 * unchanged, but not change it.
 */
export const designKeys = ['_svc_data', 'legacy_data', '_legacy_data'] as const

/** Stored values that stand for no design: empty text, empty JSON, and an empty array that PHP serialized. */
export const emptyValues = ['', 'null', '[]', 'a:0:{}']

/** The value stored under one key of one item. */
export interface StoredValue {
  /** null if orders have no items. */
  itemId: number | null
  key: string
  value: string
  /** Where it is stored, so that it can be repaired: physical table, row, column. */
  location: { table: string; row: number; column: string }
}

/** The stored values of one order. */
export interface StoredOrder {
  /** Ids of all its items, with or without values; empty if orders have no items. */
  itemIds: number[]
  /** The designs under all design keys, ordered by item and row. */
  designs: StoredValue[]
  /** The values under the read-only key that was requested; empty without one. */
  readOnlyValues: StoredValue[]
}

/** An item of an order in the list. */
export type ListedItem = { id: number } & BoughtItem

/** An order in the list. */
export interface ListedOrder {
  id: number
  order_number?: string
  created_date: string | null
  status: string
  customer_name: string
  customer_mail: string
  order_items?: ListedItem[]
  /** Title of the form, if the order is an entry of a form. */
  product?: string
  /** Values of the form's fields, such as size and color; absent if orders have items. */
  attributes?: BoughtItem['attributes']
  /** As the customer entered it; absent if the form has no such field. */
  quantity?: string
}

/** The properties that decide whether an order is on a list of the print room, without its items and customer. */
export type OrderHead = Pick<ListedOrder, 'id' | 'created_date' | 'status'>

/** Which orders a list contains before it is searched. */
export interface ListConditions {
  /** Only orders with these ids. */
  include: number[] | undefined
  /** Unix seconds: created at `since` or later, and before `until`. */
  since?: number | undefined
  until?: number | undefined
  /** Only orders of which all that is printed has a print file, or of which something has none. */
  hasPrintFile?: boolean | undefined
  /** Only orders in one of these states, without the prefix `wc-`. */
  statuses?: readonly string[] | undefined
}

/** Which part of a list is read, in orders. */
export interface PageSlice {
  limit: number
  offset: number
}

/** The query of a list. */
export interface ListQuery extends ListConditions, PageSlice {
  /** Text that the orders must contain (see order-search.ts). */
  search: string | undefined
}

/** A page of a list. */
export interface OrderPage {
  orders: ListedOrder[]
  /** The number of orders on all pages; counted when it is called. */
  total: () => Promise<number>
}

/** Further properties of an order, for the page of an order; absent if its source does not know them. */
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

/** What was bought of one item of a shop order. */
export interface BoughtItem {
  name: string
  /** Of the variation, otherwise of the product; "" if neither has one. */
  sku: string
  product_id: number | null
  variation_id: number | null
  /** Ordered pieces; a fraction or 0 if the shop stores one, null if it stores no number. */
  quantity: number | null
  /** Refunded pieces. */
  refunded: number
  /** Attributes of the variation and visible meta of the item, with their labels, in the order of their rows. */
  attributes: { name: string; value: string }[]
}

/** The state of an order, and what was bought. */
export interface OrderFacts {
  /** As its source calls it, such as `processing`; `active` if orders have no state. */
  status: string
  /** Number of the order for people; absent if orders have none. */
  number?: string
  /** By id; absent if orders have no items. */
  items?: ReadonlyMap<number, BoughtItem>
  /** Whether money was refunded without naming pieces. */
  hasAmountOnlyRefund?: boolean
}

/** The refunds of one order. */
export interface Refunds {
  /** Refunded pieces by item. */
  pieces: ReadonlyMap<number, number>
  /** Whether money was refunded by a refund that names no pieces. */
  hasAmountOnly: boolean
}

/** The orders of one plugin. Its functions throw the engine's error if the tables of the plugin do not exist. */
export interface OrderSource {
  /** The state of an order; undefined when there is no such order. */
  facts(orderId: number): Promise<OrderFacts | undefined>
  /** Further properties of an order; absent if the source has none. */
  details?(orderId: number): Promise<OrderDetails>
  /**
   * The stored values of the order; undefined when there is no such order.
   * @param readOnlyKey a key whose values are read, too
   * @param executor the transaction to read in; default the connection of the source
   */
  read(
    orderId: number,
    readOnlyKey: string | undefined,
    executor?: Kysely<Tables>,
  ): Promise<StoredOrder | undefined>
  /** The order of an item, undefined if there is no such item; absent if orders have no items. */
  orderOf?(itemId: number): Promise<number | undefined>
  /** Writes to `target.storedRow`, otherwise to a new row. @returns the change of a CMS meta row; undefined if none was written */
  write(trx: Kysely<Tables>, target: WriteTarget): Promise<MetaChange | undefined>
  /** Deletes the order; absent if orders belong to the CMS. */
  remove?(trx: Kysely<Tables>, orderId: number): Promise<void>
  /** Orders with a design, newest first, except drafts and those in the trash. */
  list(query: ListQuery): Promise<OrderPage>
  /** The stored values under all design keys of these items of these orders, by order. @param itemIds ignored if orders have no items */
  designs(orderIds: readonly number[], itemIds: readonly number[]): Promise<Map<number, StoredValue[]>>
  /** Reads refunds, and resolves to a function from order id to the refunds of that order; absent if orders have no refunds. */
  refunds?(orderIds: readonly number[]): Promise<(orderId: number) => Refunds>
  /** The ids of the items with a design of these orders, by order; absent if orders have no items. */
  designedItems?(orderIds: readonly number[]): Promise<Map<number, number[]>>
  /** Digests of the stored designs of these orders, by `order:item`; the item is 0 where orders have none. */
  designDigests(orderIds: readonly number[]): Promise<Map<string, string>>
}

interface WriteTarget {
  orderId: number
  /** undefined if orders have no items. */
  itemId: number | undefined
  /** The row to write to: that of the stored design, otherwise an empty one of the newest key; undefined if there is neither. */
  storedRow: StoredValue | undefined
  /** The new design. */
  order: object
}

/** A change of a CMS meta row, reported after commit. */
export interface MetaChange {
  /** Physical table name. */
  table: string
  objectId: number
  keys: string[]
}

// Converts the `order` that a client sends to the design to store: without the properties that GET adds, in any form that GET returns.
import { invalidParams } from '../core/errors.ts'
import { parseExact } from '../json/parse.ts'
import { asStored } from '../json/php-arrays.ts'
import { isObject, sameJson, sameValue } from '../json/values.ts'
import { type ItemValue, isSpread, itemJson, itemProperties } from './item-values.ts'

type JsonObject = Record<string, unknown>

/** The item that a request writes to. */
interface Target {
  itemId: number | null
  /** The stored design; undefined if there is none. */
  design: ItemValue | undefined
  /** The value under the `item_key` of the sent item, if that is a read-only key; undefined if there is none. */
  readOnlyValue: ItemValue | undefined
}

const has = (value: unknown, name: string): value is JsonObject =>
  isObject(value) && Object.hasOwn(value, name)

/** The `item_key` in the sent item; undefined if there is none. */
export function sentKey(sent: unknown): string | undefined {
  const item = sentItem(sent)
  return has(item, 'item_key') && typeof item.item_key === 'string' ? item.item_key : undefined
}

/** A list of one item, or a whole order with one, stands for that item: GET returns both forms. */
function sentItem(order: unknown): unknown {
  const inOrder = has(order, 'order_id') && Array.isArray(order.items) ? order.items : order
  if (!Array.isArray(inOrder)) return order
  if (!inOrder.some((item) => has(item, 'item_id') && has(item, 'item_key'))) return order
  if (inOrder.length > 1) throw refused('contains several items; send one of them, with its item_id')
  return inOrder[0]
}

/**
 * The design to store; undefined if the client sent back what GET returned, so that there is nothing to write.
 * @throws SvcError 400 for an ambiguous value, or one that is not a design
 */
export function designToStore(
  sentOrder: unknown,
  { itemId, design, readOnlyValue }: Target,
): object | undefined {
  const order = withoutOrderItem(sentItem(sentOrder))
  if (readOnlyValue && sameJson(order, itemJson(readOnlyValue))) return undefined
  // The design of a form entry is stored under the id of a field, which `readOnlyKey` takes for a read-only key.
  if (readOnlyValue && has(order, 'item_key') && order.item_key !== design?.stored.key)
    throw refused('has the item_key of a value that cannot be changed here')
  const stored = design?.json === undefined ? undefined : parseExact(design.json)
  const sentDesign = isObject(order) ? designOf(order, itemId, design, stored) : order
  const sent = stored === undefined ? sentDesign : asStored(sentDesign, stored)
  // GET of several items returns null for an unreadable design.
  if (design && (stored === undefined ? sent === null : sameValue(sent, stored))) return undefined
  if (!isObject(sent) && !Array.isArray(sent)) throw refused('must be an object or an array')
  if (Array.isArray(sent) && sent.length === 0)
    throw refused('must not be an empty array, which stands for no design')
  return sent
}

/** The item without `order_item`, if GET added that: clients may have removed the other added properties. */
function withoutOrderItem(order: unknown): unknown {
  if (!has(order, 'order_item')) return order
  const { order_item: bought, ...properties } = order
  const isAdded = Object.hasOwn(properties, 'item_key') || boughtProperties.every((name) => has(bought, name))
  return isAdded ? properties : order
}

const boughtProperties = ['name', 'sku', 'product_id', 'variation_id', 'quantity', 'refunded', 'attributes']

/**
 * The design without the properties that GET adds. The item that they name has no effect, because the request names the item to write
 * to: so a design can be copied from another item.
 */
function designOf(
  order: JsonObject,
  itemId: number | null,
  design: ItemValue | undefined,
  stored: unknown,
): unknown {
  const isWrapped = design !== undefined && !isSpread(design)
  const { item_id: id, item_key: key, ...properties } = order
  if (id === undefined && key === undefined)
    return unwrapped(properties, { hasItemProperties: false, isWrapped }, stored)
  // The stored design of this item does not show how GET returned the design of another one.
  return id !== undefined && id !== itemId
    ? unwrappedCopy(properties)
    : unwrapped(properties, { hasItemProperties: true, isWrapped }, stored)
}

/** The design of another item. GET wraps a design in `data` if it is no object, or has `itemProperties`. */
function unwrappedCopy(properties: JsonObject): unknown {
  const { data } = properties
  if (!isOnlyData(properties) || (isObject(data) && !nestsItem(data))) return properties
  assertNoItem(data, undefined)
  return data
}

const isOnlyData = (properties: JsonObject) =>
  Object.hasOwn(properties, 'data') && Object.keys(properties).length === 1

/**
 * The design of the item itself: the value of `data` if GET wraps it, or the object.
 * @param hasItemProperties whether the sent item had the properties that GET adds
 * @param isWrapped whether GET wraps the stored design
 */
function unwrapped(
  properties: JsonObject,
  { hasItemProperties, isWrapped }: { hasItemProperties: boolean; isWrapped: boolean },
  stored: unknown,
): unknown {
  if (!Object.hasOwn(properties, 'data')) return properties
  const hasOnlyData = isOnlyData(properties)
  if (isWrapped && hasItemProperties && !hasOnlyData)
    throw refused('has properties next to data, which contains the whole design; change the design in data')
  const mayBeWrapped = isWrapped || (hasItemProperties && !has(stored, 'data'))
  if (!hasOnlyData || !mayBeWrapped) return properties
  assertNoItem(properties.data, stored)
  return properties.data
}

/** @throws SvcError 400 for a design that contains added properties, unless the stored one does, too */
function assertNoItem(data: unknown, stored: unknown): void {
  if (nestsItem(data) && !nestsItem(stored))
    throw refused(`has ${itemProperties.join(', ')} inside data; leave them out there`)
}

const nestsItem = (value: unknown) => itemProperties.some((name) => has(value, name))

const refused = (problem: string) => invalidParams({ order: problem })

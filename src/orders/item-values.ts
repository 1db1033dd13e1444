// Decodes the stored values of items (for the words see `designKeys` in source.ts): which of several designs counts, its JSON in any
// encoding, and the form in which responses contain an item.

import { membersOf } from '../core/foreign.ts'
import { mapInTurns } from '../core/turns.ts'
import type { Connection } from '../db/connect.ts'
import { type PhpEntry, PhpFormatError, readPhp, writePhp } from '../db/php-value.ts'
import { stateTagInTurns } from '../db/state-tag.ts'
import { maxStored, readStoredJson, unserializedString } from '../db/stored-json.ts'
import { type UnreadableValue, unreadableRows } from '../db/unreadable.ts'
import { fromJson, parseExact } from '../json/parse.ts'
import { hasProperty, isWithinLimits } from '../json/text.ts'
import { type BoughtItem, designKeys, emptyValues, type StoredOrder, type StoredValue } from './source.ts'
import { foreignTables } from './tables.ts'

/** A value of one item, as it is stored and as JSON; undefined when it cannot be read. */
export interface ItemValue {
  stored: StoredValue
  json: string | undefined
}

/**
 * The read-only key that a client requests by `itemKey`; undefined for designs, which are requested by any of their keys, '' or none. The
 * field of a form's design counts as read-only here.
 */
export function readOnlyKey(itemKey: string | undefined): string | undefined {
  return itemKey === '' || designKeys.some((key) => key === itemKey) ? undefined : itemKey
}

/** The design of each item: the first that is not empty in the order of the design keys; items without one are left out. */
export function designsOf(data: readonly StoredValue[]): Promise<ItemValue[]> {
  // A source may use a different key for designs, which is then the only one.
  const rank = ({ key }: StoredValue) => (designKeys as readonly string[]).indexOf(key)
  return firstOfEachItem(
    [...data].sort((a, b) => rank(a) - rank(b)),
    readDesign,
  )
}

/** The first value of each item that is not empty, for rows under a read-only key. */
export const readOnlyValuesOf = (data: readonly StoredValue[]) => firstOfEachItem(data, readAnyValue)

/** The first value of each item that is not empty, decoded by `decode`; sorted by item. */
async function firstOfEachItem(
  data: readonly StoredValue[],
  decode: (value: string) => string | undefined,
): Promise<ItemValue[]> {
  const filled = data.filter(({ value }) => !isEmpty(value))
  const items = Map.groupBy(filled, ({ itemId }) => itemId)
  const sorted = [...items].sort(([a], [b]) => (a ?? 0) - (b ?? 0))
  const firstRows = sorted.flatMap(([, [stored]]) => (stored ? [stored] : []))
  return mapInTurns(firstRows, (stored) => ({ stored, json: decode(stored.value) }))
}

/** The values that stand for no design, as JSON and as PHP serializes an empty array. */
const isEmpty = (value: string) => emptyValues.includes((unserializedString(value) ?? value).trim())

/**
 * The JSON text of a design in any encoding; undefined if it cannot be read. In the oldest encoding, the element `svc_product` of a
 * PHP array is a separate JSON string.
 */
export function readDesign(value: string): string | undefined {
  const stored = unserializedString(value)
  if (stored === undefined) return undefined
  const product = productIn(stored)
  const inner = product && readStoredJson(product.text, '[]')
  if (!product || inner === undefined) return readStoredJson(stored, '[]')
  const arrayJson = readStoredJson(product.arrayWithout, '[]')
  if (arrayJson === undefined) return undefined
  const properties = Object.entries(membersOf(parseExact(arrayJson))).map(
    ([name, value]) => `${JSON.stringify(name)}:${name === productKey ? inner : JSON.stringify(value)}`,
  )
  const orderJson = `{${properties.join(',')}}`
  return isWithinLimits(orderJson) ? orderJson : undefined
}

/** The element of a PHP array with the design in the oldest encoding. */
const productKey = 'svc_product'

/** The text of `svc_product` in an array of PHP, and the array without that text, which may be nearly all of it. */
function productIn(stored: string): { text: string; arrayWithout: string } | undefined {
  if (!stored.trimStart().startsWith('a:') || !stored.includes(productKey)) return undefined
  try {
    const array = readPhp(stored.trim())
    const entries = membersOf(array).entries as readonly PhpEntry[]
    const text = entries.findLast(([key]) => key === productKey)?.[1]
    if (typeof text !== 'string') return undefined
    const emptied = entries.map(([key, value]): PhpEntry => [key, key === productKey ? '' : value])
    return { text, arrayWithout: writePhp({ entries: emptied }) }
  } catch (error) {
    if (error instanceof PhpFormatError) return undefined
    throw error
  }
}

/** A meta value as JSON: itself if it is JSON, otherwise as a JSON string; undefined if it is too large or nested too deep. */
function readAnyValue(value: string): string | undefined {
  const stored = unserializedString(value) ?? value
  if (stored.length > maxStored || !isWithinLimits(stored)) return undefined
  try {
    fromJson(stored)
    return stored
  } catch {
    return JSON.stringify(stored)
  }
}

/** Names of the properties that a response adds to a design. */
export const itemProperties = ['item_id', 'item_key', 'order_item']
/** A JSON text that contains none of these has no property with such a name. */
const possibleNames = [...itemProperties.map((name) => `"${name}"`), '\\u00']

/** Whether `itemJson` mixes the properties of the design with those it adds: if it is an object without properties of these names. */
export function isSpread({ json = 'null' }: ItemValue): boolean {
  if (!json.trimStart().startsWith('{')) return false
  // Names may contain escapes, so the text is parsed if one of the names is possible.
  return !possibleNames.some((name) => json.includes(name)) || !hasProperty(json, itemProperties)
}

/**
 * An item as JSON in a response: the added properties, then those of the design, or the whole design as `data`.
 * @param bought undefined if orders have no items
 */
export function itemJson(item: ItemValue, bought?: BoughtItem): string {
  const { stored, json = 'null' } = item
  const orderItem = bought ? `,"order_item":${JSON.stringify(bought)}` : ''
  const head = `{"item_id":${stored.itemId},"item_key":${JSON.stringify(stored.key)}${orderItem}`
  const body = json.trim()
  if (!isSpread(item)) return `${head},"data":${body}}`
  return /^\{\s*\}$/.test(body) ? `${head}}` : `${head},${body.slice(1)}`
}

/**
 * Finds designs in orders of the shop whose encoding cannot be read; none if the tables of the shop do not exist.
 * @param report called with the name of a table and the number of its rows that were read so far
 */
export async function* unreadableDesigns(
  connection: Connection,
  report: (table: string, rows: number) => void,
): AsyncGenerator<UnreadableValue> {
  const table = foreignTables(connection).f.itemMeta
  const keys = { column: 'meta_key', among: designKeys }
  try {
    yield* unreadableRows(connection, { table, id: 'meta_id', columns: ['meta_value'], keys }, report)
  } catch (error) {
    if (!connection.dialect.isMissingTable(error)) throw error
  }
}

/**
 * The row under the newest design key that a new design is written to, for an item without a design; undefined if there is none. The
 * row is reused, because the CMS reads only the first row of a key.
 * @param itemId undefined if orders have no items
 */
export function rowToReuse({ designs }: StoredOrder, itemId: number | undefined): StoredValue | undefined {
  const [, ...legacy]: readonly string[] = designKeys
  return designs.find((row) => !legacy.includes(row.key) && (itemId === undefined || row.itemId === itemId))
}

/** The state tag of an order: over all its designs, even those that a response omits. */
export function stateOf(orderId: number, { itemIds, designs }: StoredOrder): Promise<string> {
  const values = designs.flatMap(({ itemId, key, value }) => [itemId, key, value])
  return stateTagInTurns([orderId, itemIds.join(), ...values])
}

// From stored rows to customization data: which generation counts, and its content in any encoding.

import { mapInTurns } from '../core/turns.ts'
import type { Connection } from '../db/connect.ts'
import { type PhpEntry, PhpFormatError, readPhp, writePhp } from '../db/php-value.ts'
import { stateTagInTurns } from '../db/state-tag.ts'
import { maxStored, readStoredJson, unserializedString } from '../db/stored-json.ts'
import { type UnreadableValue, unreadableRows } from '../db/unreadable.ts'
import { parseExact } from '../json/exact.ts'
import { fromJson } from '../json/parse.ts'
import { hasProperty, isWithinLimits } from '../json/text.ts'
import { type BoughtItem, emptyValues, generations, type StoredData, type StoredOrder } from './source.ts'
import { foreignTables } from './tables.ts'

/** The stored data of one item, and the customization in it as JSON; undefined when it cannot be read. */
export interface Customization {
  found: StoredData
  json: string | undefined
}

/** The key unless it belongs to a generation: those are resolved together, whichever one is requested. */
export function literalKey(itemKey: string | undefined): string | undefined {
  return itemKey === '' || generations.some((key) => key === itemKey) ? undefined : itemKey
}

/** The first design of each item that is not empty, by generation; items without one are left out. */
export function designsOf(data: readonly StoredData[]): Promise<Customization[]> {
  // A source may use a different key for designs, which is then the only one.
  const rank = ({ key }: StoredData) => (generations as readonly string[]).indexOf(key)
  return firstOf(
    [...data].sort((a, b) => rank(a) - rank(b)),
    readDesign,
  )
}

/** The first value of each item under a literal key. */
export const literalsOf = (data: readonly StoredData[]) => firstOf(data, literalOf)

async function firstOf(
  data: readonly StoredData[],
  read: (value: string) => string | undefined,
): Promise<Customization[]> {
  const full = data.filter(({ value }) => !isEmpty(value))
  const items = Map.groupBy(full, ({ itemId }) => itemId)
  const sorted = [...items].sort(([a], [b]) => (a ?? 0) - (b ?? 0))
  const first = sorted.flatMap(([, [found]]) => (found ? [found] : []))
  return mapInTurns(first, (found) => ({ found, json: read(found.value) }))
}

/** The values that stand for no design, as JSON and as PHP serializes an empty array. */
const isEmpty = (value: string) => emptyValues.includes((unserializedString(value) ?? value).trim())

/** A design in any encoding. In the oldest encoding, the array's element `svc_product` is a separate JSON string. */
export function readDesign(value: string): string | undefined {
  const stored = unserializedString(value)
  if (stored === undefined) return undefined
  const product = productIn(stored)
  const inner = product && readStoredJson(product.text, '[]')
  if (!product || inner === undefined) return readStoredJson(stored, '[]')
  const others = readStoredJson(product.others, '[]')
  if (others === undefined) return undefined
  const properties = Object.entries(Object(parseExact(others))).map(
    ([name, value]) => `${JSON.stringify(name)}:${name === productKey ? inner : JSON.stringify(value)}`,
  )
  const orderJson = `{${properties.join(',')}}`
  return isWithinLimits(orderJson) ? orderJson : undefined
}

const productKey = 'svc_product'

/** The text of `svc_product` in an array of PHP, and the array without that text, which may be nearly all of it. */
function productIn(stored: string): { text: string; others: string } | undefined {
  if (!stored.trimStart().startsWith('a:') || !stored.includes(productKey)) return undefined
  try {
    const array = readPhp(stored.trim())
    const entries = Object(array).entries as readonly PhpEntry[]
    const text = entries.findLast(([key]) => key === productKey)?.[1]
    if (typeof text !== 'string') return undefined
    const others = entries.map(([key, value]): PhpEntry => [key, key === productKey ? '' : value])
    return { text, others: writePhp({ entries: others }) }
  } catch (error) {
    if (error instanceof PhpFormatError) return undefined
    throw error
  }
}

/** Any other meta value as it is, decoded only where it is JSON; undefined if it would take too long to see whether it is. */
function literalOf(value: string): string | undefined {
  const stored = unserializedString(value) ?? value
  if (stored.length > maxStored || !isWithinLimits(stored)) return undefined
  try {
    fromJson(stored)
    return stored
  } catch {
    return JSON.stringify(stored)
  }
}

/** Names of an item's own properties in a response. */
export const itemProperties = ['item_id', 'item_key', 'order_item']
/** Without one of these, no JSON object has a property of such a name. */
const suspects = [...itemProperties.map((name) => `"${name}"`), '\\u00']

/** Whether the design's properties are mixed with the item's own: it must be an object without properties of these names. */
export function isSpread({ json = 'null' }: Customization): boolean {
  if (!json.trimStart().startsWith('{')) return false
  // Names may contain escapes. Parsing them is only worth it where one of the item's names is possible.
  return !suspects.some((suspect) => json.includes(suspect)) || !hasProperty(json, itemProperties)
}

/**
 * An item as JSON in a response: the design's properties after the item's own, or the whole design as `data`.
 * @param bought undefined where orders have no items
 */
export function itemJson(item: Customization, bought?: BoughtItem): string {
  const { found, json = 'null' } = item
  const orderItem = bought ? `,"order_item":${JSON.stringify(bought)}` : ''
  const head = `{"item_id":${found.itemId},"item_key":${JSON.stringify(found.key)}${orderItem}`
  const body = json.trim()
  if (!isSpread(item)) return `${head},"data":${body}}`
  return /^\{\s*\}$/.test(body) ? `${head}}` : `${head},${body.slice(1)}`
}

/** Designs in orders of the shop whose encoding cannot be read; none where the shop's tables do not exist. */
export async function* unreadableDesigns(
  connection: Connection,
  report: (table: string, rows: number) => void,
): AsyncGenerator<UnreadableValue> {
  const table = foreignTables(connection).f.itemMeta
  const keys = { column: 'meta_key', among: generations }
  try {
    yield* unreadableRows(connection, { table, id: 'meta_id', columns: ['meta_value'], keys }, report)
  } catch (error) {
    if (!connection.dialect.isMissingTable(error)) throw error
  }
}

/** The row of the newest key, which holds no design if none was found: the CMS reads only the first row of a key. */
export function vacantRow({ designs }: StoredOrder, itemId: number | undefined): StoredData | undefined {
  const [, ...legacy]: readonly string[] = generations
  return designs.find((row) => !legacy.includes(row.key) && (itemId === undefined || row.itemId === itemId))
}

/** A tag over all designs of the order, even those that a response omits. */
export function stateOf(orderId: number, { itemIds, designs }: StoredOrder): Promise<string> {
  const values = designs.flatMap(({ itemId, key, value }) => [itemId, key, value])
  return stateTagInTurns([orderId, itemIds.join(), ...values])
}

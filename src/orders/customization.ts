// From stored rows to customization data: which generation counts, and its content in any encoding.
import { largeValue } from '../db/large-values.ts'
import { readStoredJson } from '../db/stored-json.ts'
import { parseExact } from '../json/exact.ts'
import { fromJson } from '../json/parse.ts'
import { hasProperty, JsonText, type StoredJson } from '../json-text.ts'
import { firstCharacterOf, type JsonPart } from '../large-json/bytes.ts'
import { textOf, trimmed } from '../large-json/scan.ts'
import { largeFrom, offThread } from '../off-thread/off-thread.ts'
import { mapInTurns } from '../turns.ts'
import { emptyValues, generations, type StoredData } from './source.ts'

type MaybeLater<T> = T | Promise<T>

/** The stored data of one item, and the customization in it as JSON; undefined when it cannot be read. */
export interface Customization {
  found: StoredData
  json: StoredJson | undefined
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
    designOf,
  )
}

/** The first value of each item under a literal key. */
export const literalsOf = (data: readonly StoredData[]) => firstOf(data, literalOf)

async function firstOf(
  data: readonly StoredData[],
  read: (value: StoredJson) => MaybeLater<StoredJson | undefined>,
): Promise<Customization[]> {
  const full = data.filter(({ value }) => !isEmpty(value))
  const items = Map.groupBy(full, ({ itemId }) => itemId)
  const sorted = [...items].sort(([a], [b]) => (a ?? 0) - (b ?? 0))
  const first = sorted.flatMap(([, [found]]) => (found ? [found] : []))
  return mapInTurns(first, async (found) => ({ found, json: await read(found.value) }))
}

/** The values that stand for no design, as JSON and as PHP serializes an empty array. */
function isEmpty(value: StoredJson): boolean {
  if (typeof value === 'string') return emptyValues.includes(value.trim())
  const json = trimmed(value.bytes)
  return json.length <= 'null'.length && emptyValues.includes(textOf(json))
}

/** A design in any encoding. A large one in the oldest encoding is read off the main thread. */
function designOf(stored: StoredJson): MaybeLater<StoredJson | undefined> {
  if (stored instanceof JsonText) return stored
  const isOldest = stored.length >= largeFrom && stored.trimStart().startsWith('a:')
  return isOldest ? offThread(import.meta.url, 'readDesign', stored) : readDesign(stored)
}

/** Runs on either thread. In the oldest encoding, the array's element `svc_product` is a separate JSON string. */
export function readDesign(stored: string): string | undefined {
  const json = readStoredJson(stored, '[]')
  if (json === undefined || !stored.trimStart().startsWith('a:')) return json
  const array = parseExact(json)
  if (typeof array !== 'object' || array === null || !Object.hasOwn(array, 'svc_product')) return json
  const properties = Object.entries(array).map(([name, value]: [string, unknown]) => {
    const inner =
      name === 'svc_product' && typeof value === 'string' ? readStoredJson(value, '[]') : undefined
    return `${JSON.stringify(name)}:${inner ?? JSON.stringify(value)}`
  })
  return `{${properties.join(',')}}`
}

/** Any other meta value as it is, decoded only where it is JSON. */
function literalOf(stored: StoredJson): StoredJson {
  if (stored instanceof JsonText) return stored
  const large = largeValue(stored)
  if (large) return large.json === stored ? stored : JSON.stringify(stored)
  try {
    fromJson(stored)
    return stored
  } catch {
    return JSON.stringify(stored)
  }
}

/** Names of an item's own properties in a response. */
const itemProperties = ['item_id', 'item_key']
/** Without one of these, no JSON object has a property of such a name. */
const suspects = ['"item_id"', '"item_key"', '\\u00']

/** Whether the design's properties are mixed with the item's own: it must be an object without properties of these names. */
export function isSpread({ json = 'null' }: Customization): boolean {
  if (firstCharacterOf(json) !== '{') return false
  // Names may contain escapes. Parsing them is only worth it where one of the item's names is possible.
  const text = typeof json === 'string' ? json : json.buffer
  return !suspects.some((suspect) => text.includes(suspect)) || !hasProperty(String(json), itemProperties)
}

/**
 * An item as JSON in a response: the design's properties after the item's own, or the whole design as `data`. In parts, so
 * that a large design is not copied.
 */
export function itemParts(item: Customization): JsonPart[] {
  const { found, json = 'null' } = item
  const head = `{"item_id":${found.itemId},"item_key":${JSON.stringify(found.key)}`
  const body = typeof json === 'string' ? json.trim() : trimmed(json.bytes)
  if (!isSpread(item)) return [`${head},"data":`, body, '}']
  const isEmpty = typeof json === 'string' ? /^\{\s*\}$/.test(json.trim()) : json.items === 0
  return isEmpty ? [`${head}}`] : [`${head},`, typeof body === 'string' ? body.slice(1) : body.subarray(1)]
}

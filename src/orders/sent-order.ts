// From the `order` that a client sends to the design to store, without the properties that GET added.
import { invalidParams } from '../errors.ts'
import { isObject, parseExact, sameJson } from '../json.ts'
import { JsonText, type JsonTextParts, jsonForThread } from '../json-text.ts'
import { largeFrom, offThread } from '../off-thread/off-thread.ts'
import { type Customization, isSpread, itemJson } from './customization.ts'
import { generations } from './source.ts'

/** An object or array from the body or, once unwrapped, any JSON value. */
type Json = unknown

/** The item that a request writes to. */
interface Target {
  itemId: number | null
  /** What GET returns for it; undefined if nothing is stored. */
  design: Customization | undefined
  /** The value under the literal key in the sent item, if any. */
  literal: Customization | undefined
}

/** The `item_key` in what was sent. Large values are read off the main thread. */
export async function sentKey(sent: Json): Promise<string | undefined> {
  return sent instanceof JsonText ? offThread(import.meta.url, 'keyInJson', sent) : keyOf(sentItem(sent))
}

/** Runs on the other thread. */
export const keyInJson = (json: string): string | undefined => keyOf(sentItem(parseExact(json)))

function keyOf(order: Json): string | undefined {
  const key = isObject(order) ? order.item_key : undefined
  return typeof key === 'string' ? key : undefined
}

/** A list of one item, or a whole order with one, stands for that item: GET returns both forms. */
function sentItem(order: Json): Json {
  const items = isObject(order) && 'order_id' in order && Array.isArray(order.items) ? order.items : order
  const isItem = (item: Json) => isObject(item) && 'item_id' in item && 'item_key' in item
  if (!Array.isArray(items) || !items.some(isItem)) return order
  if (items.length > 1) throw refused('contains several items; send one of them, with its item_id')
  return items[0]
}

/**
 * The design to store; undefined if the client sent back what GET returned, so that there is nothing to write. Large
 * designs are compared off the main thread.
 * @throws SvcError 400 for an ambiguous value, or one that is not a design
 */
export async function designToStore(sent: Json, target: Target): Promise<object | undefined> {
  const stored = [target.design, target.literal].map((found) => found?.json?.length ?? 0)
  if (!(sent instanceof JsonText) && Math.max(...stored) < largeFrom) return designOfSent(sent, target)
  const parts = await offThread<JsonTextParts | undefined>(
    import.meta.url,
    'designInJson',
    jsonForThread(sent),
    target,
  )
  return parts && new JsonText(parts)
}

/** Runs on the other thread. */
export function designInJson(sent: string, target: Target): JsonTextParts | undefined {
  const design = designOfSent(parseExact(sent), target)
  return design && JsonText.parts(JSON.stringify(design))
}

function designOfSent(whole: Json, { itemId, design, literal }: Target): object | undefined {
  const order = sentItem(whole)
  if (literal && sameJson(order, itemJson(literal))) return undefined
  const sent = isObject(order) ? designOf(order, itemId, design) : order
  // GET of several items returns null for an unreadable design.
  if (design && (design.json === undefined ? sent === null : sameJson(sent, design.json))) return undefined
  return assertDesign(sent)
}

/** The design without the properties that GET adds. */
function designOf(
  { item_id, item_key, ...rest }: Record<string, Json>,
  itemId: number | null,
  design: Customization | undefined,
): Json {
  if (item_id !== undefined && item_id !== itemId)
    throw refused(`has the item_id ${JSON.stringify(item_id)}, but the item is ${itemId}`)
  const keys: readonly Json[] = design ? [design.found.key] : generations
  if (item_key !== undefined && !keys.includes(item_key))
    throw refused(`has the item_key ${JSON.stringify(item_key)}, but the design is stored under ${keys[0]}`)
  return unwrapped(rest, item_id !== undefined || item_key !== undefined, design)
}

function unwrapped(
  rest: Record<string, Json>,
  hasItemProperties: boolean,
  design: Customization | undefined,
): Json {
  const stored: Json = design?.json === undefined ? undefined : JSON.parse(design.json)
  const isWrapped = design !== undefined && !isSpread(design)
  if (!Object.hasOwn(rest, 'data')) return rest
  const alone = Object.keys(rest).length === 1
  if (isWrapped && hasItemProperties && !alone)
    throw refused('has properties next to data, which contains the whole design; change the design in data')
  const mayBeWrapped =
    isWrapped || (hasItemProperties && !(isObject(stored) && Object.hasOwn(stored, 'data')))
  if (!alone || !mayBeWrapped) return rest
  const { data } = rest
  const nestsItem = (value: Json) => isObject(value) && ('item_id' in value || 'item_key' in value)
  if (nestsItem(data) && !nestsItem(stored))
    throw refused('has item_id or item_key inside data; leave them out there')
  return data
}

function assertDesign(design: Json): object {
  if (typeof design !== 'object' || design === null) throw refused('must be an object or an array')
  if (Array.isArray(design) && design.length === 0)
    throw refused('must not be an empty array, which stands for no design')
  return design
}

const refused = (problem: string) => invalidParams({ order: problem })

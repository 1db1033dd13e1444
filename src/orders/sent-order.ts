// From what a client sends as `order` to the design that is stored: what GET added is taken away again.
import { invalidParams } from '../errors.ts'
import { isObject, JsonText, type JsonTextParts, jsonForThread, parseExact, sameJson } from '../json.ts'
import { largeFrom, offThread } from '../off-thread/off-thread.ts'
import { type Customization, isSpread, itemText } from './customization.ts'
import { generations } from './source.ts'

/** An object or array as the body carries it; or, once unwrapped, any JSON value. */
type Json = unknown

/** The item that a request writes to. */
export interface Target {
  itemId: number | null
  /** What GET gives of it; undefined where nothing is stored. */
  design: Customization | undefined
  /** The value under the literal key that the sent item names, if any. */
  literal: Customization | undefined
}

/** The `item_key` that stands in what was sent. Large ones are read off the main thread. */
export async function sentKey(sent: Json): Promise<string | undefined> {
  return sent instanceof JsonText ? offThread(import.meta.url, 'keyInText', sent) : keyOf(sentItem(sent))
}

/** Runs on the other thread. */
export const keyInText = (text: string): string | undefined => keyOf(sentItem(parseExact(text)))

function keyOf(order: Json): string | undefined {
  const key = isObject(order) ? order.item_key : undefined
  return typeof key === 'string' ? key : undefined
}

/** A list of one item, or a whole order with one, is that item: both are forms in which GET gives it. */
function sentItem(order: Json): Json {
  const items = isObject(order) && 'order_id' in order && Array.isArray(order.items) ? order.items : order
  const isItem = (item: Json) => isObject(item) && 'item_id' in item && 'item_key' in item
  if (!Array.isArray(items) || !items.some(isItem)) return order
  if (items.length > 1) throw refused('holds several items; send one of them, with its item_id')
  return items[0]
}

/**
 * The design to store; undefined where the client sent what GET gives, so that nothing is to be written. Large designs
 * are compared off the main thread.
 * @throws SvcError 400 where it cannot be told what is meant, or where it is no design
 */
export async function designToStore(sent: Json, target: Target): Promise<object | undefined> {
  const stored = [target.design, target.literal].map((found) => found?.text?.length ?? 0)
  if (!(sent instanceof JsonText) && Math.max(...stored) < largeFrom) return designOfSent(sent, target)
  const parts = await offThread<JsonTextParts | undefined>(
    import.meta.url,
    'designText',
    jsonForThread(sent),
    target,
  )
  return parts && new JsonText(parts)
}

/** Runs on the other thread. */
export function designText(sent: string, target: Target): JsonTextParts | undefined {
  const design = designOfSent(parseExact(sent), target)
  return design && JsonText.parts(JSON.stringify(design))
}

function designOfSent(whole: Json, { itemId, design, literal }: Target): object | undefined {
  const order = sentItem(whole)
  if (literal && sameJson(order, itemText(literal))) return undefined
  const sent = isObject(order) ? designOf(order, itemId, design) : order
  // GET of several items gives null for a design that cannot be read.
  if (design && (design.text === undefined ? sent === null : sameJson(sent, design.text))) return undefined
  return assertDesign(sent)
}

/** What is left without the properties that GET put around the design. */
function designOf(
  { item_id, item_key, ...rest }: Record<string, Json>,
  itemId: number | null,
  design: Customization | undefined,
): Json {
  if (item_id !== undefined && item_id !== itemId)
    throw refused(`has the item_id ${JSON.stringify(item_id)}, but the item is ${itemId}`)
  const keys: readonly Json[] = design ? [design.found.key] : generations
  if (item_key !== undefined && !keys.includes(item_key))
    throw refused(`has the item_key ${JSON.stringify(item_key)}, but the design stands under ${keys[0]}`)
  return unwrapped(rest, item_id !== undefined || item_key !== undefined, design)
}

function unwrapped(
  rest: Record<string, Json>,
  carriesOurs: boolean,
  design: Customization | undefined,
): Json {
  const stored: Json = design?.text === undefined ? undefined : JSON.parse(design.text)
  const cameWrapped = design !== undefined && !isSpread(design)
  if (!Object.hasOwn(rest, 'data')) return rest
  const alone = Object.keys(rest).length === 1
  if (cameWrapped && carriesOurs && !alone)
    throw refused('has properties beside data, which holds the whole design; change the design in data')
  const mayBeWrapped = cameWrapped || (carriesOurs && !(isObject(stored) && Object.hasOwn(stored, 'data')))
  if (!alone || !mayBeWrapped) return rest
  const { data } = rest
  const holdsOurs = (value: Json) => isObject(value) && ('item_id' in value || 'item_key' in value)
  if (holdsOurs(data) && !holdsOurs(stored))
    throw refused('has item_id or item_key within data; leave them out there')
  return data
}

function assertDesign(design: Json): object {
  if (typeof design !== 'object' || design === null) throw refused('must be an object or an array')
  if (Array.isArray(design) && design.length === 0)
    throw refused('must not be an empty array, which stands for no design')
  return design
}

const refused = (problem: string) => invalidParams({ order: problem })

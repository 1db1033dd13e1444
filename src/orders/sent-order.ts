// From the `order` that a client sends to the design to store, without the properties that GET added.
import { invalidParams } from '../errors.ts'
import { parseExact } from '../json/exact.ts'
import { JsonText, type JsonTextParts } from '../json-text.ts'
import { compacted, JsonArgument, type JsonBytes, joined, partsOf } from '../large-json/bytes.ts'
import { isObjectText, itemsOf, propertiesAt, propertyOf, textOf } from '../large-json/scan.ts'
import { Sink } from '../large-json/sink.ts'
import { isLarge, offThread } from '../off-thread/off-thread.ts'
import { sameBytes } from '../off-thread/same-json.ts'
import { type Customization, isSpread, itemParts } from './customization.ts'

/** JSON text of an object or array from the body or, once unwrapped, of any value. */
type Json = Uint8Array

/** The item that a request writes to. */
interface Target {
  itemId: number | null
  /** What GET returns for it; undefined if nothing is stored. */
  design: Customization | undefined
  /** The value under the literal key in the sent item, if any. */
  literal: Customization | undefined
}

/** The same without values. */
interface SentTarget {
  itemId: number | null
  design: { key: string; isWrapped: boolean } | undefined
}

/** The `item_key` in what was sent. Large values are read off the main thread. */
export async function sentKey(sent: unknown): Promise<string | undefined> {
  const json = JsonArgument.ofValue(sent)
  return sent instanceof JsonText ? offThread(import.meta.url, 'keyInJson', json) : keyInJson(json.bytes)
}

/** Runs on either thread. */
export function keyInJson({ json }: JsonBytes): string | undefined {
  const key = propertyOf(sentItem(json), 'item_key')
  return key?.[0] === quote ? (parseExact(textOf(key)) as string) : undefined
}

const quote = 34
const isArrayText = (json: Json | undefined): json is Json => json?.[0] === 91

/** A list of one item, or a whole order with one, stands for that item: GET returns both forms. */
function sentItem(order: Json): Json {
  const inOrder = propertyOf(order, 'order_id') && propertyOf(order, 'items')
  const items = isArrayText(inOrder) ? inOrder : order
  if (!isArrayText(items)) return order
  let first: Json | undefined
  let count = 0
  let hasItem = false
  for (const item of itemsOf(items)) {
    first ??= item
    count++
    hasItem ||= propertyOf(item, 'item_id') !== undefined && propertyOf(item, 'item_key') !== undefined
    if (hasItem && count > 1) throw refused('contains several items; send one of them, with its item_id')
  }
  return hasItem && first ? first : order
}

/**
 * The design to store; undefined if the client sent back what GET returned, so that there is nothing to write. Large
 * designs are compared off the main thread.
 * @throws SvcError 400 for an ambiguous value, or one that is not a design
 */
export async function designToStore(sent: unknown, target: Target): Promise<JsonText | undefined> {
  const { itemId, design, literal } = target
  const place = { itemId, design: design && { key: design.found.key, isWrapped: !isSpread(design) } }
  const json = JsonArgument.ofValue(sent)
  const others = [design?.json, literal && joined(itemParts(literal))].map((stored) =>
    stored === undefined ? undefined : new JsonArgument(stored),
  )
  const isSmall =
    !(sent instanceof JsonText) && ![design, literal].some((found) => found?.json && isLarge(found.json))
  const parts = isSmall
    ? designInJson(json.bytes, place, ...others.map((other) => other?.bytes))
    : await offThread<JsonTextParts | undefined>(import.meta.url, 'designInJson', json, place, ...others)
  return parts && new JsonText(parts)
}

/**
 * Runs on either thread.
 * @param stored the design
 * @param literal the item with the value under its literal key, as GET returns it
 */
export function designInJson(
  { json: whole }: JsonBytes,
  { itemId, design }: SentTarget,
  stored?: JsonBytes,
  literal?: JsonBytes,
): JsonTextParts | undefined {
  const order = sentItem(whole)
  if (literal && sameBytes({ json: order }, literal, true)) return undefined
  // Of form entries, the design's own key is a literal one.
  const key = literal && propertyOf(order, 'item_key')
  if (key && textOf(key) !== JSON.stringify(design?.key))
    throw refused('has the item_key of a value that cannot be changed here')
  const sent = isObjectText(order) ? designOf(order, itemId, design, stored) : order
  // GET of several items returns null for an unreadable design.
  const isEcho = stored
    ? () => sameBytes({ json: sent }, stored, true)
    : () => textOf(sent.subarray(0, 5)) === 'null'
  if (design && isEcho()) return undefined
  assertDesign(sent)
  return partsOf(sent)
}

/**
 * The design without the properties that GET adds. Which item they name has no effect: the request names the item to write
 * to, so that a design can be copied from another one.
 */
function designOf(
  order: Json,
  itemId: number | null,
  design: SentTarget['design'],
  stored: JsonBytes | undefined,
): Json {
  const [id, key] = [propertyOf(order, 'item_id'), propertyOf(order, 'item_key')]
  if (!id && !key) return unwrapped(order, false, design, stored)
  const rest = without(order, ['"item_id"', '"item_key"'])
  // How the item's own design is stored says nothing about that of another one.
  return id && textOf(id) !== JSON.stringify(itemId)
    ? unwrappedCopy(rest)
    : unwrapped(rest, true, design, stored)
}

/** The object without these properties, whose names are given as JSON. */
function without(object: Json, names: readonly string[]): Json {
  const sink = new Sink(object.length)
  const left = names.map((name) => Buffer.from(name))
  let isFirst = true
  sink.text('{')
  for (const { name, value, end } of propertiesAt(object)) {
    const written = object.subarray(name, value - 1)
    if (left.some((other) => other.equals(written))) continue
    if (!isFirst) sink.text(',')
    isFirst = false
    sink.bytes(object.subarray(name, end))
  }
  sink.text('}')
  return sink.written
}

/** The design of another item: GET wraps what is no object, and objects with properties of these names. */
function unwrappedCopy(rest: Json): Json {
  const data = propertyOf(rest, 'data')
  if (!data || !isAlone(data, rest) || (isObjectText(data) && !nestsItem(data))) return rest
  assertNoItem(data, undefined)
  return data
}

const isAlone = (data: Json, rest: Json) =>
  data.byteOffset + data.length === rest.byteOffset + rest.length - 1 && startsWithData(rest)

const nestsItem = (value: Json | undefined) =>
  value !== undefined && ['item_id', 'item_key'].some((name) => propertyOf(value, name))

function assertNoItem(data: Json, stored: Json | undefined): void {
  if (nestsItem(data) && !nestsItem(stored))
    throw refused('has item_id or item_key inside data; leave them out there')
}

function unwrapped(
  rest: Json,
  hasItemProperties: boolean,
  design: SentTarget['design'],
  storedJson: JsonBytes | undefined,
): Json {
  const data = propertyOf(rest, 'data')
  if (!data) return rest
  const stored = storedJson && compacted(storedJson.json)
  const isWrapped = design?.isWrapped ?? false
  const alone = isAlone(data, rest)
  if (isWrapped && hasItemProperties && !alone)
    throw refused('has properties next to data, which contains the whole design; change the design in data')
  const mayBeWrapped = isWrapped || (hasItemProperties && !(stored && propertyOf(stored, 'data')))
  if (!alone || !mayBeWrapped) return rest
  assertNoItem(data, stored)
  return data
}

const startsWithData = (json: Json) => textOf(json.subarray(0, 8)) === '{"data":'

function assertDesign(design: Json): void {
  if (!isObjectText(design) && !isArrayText(design)) throw refused('must be an object or an array')
  if (isArrayText(design) && design.length === 2)
    throw refused('must not be an empty array, which stands for no design')
}

const refused = (problem: string) => invalidParams({ order: problem })

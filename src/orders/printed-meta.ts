// The meta of an order about its draft at the print provider, in the format that PHP reads.
import { PhpFormatError, phpFromJson, writePhp } from '../db/php-value.ts'
import { readStoredJson } from '../db/stored-json.ts'
import { parseExact } from '../json/exact.ts'

type Value = Record<string, unknown>

/** Maximum bytes of a value: a TEXT column in the order tables, and a moderate size in posts, which PHP reads with every order. */
const maxLength = { tables: 65_535, posts: 1024 * 1024 }
const maxDepth = 100

/** Key of the row with the provider's order, which names the recipient. */
export const providerOrderKey = '_svc_printful_order_data'

/** The meta rows by key. */
export function orderMeta(order: Value, inTables: boolean): Record<string, string> {
  const limit = inTables ? maxLength.tables : maxLength.posts
  const { dashboard_url: url } = order
  const dashboard =
    typeof url === 'string' && url.length <= 2000 && /^https?:\/\/\S+$/.test(url) ? url : undefined
  return {
    [providerOrderKey]: serialized([order, identified(order), own(order)], limit),
    ...(dashboard !== undefined && { _svc_printful_order_dashboard_url: dashboard }),
  }
}

/** The stored order with what identifies it and its items alone; nothing of a value that cannot be read. */
export function withoutPerson(stored: string, inTables: boolean): string {
  const json = readStoredJson(stored, '{}')
  if (json === undefined) return writePhp(phpFromJson({}))
  const order: Value = Object(parseExact(json))
  return serialized([identified(order), own(order)], inTables ? maxLength.tables : maxLength.posts)
}

const own = (order: Value) =>
  scalars(order, ['id', 'external_id', 'store', 'status', 'created', 'updated', 'dashboard_url'])

function identified(order: Value): Value {
  const items: unknown[] = Array.isArray(order.items) ? order.items : []
  const known = ['id', 'external_id', 'variant_id', 'quantity']
  const named = items.map((item) => scalars(Object(item), known))
  return { ...own(order), ...(named.length > 0 && { items: named }) }
}

/** The first form that fits. */
function serialized(forms: readonly Value[], limit: number): string {
  for (const form of forms) {
    const text = phpText(form)
    if (text !== undefined && Buffer.byteLength(text) <= limit) return text
  }
  return writePhp(phpFromJson({}))
}

function phpText(value: unknown): string | undefined {
  try {
    return writePhp(phpFromJson(storable(value, 0)))
  } catch (error) {
    if (error instanceof PhpFormatError) return undefined
    throw error
  }
}

/** Replaces characters of more than three bytes: the charset of the column is unknown, and PHP values have no escapes. */
function storable(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return value.replace(/[\u{10000}-\u{10ffff}\ud800-\udfff]/gu, '\ufffd')
  if (typeof value !== 'object' || value === null) return value
  if (depth === maxDepth) throw new PhpFormatError('The order is nested too deep.')
  if (Array.isArray(value)) return value.map((element) => storable(element, depth + 1))
  return Object.fromEntries(
    Object.entries(value).map(([key, element]) => [
      String(storable(key, depth)),
      storable(element, depth + 1),
    ]),
  )
}

const scalars = (record: Value, names: string[]): Value =>
  Object.fromEntries(
    names.flatMap((name) => {
      const value = record[name]
      const isShort = typeof value === 'string' ? value.length <= 2000 : Number.isFinite(value)
      return isShort ? [[name, value]] : []
    }),
  )

// The meta of an order about its draft at the print provider, in the format that PHP reads.
import { PhpFormatError, phpFromJson, writePhp } from '../db/php-value.ts'
import { readStoredJson } from '../db/stored-json.ts'
import { parseExact } from '../json/exact.ts'
import type { MetaLimits } from './order-meta.ts'

type Value = Record<string, unknown>

const maxDepth = 100

/** Key of the row with the provider's order, which names the recipient. */
export const providerOrderKey = '_svc_printful_order_data'

/** The meta rows by key. */
export function orderMeta(order: Value, limits: MetaLimits): Record<string, string> {
  const { dashboard_url: url } = order
  const dashboard =
    typeof url === 'string' && url.length <= 2000 && /^https?:\/\/\S+$/.test(url) ? url : undefined
  return {
    [providerOrderKey]: serialized([order, identified(order), own(order)], limits),
    ...(dashboard !== undefined && { _svc_printful_order_dashboard_url: limits.storable(dashboard) }),
  }
}

/** The smaller of the columns, so that both sides of a shop that keeps its orders twice stay equal; read from it, it fits. */
const leftLimits: MetaLimits = { maxBytes: 65_535, storable: (text) => text }

/** The stored order with what identifies it and its items alone; nothing of a value that cannot be read. */
export function withoutPerson(stored: string): string {
  const json = readStoredJson(stored, '{}')
  if (json === undefined) return writePhp(phpFromJson({}))
  const order: Value = Object(parseExact(json))
  return serialized([identified(order), own(order)], leftLimits)
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
function serialized(forms: readonly Value[], { maxBytes, storable }: MetaLimits): string {
  for (const form of forms) {
    const text = phpText(form, storable)
    if (text !== undefined && Buffer.byteLength(text) <= maxBytes) return text
  }
  return writePhp(phpFromJson({}))
}

function phpText(value: unknown, storable: MetaLimits['storable']): string | undefined {
  try {
    return writePhp(phpFromJson(storableValue(value, storable, 0)))
  } catch (error) {
    if (error instanceof PhpFormatError) return undefined
    throw error
  }
}

/** PHP values have no escapes for characters that the column cannot store. */
function storableValue(value: unknown, storable: MetaLimits['storable'], depth: number): unknown {
  if (typeof value === 'string') return storable(value)
  if (typeof value !== 'object' || value === null) return value
  if (depth === maxDepth) throw new PhpFormatError('The order is nested too deep.')
  if (Array.isArray(value)) return value.map((element) => storableValue(element, storable, depth + 1))
  return Object.fromEntries(
    Object.entries(value).map(([key, element]) => [
      storable(key),
      storableValue(element, storable, depth + 1),
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

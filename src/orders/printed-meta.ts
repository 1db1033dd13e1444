// The meta of an order about its draft at the print provider, in the format that PHP reads.
import { PhpFormatError, phpFromJson, writePhp } from '../db/php-value.ts'
import type { MetaLimits } from './order-meta.ts'

type Value = Record<string, unknown>

const maxDepth = 100

/** The meta rows by key. */
export function orderMeta(order: Value, limits: MetaLimits): Record<string, string> {
  const { dashboard_url: url } = order
  const dashboard =
    typeof url === 'string' && url.length <= 2000 && /^https?:\/\/\S+$/.test(url) ? url : undefined
  return {
    _svc_printful_order_data: serialized(order, limits),
    ...(dashboard !== undefined && { _svc_printful_order_dashboard_url: limits.storable(dashboard) }),
  }
}

/** The whole order or, if that does not fit, the properties that identify the order and its items. */
function serialized(order: Value, { maxBytes, storable }: MetaLimits): string {
  const items = Array.isArray(order.items) ? order.items : []
  const own = scalars(order, ['id', 'external_id', 'store', 'status', 'created', 'updated', 'dashboard_url'])
  const known = ['id', 'external_id', 'variant_id', 'quantity']
  const forms = [
    () => order,
    () => ({ ...own, items: items.map((item) => scalars(Object(item), known)) }),
    () => own,
  ]
  for (const form of forms) {
    const text = phpText(form(), storable)
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

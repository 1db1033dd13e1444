// The values of the meta rows with the order at the print provider, in the format that PHP reads: made from the provider's response, and
// without the recipient for an erased customer.

import { membersOf } from '../core/foreign.ts'
import { phpFromJson } from '../db/php-json.ts'
import { PhpFormatError, writePhp } from '../db/php-value.ts'
import { readStoredJson } from '../db/stored-json.ts'
import { parseExact } from '../json/parse.ts'

/** What the columns of a value can store. */
export interface MetaLimits {
  /** Bytes of a value. */
  maxBytes: number
  /** The string without characters that a column cannot store. */
  storable(text: string): string
}

type Value = Record<string, unknown>

/** Levels of nesting that are stored. */
const maxDepth = 100

/** Key of the row with the provider's order, which names the recipient. */
export const providerOrderKey = '_svc_printful_order_data'

/** The values of the meta rows by key. */
export function orderMeta(order: Value, limits: MetaLimits): Record<string, string> {
  const { dashboard_url: url } = order
  const dashboard =
    typeof url === 'string' && url.length <= 2000 && /^https?:\/\/\S+$/.test(url) ? url : undefined
  return {
    [providerOrderKey]: firstThatFits([order, withItems(order), ownProperties(order)], limits),
    ...(dashboard !== undefined && { _svc_printful_order_dashboard_url: limits.storable(dashboard) }),
  }
}

/** Limits of the narrowest column, for an order whose columns are not known: a shortened value fits into each of them. */
const defaultLimits: MetaLimits = { maxBytes: 65_535, storable: (text) => text }

/** A stored order with only the properties that identify it and its items, without the recipient; empty if it cannot be read. */
export function withoutPerson(stored: string): string {
  const json = readStoredJson(stored, '{}')
  if (json === undefined) return writePhp(phpFromJson({}))
  const order: Value = membersOf(parseExact(json))
  return firstThatFits([withItems(order), ownProperties(order)], defaultLimits)
}

const ownProperties = (order: Value) =>
  scalars(order, ['id', 'external_id', 'store', 'status', 'created', 'updated', 'dashboard_url'])

function withItems(order: Value): Value {
  const items: unknown[] = Array.isArray(order.items) ? order.items : []
  const itemProperties = ['id', 'external_id', 'variant_id', 'quantity']
  const shortItems = items.map((item) => scalars(membersOf(item), itemProperties))
  return { ...ownProperties(order), ...(shortItems.length > 0 && { items: shortItems }) }
}

/** The first of the forms that fits into the column, as PHP serializes it; an empty object if none does. */
function firstThatFits(forms: readonly Value[], { maxBytes, storable }: MetaLimits): string {
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

/** The value without characters that the column cannot store, because a serialized value has no escapes for them. */
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

/** The properties with these names whose values are short texts or numbers. */
const scalars = (record: Value, names: string[]): Value =>
  Object.fromEntries(
    names.flatMap((name) => {
      const value = record[name]
      const isShort = typeof value === 'string' ? value.length <= 2000 : Number.isFinite(value)
      return isShort ? [[name, value]] : []
    }),
  )

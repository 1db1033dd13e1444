// Removes the customer's content from a design. What remains is its structure, so that it can still be read, prices, quantities,
// and the ids of what was sold.
import { membersOf } from '../core/foreign.ts'
import { numberOf, parseExact } from '../json/parse.ts'
import { isObject } from '../json/values.ts'
import { isKey } from '../storage/storage.ts'
import { readDesign } from './item-values.ts'

/** The result for one design. */
export interface ErasedDesign {
  /** What to store in its place. */
  json: string
  /** Keys of the uploaded pictures that the design used, below the folder of uploads. */
  pictures: string[]
}

/** Properties whose name ends with one of these words remain, if their value is an amount. */
const amountWords = new Set(
  'price prices total totals subtotal subtotals tax taxes fee fees discount discounts quantity qty amount'.split(
    ' ',
  ),
)
/** Properties with these names remain, too, if their value is a number. */
const idNames = new Set(['productid', 'viewid', 'variationid'])
/** Levels of amounts inside amounts, as in `totals: {tax: {amount: 1}}`. */
const maxDepth = 4

/** The remains of a stored design; undefined if it cannot be read. */
export function erasedDesign(stored: string): ErasedDesign | undefined {
  const json = readDesign(stored)
  if (json === undefined) return undefined
  return { json: JSON.stringify(withoutDesign(parseExact(json))), pictures: picturesIn(json) }
}

/** The remains of a list of views, or of the designer's whole order. @param isInner within `svc_product`, which is not nested again */
function withoutDesign(design: unknown, isInner = false): unknown {
  if (Array.isArray(design)) return design.map(withoutElements)
  if (!isObject(design)) return []
  const remaining: Record<string, unknown> = amountsOf(design)
  for (const name of ['product', 'views'])
    if (Array.isArray(design[name])) remaining[name] = design[name].map(withoutElements)
  const { svc_product: inner } = design
  if (!isInner && (isObject(inner) || Array.isArray(inner)))
    remaining.svc_product = withoutDesign(inner, true)
  return remaining
}

/**
 * The remains of a view. The designer expects a list of elements, and fails on an element without content, so the list is empty; the
 * prices of elements are stored in a separate list.
 */
function withoutElements(view: unknown): object {
  if (!isObject(view)) return { elements: [] }
  const elements = Array.isArray(view.elements) ? view.elements : []
  const prices = elements
    .map((element) =>
      isObject(element) ? (membersOf(element.parameters).price ?? element.price) : undefined,
    )
    .filter((price) => isAmount('price', price) && Number(String(price).replace(',', '.')) !== 0)
  return { ...amountsOf(view), elements: [], ...(prices.length > 0 && { element_prices: prices }) }
}

const amountsOf = (source: object): Record<string, unknown> => Object.fromEntries(amountEntries(source, 0))

/** The properties that remain of an object. @param depth 0 for a design or a view, otherwise levels of amounts */
function amountEntries(source: object, depth: number): [string, unknown][] {
  return Object.entries(source).flatMap(([name, value]): [string, unknown][] => {
    const mayRemain = isAmountName(name) || (depth > 0 && name === 'currency')
    const remaining = mayRemain ? amountValue(name, value, depth + 1) : undefined
    return remaining === undefined ? [] : [[name, remaining]]
  })
}

function isAmountName(name: string): boolean {
  const nameParts = name.split(/[^A-Za-z]+|(?<=[a-z])(?=[A-Z])/)
  return (
    amountWords.has(nameParts.at(-1)?.toLowerCase() ?? '') || idNames.has(nameParts.join('').toLowerCase())
  )
}

/** An amount, or the amounts in a list or object; undefined for any other value, which may identify the customer. */
function amountValue(name: string, value: unknown, depth: number): unknown {
  if (isAmount(name, value)) return value
  if (depth === maxDepth || typeof value !== 'object' || value === null) return undefined
  if (Array.isArray(value)) {
    const remaining = value
      .map((item) => amountValue(name, item, depth + 1))
      .filter((item) => item !== undefined)
    return remaining.length > 0 ? remaining : undefined
  }
  const remaining = amountEntries(value, depth)
  return remaining.length > 0 ? Object.fromEntries(remaining) : undefined
}

function isAmount(name: string, value: unknown): boolean {
  if (typeof value !== 'string') return numberOf(value) !== undefined
  return name === 'currency' ? /^[A-Z]{3}$/.test(value) : /^-?\d{1,12}(?:[.,]\d{1,8})?$/.test(value)
}

/** The keys of uploads in a JSON text, also in URLs and with slashes as PHP escapes them. */
function picturesIn(json: string): string[] {
  const keys = new Set<string>()
  for (const [, path = ''] of json
    .replace(/(?<!\\)\\+\//g, '/')
    .matchAll(/svc\/uploads\/((?:[^"\\\s?#<>'()]|\\u[0-9a-fA-F]{4})+)/g)) {
    const key = decoded(
      path.replace(/\\u([0-9a-fA-F]{4})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))),
    )
    if (isKey(key)) keys.add(key)
  }
  return [...keys]
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

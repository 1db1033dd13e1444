// What remains of a customer's design: the form in which it is read, prices, quantities and the ids of what was sold.
import { numberOf, parseExact } from '../json/exact.ts'
import { isObject } from '../json/values.ts'
import { isKey } from '../storage/storage.ts'
import { readDesign } from './customization.ts'

export interface ErasedDesign {
  /** What to store instead. */
  json: string
  /** Keys of the uploaded pictures that the design used, below the folder of uploads. */
  pictures: string[]
}

/** The last word of the names that are kept, if the value is an amount. */
const amounts = new Set(
  'price prices total totals subtotal subtotals tax taxes fee fees discount discounts quantity qty amount'.split(
    ' ',
  ),
)
const ids = new Set(['productid', 'viewid', 'variationid'])
/** Levels of amounts inside amounts, as in `totals: {tax: {amount: 1}}`. */
const maxDepth = 4

/** @returns undefined if the design cannot be read */
export function erasedDesign(stored: string): ErasedDesign | undefined {
  const json = readDesign(stored)
  if (json === undefined) return undefined
  return { json: JSON.stringify(withoutDesign(parseExact(json))), pictures: picturesIn(json) }
}

function withoutDesign(design: unknown, isInner = false): unknown {
  if (Array.isArray(design)) return design.map(withoutElements)
  if (!isObject(design)) return []
  const remaining: Record<string, unknown> = keptOf(design)
  for (const name of ['product', 'views'])
    if (Array.isArray(design[name])) remaining[name] = design[name].map(withoutElements)
  const { svc_product: inner } = design
  if (!isInner && (isObject(inner) || Array.isArray(inner)))
    remaining.svc_product = withoutDesign(inner, true)
  return remaining
}

/** Designers expect the list of elements, and fail on an element without content. The prices of elements get a list of their own. */
function withoutElements(view: unknown): object {
  if (!isObject(view)) return { elements: [] }
  const elements = Array.isArray(view.elements) ? view.elements : []
  const prices = elements
    .map((element) => (isObject(element) ? (Object(element.parameters).price ?? element.price) : undefined))
    .filter((price) => isAmount('price', price) && Number(String(price).replace(',', '.')) !== 0)
  return { ...keptOf(view), elements: [], ...(prices.length > 0 && { element_prices: prices }) }
}

const keptOf = (source: object): Record<string, unknown> => Object.fromEntries(keptEntries(source, 0))

/** @param depth 0 for a design or a view, else levels of amounts */
function keptEntries(source: object, depth: number): [string, unknown][] {
  return Object.entries(source).flatMap(([name, value]): [string, unknown][] => {
    const isWanted = isKept(name) || (depth > 0 && name === 'currency')
    const remaining = isWanted ? keptValue(name, value, depth + 1) : undefined
    return remaining === undefined ? [] : [[name, remaining]]
  })
}

function isKept(name: string): boolean {
  const nameParts = name.split(/[^A-Za-z]+|(?<=[a-z])(?=[A-Z])/)
  return amounts.has(nameParts.at(-1)?.toLowerCase() ?? '') || ids.has(nameParts.join('').toLowerCase())
}

/** An amount, or amounts inside a list or object; undefined for anything else, since it may say who the customer is. */
function keptValue(name: string, value: unknown, depth: number): unknown {
  if (isAmount(name, value)) return value
  if (depth === maxDepth || typeof value !== 'object' || value === null) return undefined
  if (Array.isArray(value)) {
    const remaining = value
      .map((item) => keptValue(name, item, depth + 1))
      .filter((item) => item !== undefined)
    return remaining.length > 0 ? remaining : undefined
  }
  const remaining = keptEntries(value, depth)
  return remaining.length > 0 ? Object.fromEntries(remaining) : undefined
}

function isAmount(name: string, value: unknown): boolean {
  if (typeof value !== 'string') return numberOf(value) !== undefined
  return name === 'currency' ? /^[A-Z]{3}$/.test(value) : /^-?\d{1,12}(?:[.,]\d{1,8})?$/.test(value)
}

/** Also in URLs, with slashes as PHP escapes them. */
function picturesIn(json: string): string[] {
  const found = new Set<string>()
  for (const [, path = ''] of json
    .replace(/(?<!\\)\\+\//g, '/')
    .matchAll(/svc\/uploads\/((?:[^"\\\s?#<>'()]|\\u[0-9a-fA-F]{4})+)/g)) {
    const key = decoded(
      path.replace(/\\u([0-9a-fA-F]{4})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))),
    )
    if (isKey(key)) found.add(key)
  }
  return [...found]
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

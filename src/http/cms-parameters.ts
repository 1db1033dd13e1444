// Query parameters of the CMS's and the shop's own collections: those with an equal here are aliases, and the others are
// refused by name, because a list that ignores a filter returns everything.
import type { TSchema } from '@sinclair/typebox'
import { inBrackets } from './schema.ts'

const aliases: Readonly<Record<string, string>> = {
  limit: 'per_page',
  order_by: 'orderby',
  category_id: 'category',
}

/** The CMS's name of a parameter. */
export const cmsAlias = (name: string): string | undefined =>
  Object.hasOwn(aliases, name) ? aliases[name] : undefined

/** Our name of a parameter of the CMS; any other name stays. */
export const ownName = (name: string): string =>
  Object.entries(aliases).find(([, alias]) => alias === name)?.[0] ?? name

/** Whether a list has this parameter. */
type Has = (name: string) => boolean

const nothing = 'is not a filter of this list, and nothing replaces it'
const noDates = () => 'is not a filter of this list: it cannot be filtered by date'
const bySearch = (has: Has) => (has('search') ? 'is not a filter of this list; use search' : nothing)
const noPrices = () => 'is not a filter of this list: it cannot be filtered by price or stock'
/** Where the list has no parameter of which the name would be an alias. */
const unless = (name: string, text: string) => (has: Has) => (has(name) ? undefined : text)

/** What is wrong with each parameter, unless the list has one of that name. */
const refused: Readonly<Record<string, (has: Has) => string | undefined>> = {
  offset: (has) =>
    has('page') ? 'is not a parameter of this list; use page' : 'is not a parameter: the list has no pages',
  page: (has) => (has('offset') ? 'is not a parameter of this list; use offset' : undefined),
  orderby: unless('order_by', 'is not a parameter: this list has one order'),
  category: unless('category_id', 'is not a filter of this list: it cannot be filtered by category'),
  parent: (has) => (has('parent_id') ? 'is not a filter of this list; use parent_id' : nothing),
  exclude: (has) => (has('include') ? 'is not a filter of this list; use include to select ids' : nothing),
  status: () => 'is not a filter of this list: it cannot be filtered by status',
  after: noDates,
  before: noDates,
  modified_after: noDates,
  modified_before: noDates,
  dates_are_gmt: () => 'is not a parameter: all times are UTC',
  slug: bySearch,
  sku: bySearch,
  customer: bySearch,
  parent_exclude: () => nothing,
  tag: () => nothing,
  product: () => nothing,
  featured: () => nothing,
  on_sale: noPrices,
  min_price: noPrices,
  max_price: noPrices,
  stock_status: noPrices,
}

/** What is wrong with the parameters of the CMS's collections that the list does not have, by name. */
export function cmsParameterProblems(query: object, { properties = {} }: TSchema): Record<string, string> {
  const has: Has = (name) => Object.hasOwn(properties, name)
  const problems = Object.keys(query).flatMap((key) => {
    const name = inBrackets.exec(key)?.[1] ?? key
    if (!Object.hasOwn(refused, name) || has(name)) return []
    const problem = refused[name]?.(has)
    if (problem !== undefined) return [[name, problem]]
    // An alias of a single value.
    return name !== key && name !== 'page' ? [[key, `must be written as ${name}=…`]] : []
  })
  return Object.fromEntries(problems)
}

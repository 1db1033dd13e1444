// Query parameters of the collections of WordPress and WooCommerce, which their clients also send to this API. Those with the same
// meaning here are aliases. The others are refused by name, because a list that ignored a filter would return everything.
import type { TSchema } from '@sinclair/typebox'
import { inBrackets } from './schema.ts'

/** Names of the CMS by the names of this API. */
const aliases: Readonly<Record<string, string>> = {
  limit: 'per_page',
  order_by: 'orderby',
  category_id: 'category',
}

/** The CMS's name of a parameter; undefined if it has no other name there. */
export const cmsAlias = (name: string): string | undefined =>
  Object.hasOwn(aliases, name) ? aliases[name] : undefined

/** The name of a parameter in this API, from either name. */
export const apiName = (name: string): string =>
  Object.entries(aliases).find(([, alias]) => alias === name)?.[0] ?? name

/** Whether a list has this parameter. */
type Has = (name: string) => boolean

const noReplacement = 'is not a filter of this list, and nothing replaces it'
const noDates = () => 'is not a filter of this list: it cannot be filtered by date'
const useSearch = (has: Has) => (has('search') ? 'is not a filter of this list; use search' : noReplacement)
const noPrices = () => 'is not a filter of this list: it cannot be filtered by price or stock'
/** The problem of an alias; undefined if the list has the parameter that it is an alias of. */
const unless = (name: string, problem: string) => (has: Has) => (has(name) ? undefined : problem)

/** The problem of each parameter in a list that has no parameter of that name; undefined if it is an alias in this list. */
const refused: Readonly<Record<string, (has: Has) => string | undefined>> = {
  offset: (has) =>
    has('page') ? 'is not a parameter of this list; use page' : 'is not a parameter: the list has no pages',
  page: (has) => (has('offset') ? 'is not a parameter of this list; use offset' : undefined),
  orderby: unless('order_by', 'is not a parameter: this list has one order'),
  category: unless('category_id', 'is not a filter of this list: it cannot be filtered by category'),
  parent: (has) => (has('parent_id') ? 'is not a filter of this list; use parent_id' : noReplacement),
  exclude: (has) =>
    has('include') ? 'is not a filter of this list; use include to select ids' : noReplacement,
  status: () => 'is not a filter of this list: it cannot be filtered by status',
  after: noDates,
  before: noDates,
  modified_after: noDates,
  modified_before: noDates,
  dates_are_gmt: () => 'is not a parameter: all times are UTC',
  slug: useSearch,
  sku: useSearch,
  customer: useSearch,
  parent_exclude: () => noReplacement,
  tag: () => noReplacement,
  product: () => noReplacement,
  featured: () => noReplacement,
  on_sale: noPrices,
  min_price: noPrices,
  max_price: noPrices,
  stock_status: noPrices,
}

/** The problems of parameters of the CMS that a list does not have, by name. @param query as sent, parsed @param schema of the query */
export function cmsParameterProblems(query: object, { properties = {} }: TSchema): Record<string, string> {
  const has: Has = (name) => Object.hasOwn(properties, name)
  const problems = Object.keys(query).flatMap((key) => {
    const name = inBrackets.exec(key)?.[1] ?? key
    if (!Object.hasOwn(refused, name) || has(name)) return []
    const problem = refused[name]?.(has)
    if (problem !== undefined) return [[name, problem]]
    // It is the alias of a parameter with a single value, which cannot be written in brackets.
    return name !== key && name !== 'page' ? [[key, `must be written as ${name}=…`]] : []
  })
  return Object.fromEntries(problems)
}

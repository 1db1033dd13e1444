// Which products are on a page of the list, and how many there are.
import type { Database } from '../db/connect.ts'
import { contains } from '../db/fold.ts'
import { nearOffset, pageWindows } from '../db/page-windows.ts'
import { countOf } from '../db/repository.ts'
import type { Totals } from '../db/totals.ts'
import { categoryMembers } from './category-products.ts'
import {
  type DrivingTable,
  type PageRow,
  type ProductQuery,
  productStatements,
  type Select,
  shallow,
  type Values,
} from './product-statements.ts'
import type { TitleList } from './title-list.ts'

interface Page {
  rows: PageRow[]
  /** The number of products on all pages. */
  total: number
}

const opposite = { asc: 'desc', desc: 'asc' } as const

/** Products that are read one after the other in the time in which one is looked up by a row of the relation. */
const lookupCost = 2

/** The name of the total of a query: what decides which products match, without the page and its order. */
const totalName = ({ type, include, search, category_id }: ProductQuery) =>
  JSON.stringify(['products', type, include, search, category_id])

const isAscii = (search = '') => /^[ -~]*$/.test(search)

/**
 * Returns a function that reads a page of products, with the selected columns. The first way whose condition holds reads it:
 *
 * | Condition | Way |
 * | --- | --- |
 * | the titles in memory suffice for a search or the order of titles, and no statement is quicker (`endsEarly`) | `titledPage` |
 * | a search that is not ASCII alone | `foldedPage` |
 * | any other search | `searchedPage` |
 * | an offset of at most 200, without a category, or in one that a key returns in order | `pageRows` |
 * | the order of ids, without `include` | `pageById` |
 * | anything else | `nearerEnd` |
 */
export function productPages(database: Database, totals: Totals, titles: TitleList) {
  const { db, t, dialect, hasPairKey } = database
  const { pageRows, rowsById, filtered, count, matches, candidates } = productStatements(database)
  const windows = pageWindows(db)
  const membersOf = categoryMembers(database)

  /**
   * The table that the page of a category is read from first; undefined without a category. If no key returns the category in order
   * (`hasPairKey`), it has to be read whole and sorted for each page. If a large part of the shop is in it, the page is found sooner
   * among the products themselves. This is an estimate: if it is wrong, all products are read once.
   */
  async function drivingTableOf(
    { category_id, order_by }: ProductQuery,
    { limit, offset, category }: Values,
    total: number,
  ): Promise<DrivingTable | undefined> {
    if (category_id === undefined) return undefined
    if (hasPairKey || order_by === 'title') return 'members'
    const [members, lastId] = await Promise.all([
      totals.get(`members of ${category}`, () =>
        countOf(db.selectFrom(t.category_products).where('category_id', '=', category)),
      ),
      totals.get('last product', async () => {
        const row = await db
          .selectFrom(t.products)
          .select((eb) => eb.fn.max('ID').as('last'))
          .executeTakeFirst()
        return Number(row?.last ?? 0)
      }),
    ])
    /** Products that would be read before the page is complete. */
    const readProducts = lastId * Math.min(1, (offset + limit) / Math.max(1, total))
    return readProducts < members * lookupCost ? 'products' : 'members'
  }

  /**
   * The number of all that match: from memory, or counted now. A search that is counted now finds the ids, too, unless there
   * are too many.
   */
  async function countedMatches(
    name: string,
    query: ProductQuery,
    values: Values,
  ): Promise<{ total: number; ids: number[] | undefined }> {
    let ids: number[] | undefined
    const total = await totals.get(name, async () => {
      ids = await matches(query, values)
      return ids?.length ?? count(query, values)
    })
    return { total, ids }
  }

  /** The parameters of the statements for a query. */
  const valuesOf = ({ offset, limit, category_id = 0, search = '' }: ProductQuery): Values => ({
    limit,
    offset,
    category: category_id,
    pattern: dialect.asciiPattern(search),
  })

  /** A page of a search: by the ids of all matches, unless there are too many. */
  async function searchedPage(query: ProductQuery, select: Select): Promise<Page> {
    const { offset, limit } = query
    const values = valuesOf(query)
    const { total, ids } = await countedMatches(totalName(query), query, values)
    const rows = ids
      ? await rowsById(ids.slice(offset, offset + limit), select)
      : await nearerEnd(query, select, values, total)
    return { rows, total }
  }

  /** A page without a search, in the way that reads the fewest rows for its offset and filters. */
  async function page(query: ProductQuery, select: Select): Promise<Page> {
    const values = valuesOf(query)
    const name = totalName(query)
    if (query.offset <= shallow && (hasPairKey || query.category_id === undefined)) {
      // The page does not depend on the total.
      const [total, rows] = await Promise.all([
        totals.get(name, () => count(query, values)),
        pageRows(query, select, values),
      ])
      return { rows, total }
    }
    if (query.order_by === 'id' && query.include === undefined) return pageById(name, query, select, values)
    const total = await totals.get(name, () => count(query, values))
    return { rows: await nearerEnd(query, select, values, total), total }
  }

  /** A page in the order of ids. If it is far from both ends, windows of ids say with which id it begins. */
  async function pageById(name: string, query: ProductQuery, select: Select, values: Values): Promise<Page> {
    const { offset, limit } = values
    const list = { name, rows: filtered(query, values), id: 'p.ID', order: query.order }
    const total = await totals.get(name, () => windows.count(list, offset))
    if (Math.min(offset, total - offset) <= nearOffset)
      return { rows: await nearerEnd(query, select, values, total), total }
    const start = { ...values, ...(await windows.start(list, offset, limit)) }
    return { rows: await pageRows(query, select, start, await drivingTableOf(query, start, total)), total }
  }

  /** The rows of a page, counted from the end of the list that is closer to it. */
  async function nearerEnd(query: ProductQuery, select: Select, values: Values, total: number) {
    const { offset, limit } = values
    const remaining = total - offset
    if (remaining <= 0 || offset <= remaining)
      return pageRows(query, select, values, await drivingTableOf(query, values, total))
    const size = Math.min(limit, remaining)
    const reversed = { ...query, order: opposite[query.order] }
    const fromEnd = { ...values, limit: size, offset: remaining - size }
    const rows = await pageRows(reversed, select, fromEnd, await drivingTableOf(query, fromEnd, total))
    return rows.reverse()
  }

  /**
   * For terms with characters whose case engines fold differently: one pass over the titles that may match, compared
   * here, then the rows of the page by their keys.
   */
  async function foldedPage(query: ProductQuery & { search: string }, select: Select): Promise<Page> {
    const { search, category_id = 0, offset, limit } = query
    const ids = (await candidates(query, category_id))
      .filter((row) => contains(row.title, search))
      .map((row) => row.ID)
    return { rows: await rowsById(ids.slice(offset, offset + limit), select), total: ids.length }
  }

  /**
   * Whether the database finds a page of a search in a category after few rows, so that the ids of the whole category need not be
   * read: the total is known, and the page ends in the first quarter of what matches.
   */
  async function endsEarly(query: ProductQuery): Promise<boolean> {
    if (query.category_id === undefined || query.order_by === 'title' || !isAscii(query.search)) return false
    const total = (await totals.cached(totalName(query))) ?? 0
    return query.offset + query.limit < total / 4
  }

  /** A page of a large shop by the titles in memory; undefined if the database has to find the page. */
  async function titledPage(query: ProductQuery, select: Select): Promise<Page | undefined> {
    if (query.search === undefined && query.order_by !== 'title') return undefined
    if (await endsEarly(query)) return undefined
    const began = performance.now()
    const selected = await titles.find(query, () => membersOf(query.category_id ?? 0))
    if (!selected) return undefined
    const { expected, total } = selected
    const withTitle = select.includes('title')
    const ids = expected.map(({ id }) => id)
    const rows = await rowsById(ids, withTitle ? select : [...select, 'title'])
    if (!titles.confirms(rows, expected)) return undefined
    totals.add(totalName(query), total, began)
    return { rows: withTitle ? rows : rows.map(({ title: _, ...row }) => row), total }
  }

  return async (query: ProductQuery, select: Select): Promise<Page> => {
    const fromMemory = await titledPage(query, select)
    if (fromMemory) return fromMemory
    const { search } = query
    if (search === undefined) return page(query, select)
    return isAscii(search) ? searchedPage(query, select) : foldedPage({ ...query, search }, select)
  }
}

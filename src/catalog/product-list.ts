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
  total: number
}

const opposite = { asc: 'desc', desc: 'asc' } as const

/** Products that are read in a row in the time of one that is looked up by a row of the relation. */
const lookupCost = 2

export function productPages(database: Database, totals: Totals, titles: TitleList) {
  const { db, t, dialect, hasPairKey } = database
  const { pageRows, rowsById, filtered, count, matches, candidates } = productStatements(database)
  const windows = pageWindows(db)
  const membersOf = categoryMembers(database)

  /**
   * Without an ordered key, a category has to be read whole and sorted for each page. If its matches are dense, the page
   * is found sooner among the products themselves. An estimate: on a wrong one, all products are read once.
   */
  async function drivingTableOf(
    query: ProductQuery,
    { limit, offset, category }: Values,
    total: number,
  ): Promise<DrivingTable> {
    if (hasPairKey || query.category_id === undefined || query.order_by === 'title') return 'members'
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
    const read = lastId * Math.min(1, (offset + limit) / Math.max(1, total))
    return read < members * lookupCost ? 'products' : 'members'
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

  async function page(query: ProductQuery, select: Select): Promise<Page> {
    const { offset, limit, order, category_id = 0, search = '', type, include } = query
    const values = { limit, offset, category: category_id, pattern: dialect.asciiPattern(search) }
    const name = JSON.stringify(['products', type, include, query.search, query.category_id])
    if (query.search === undefined && offset <= shallow && (hasPairKey || query.category_id === undefined)) {
      // The page does not depend on the total.
      const [total, rows] = await Promise.all([
        totals.get(name, () => count(query, values)),
        pageRows(query, select, values),
      ])
      return { rows, total }
    }
    const isById = query.search === undefined && query.order_by === 'id' && include === undefined
    const list = { name, rows: filtered(query, values), id: 'p.ID', order }
    const searched = query.search === undefined ? undefined : await countedMatches(name, query, values)
    if (searched?.ids) {
      const ids = searched.ids.slice(offset, offset + limit)
      return { rows: await rowsById(ids, select), total: searched.total }
    }
    const total =
      searched?.total ??
      (await totals.get(name, () => (isById ? windows.count(list, offset) : count(query, values))))
    const remaining = total - offset
    if (isById && Math.min(offset, remaining) > nearOffset) {
      const start = { ...values, ...(await windows.start(list, offset, limit)) }
      return { rows: await pageRows(query, select, start, await drivingTableOf(query, start, total)), total }
    }
    // Pages in the second half are closer to the other end.
    if (remaining <= 0 || offset <= remaining) {
      return {
        rows: await pageRows(query, select, values, await drivingTableOf(query, values, total)),
        total,
      }
    }
    const size = Math.min(limit, remaining)
    const reversed = { ...query, order: opposite[order] }
    const fromEnd = { ...values, limit: size, offset: remaining - size }
    const rows = await pageRows(reversed, select, fromEnd, await drivingTableOf(query, fromEnd, total))
    return { rows: rows.reverse(), total }
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

  /** A page of a large shop by the titles in memory; undefined where the table has to be read. */
  async function titledPage(query: ProductQuery, select: Select): Promise<Page | undefined> {
    if (query.search === undefined && query.order_by !== 'title') return undefined
    const found = await titles.find(query, () => membersOf(query.category_id ?? 0))
    if (!found) return undefined
    const { expected, total } = found
    const withTitle = select.includes('title')
    const ids = expected.map(({ id }) => id)
    const rows = await rowsById(ids, withTitle ? select : [...select, 'title'])
    if (!titles.confirms(rows, expected)) return undefined
    return { rows: withTitle ? rows : rows.map(({ title: _, ...row }) => row), total }
  }

  return async (query: ProductQuery, select: Select): Promise<Page> => {
    const found = await titledPage(query, select)
    if (found) return found
    return query.search === undefined || /^[ -~]*$/.test(query.search)
      ? page(query, select)
      : foldedPage({ ...query, search: query.search }, select)
  }
}

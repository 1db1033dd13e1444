// The statements of the list of products: SQL that stays fast at any length of the list, whatever keys the tables have. Only
// product-list.ts runs them: it says when which, and chooses the driving table and the bound of a page.
import { sql } from 'kysely'
import type { Database } from '../db/connect.ts'
import { asciiEquivalents } from '../db/dialects.ts'
import { prepared } from '../db/prepared.ts'
import { countOf } from '../db/repository.ts'
import type { Row } from '../db/tables.ts'
import { assignments } from './assignments.ts'

/** The query of `GET /products`; pages are counted in rows. */
export interface ProductQuery {
  offset: number
  limit: number
  search?: string | undefined
  category_id?: number | undefined
  type?: 'catalog' | 'template' | undefined
  include?: number[] | undefined
  order_by: 'id' | 'title'
  order: 'asc' | 'desc'
}

/** `categories` holds the ids in one string, for `readColumn` of assignments.ts. */
export type PageRow = Partial<Row<'products'>> & { ID: number; categories?: string | null }
type Column = keyof Row<'products'> | 'categories'
/** The columns to read. */
export type Select = readonly Column[]

/** Parameters of a statement. Which of them are used depends on the statement. */
export interface Values {
  limit: number
  offset: number
  /** Id of the category; 0 without one. */
  category: number
  /** The search term as a pattern of LIKE. */
  pattern: string
  /**
   * The page begins with the products from this id on, or in descending order with those below it; see `PageStart` in
   * page-windows.ts, whose `end` is not used here.
   */
  bound?: number | undefined
}

/**
 * The table that a page of a category is read from first: the rows of the relation (`members`), each with its product, or the
 * products in the order of the list (`products`), each looked up in the relation.
 */
export type DrivingTable = 'members' | 'products'

/** How the statement of a page is formed. */
interface PageForm {
  /** Whether whole rows are skipped up to the offset, instead of ids alone. */
  isShallow: boolean
  /** Undefined without a category. */
  drivingTable: DrivingTable | undefined
}

/** Up to this offset it is faster to skip whole rows than to read their ids first. */
export const shallow = 200
/** Up to so many products that match a search are taken at once, and their number is the total. */
const maxMatches = 5000

/**
 * The statements of one database. Each is built on the query of `allProducts`, in which the products are named `p`. Casts to its
 * type let the type checker accept columns of `p` in queries that join other tables as well.
 */
export function productStatements(database: Database) {
  const { db, t, dialect, encoder, hasPairKey } = database
  const relation = assignments(database)
  const title = encoder.searched('products', 'title', 'p.title')
  const allProducts = () => db.selectFrom(`${t.products} as p`)

  /** Adds the filters of the query, except the category, to a statement over the products `p`. */
  function matching<Q>(rows: Q, { search, type, include }: ProductQuery, pattern: string): Q {
    return (
      (rows as unknown as ReturnType<typeof allProducts>)
        .$if(search !== undefined, (all) =>
          all.where(dialect.containsAscii(title, pattern, asciiEquivalents(search ?? ''))),
        )
        .$if(type === 'template', (all) => all.where('p.type', '=', 'template'))
        // As an expression: by an index of types, which nearly all products pass, engines would look up each row.
        .$if(type === 'catalog', (all) =>
          all.where(sql`coalesce(${sql.ref('p.type')}, '')`, '<>', 'template'),
        )
        .$if(include !== undefined, (all) => all.where('p.ID', 'in', include ?? [])) as unknown as Q
    )
  }

  /**
   * The products `p` of a category. The engine has to begin with the rows of the category in the relation `r`, whatever its
   * statistics say: in any other order it may read all products, or the whole relation.
   */
  function members(category: number) {
    const ofCategory = db
      .selectFrom(t.category_products)
      .select('product_id')
      .where('category_id', '=', category)
    // The unique key has them in order, so that a page ends the search. Elsewhere a pair may occur twice.
    const rows = hasPairKey
      ? db.selectFrom(`${t.category_products} as r`).where('r.category_id', '=', category)
      : (db.selectFrom(ofCategory.distinct().as('r')) as never)
    return (rows as ReturnType<typeof relationRows>)
      .crossJoin(`${t.products} as p`)
      .modifyFront(dialect.inOrder)
      .whereRef('p.ID', '=', 'r.product_id')
  }
  /** Serves as a type alone: each way to read the relation yields rows named `r`. */
  const relationRows = () => db.selectFrom(`${t.category_products} as r`)

  /** The products that pass all filters of the query. */
  function filtered(query: ProductQuery, { category, pattern }: Pick<Values, 'category' | 'pattern'>) {
    const rows =
      query.category_id === undefined
        ? allProducts()
        : (members(category) as unknown as ReturnType<typeof allProducts>)
    return matching(rows, query, pattern)
  }

  /**
   * Sorts by id, or by title and then id.
   * @param id the column of the id whose table is read first, so that the engine finds the rows in this order
   */
  function ordered<Q extends ReturnType<typeof filtered>>(
    rows: Q,
    { order_by, order }: ProductQuery,
    id: 'p.ID' | 'r.product_id' = 'p.ID',
  ) {
    return rows
      .$if(order_by === 'title', (sorted) => sorted.orderBy(dialect.alphabetical('p.title'), order))
      .orderBy(id as 'p.ID', order)
  }

  /** Limits to the products from `bound` on, in the order of the list. */
  const fromBound = <Q extends ReturnType<typeof filtered>>(
    rows: Q,
    { order }: ProductQuery,
    bound: number | undefined,
    id: 'p.ID' | 'r.product_id' = 'p.ID',
  ) =>
    rows.$if(bound !== undefined, (all) => all.where(id as 'p.ID', order === 'asc' ? '>=' : '<', bound ?? 0))

  /**
   * The products that pass all filters, each looked up in the category. The subquery has a limit, because no engine turns such
   * a subquery into a join, which it would begin with the relation.
   */
  const lookedUpInCategory = (query: ProductQuery, { category, pattern }: Values) =>
    matching(allProducts(), query, pattern).where(
      ({ selectFrom }) =>
        selectFrom(`${t.category_products} as r`)
          .select('r.category_id')
          .whereRef('r.product_id', '=', 'p.ID')
          .where('r.category_id', '=', category)
          .limit(1),
      '=',
      category,
    )

  /** The ids of a page. Those of a category are sorted by the relation's column if it is read first. */
  function pageIds(query: ProductQuery, values: Values, drivingTable: DrivingTable | undefined) {
    const rows = drivingTable === 'products' ? lookedUpInCategory(query, values) : filtered(query, values)
    const id = drivingTable === 'members' ? 'r.product_id' : 'p.ID'
    return ordered(fromBound(rows, query, values.bound, id), query, id)
      .select('p.ID')
      .limit(values.limit)
      .offset(values.offset)
  }

  /** The columns of the rows of a page: those selected, and the categories as one text. */
  const selections = (select: Select) =>
    select.map((column) =>
      column === 'categories' ? relation.categoriesColumn('p.ID').as(column) : (`p.${column}` as const),
    )

  /** The statement of a page. */
  function pageQuery(
    query: ProductQuery,
    select: Select,
    values: Values,
    { isShallow, drivingTable }: PageForm,
  ) {
    const rows = ordered(allProducts(), query).select(selections(select))
    const page = isShallow
      ? fromBound(matching(rows, query, values.pattern), query, values.bound)
          .limit(values.limit)
          .offset(values.offset)
      : // Only ids are skipped; whole rows are read for the page alone.
        rows.innerJoin(pageIds(query, values, drivingTable).as('page'), 'page.ID', 'p.ID')
    return page.$castTo<PageRow>()
  }

  type Args = [limit: number, offset: number, category: number, pattern: string, bound?: number]
  const pages = new Map<string, ReturnType<typeof prepared<Args, PageRow>>>()
  const byIds = new Map<string, ReturnType<typeof prepared<number[], PageRow>>>()

  /** The statement under this name in the cache, built on first use. */
  function cached<S>(cache: Map<string, S>, name: string, build: () => S): S {
    const statement = cache.get(name) ?? build()
    cache.set(name, statement)
    return statement
  }

  /** Rows of a page. The SQL is compiled once for each combination of filters, order and columns. */
  async function pageRows(
    query: ProductQuery,
    select: Select,
    values: Values,
    drivingTable: DrivingTable | undefined = query.category_id === undefined ? undefined : 'members',
  ): Promise<PageRow[]> {
    const { type, order_by, order, search, category_id } = query
    const isPlain = search === undefined && category_id === undefined && type !== 'template'
    const isShallow = isPlain && order_by === 'id' && values.offset <= shallow
    const form = { isShallow, drivingTable }
    if (query.include) return pageQuery(query, select, values, form).execute()
    const searched = search === undefined ? '' : `search ${asciiEquivalents(search)}`
    const { bound } = values
    const filters = [
      type,
      order_by,
      order,
      searched,
      category_id !== undefined,
      drivingTable,
      bound !== undefined,
    ]
    const run = cached(pages, [...filters, isShallow, ...select].join(), () =>
      prepared((limit, offset, category, pattern, bound) =>
        pageQuery(query, select, { limit, offset, category, pattern, bound }, form),
      ),
    )
    const parameters = [values.limit, values.offset, values.category, values.pattern] as const
    return bound === undefined ? run(db, ...parameters) : run(db, ...parameters, bound)
  }

  /** The rows with these ids, in their order. */
  async function rowsById(ids: number[], select: Select): Promise<PageRow[]> {
    if (ids.length === 0) return []
    const run = cached(byIds, select.join(), () =>
      prepared((...wanted: number[]) =>
        allProducts().select(selections(select)).where('p.ID', 'in', wanted).$castTo<PageRow>(),
      ),
    )
    const rows = new Map((await run(db, ...ids)).map((row) => [row.ID, row]))
    return ids.flatMap((id) => rows.get(id) ?? [])
  }

  /** The number of products on all pages. */
  const count = (query: ProductQuery, values: Values) => countOf(filtered(query, values))

  /** The ids that match a search, in order and in one pass; undefined if there are too many. */
  async function matches(query: ProductQuery, values: Values): Promise<number[] | undefined> {
    const limited = filtered(query, values).limit(maxMatches + 1)
    if (query.order_by === 'title') {
      // Sorted after the limit: the engine would sort all of them before it finds that there are too many.
      const titled = db.selectFrom(limited.select(['p.ID', 'p.title']).as('p')) as unknown as typeof limited
      const rows = await ordered(titled, query).select('p.ID').execute()
      return rows.length > maxMatches ? undefined : rows.map((row) => row.ID)
    }
    const rows = await limited.select('p.ID').execute()
    if (rows.length > maxMatches) return undefined
    // Ids are sorted here: the engine would choose an index by the order, not by the filters.
    const sign = query.order === 'asc' ? 1 : -1
    return rows.map((row) => row.ID).sort((a, b) => sign * (a - b))
  }

  /** Ids and titles, in order, of the products that may match a term outside ASCII; the caller compares the titles. */
  function candidates(query: ProductQuery & { search: string }, category: number) {
    const { search, ...withoutSearch } = query
    return ordered(filtered(withoutSearch, { category, pattern: '' }), query)
      .where(dialect.mayContain(title, search))
      .select(['p.ID', 'p.title'])
      .execute()
  }

  return { pageRows, rowsById, filtered, count, matches, candidates }
}

// Which products are on a page of the list: SQL that stays fast at any length of the list.
import type { Database } from '../../src/db/connect.ts'
import { asciiEquivalents } from '../../src/db/dialects.ts'
import { contains } from '../../src/db/fold.ts'
import { prepared } from '../../src/db/prepared.ts'
import type { Row } from '../../src/db/tables.ts'
import type { Totals } from '../../src/repositories/totals.ts'

export interface ProductQuery {
  offset: number
  limit: number
  search?: string
  category_id?: number
  type?: 'catalog' | 'template'
  include?: number[]
  order_by: 'id' | 'title'
  order: 'asc' | 'desc'
}

type PageRow = Partial<Row<'products'>> & { ID: number }
type Select = readonly (keyof Row<'products'>)[]
type Page = { rows: PageRow[]; total: number }

/** Parameters of a statement. Which of them are used depends on the statement. */
interface Values {
  limit: number
  offset: number
  category: number
  pattern: string
}

const opposite = { asc: 'desc', desc: 'asc' } as const

/** Up to this offset it is faster to skip whole rows than to read their ids first. */
const shallow = 200

export function productPages({ db, t, dialect }: Database, totals: Totals) {
  const allProducts = () => db.selectFrom(`${t.products} as p`)

  /** Applies the filters of the query to the products `p`, except the category. */
  function matching<Q>(rows: Q, { search, type, include }: ProductQuery, pattern: string): Q {
    return (rows as unknown as ReturnType<typeof allProducts>)
      .$if(search !== undefined, (all) =>
        all.where(dialect.containsAscii('p.title', pattern, asciiEquivalents(search ?? ''))),
      )
      .$if(type === 'template', (all) => all.where('p.type', '=', 'template'))
      .$if(type === 'catalog', (all) =>
        all.where((eb) => eb.or([eb('p.type', '<>', 'template'), eb('p.type', 'is', null)])),
      )
      .$if(include !== undefined, (all) => all.where('p.ID', 'in', include ?? [])) as unknown as Q
  }

  /** The products that pass all filters of the query. */
  function filtered(query: ProductQuery, { category, pattern }: Pick<Values, 'category' | 'pattern'>) {
    // The category's own rows first: whatever the statistics say, the engine reads no others.
    const members = () =>
      db
        .selectFrom(
          db
            .selectFrom(t.category_products)
            .select('product_id')
            .distinct()
            .where('category_id', '=', category)
            .as('r'),
        )
        .innerJoin(`${t.products} as p`, 'p.ID', 'r.product_id')
    const rows =
      query.category_id === undefined
        ? allProducts()
        : (members() as unknown as ReturnType<typeof allProducts>)
    return matching(rows, query, pattern)
  }

  function ordered<Q extends ReturnType<typeof filtered>>(rows: Q, { order_by, order }: ProductQuery) {
    return rows
      .$if(order_by === 'title', (sorted) => sorted.orderBy(dialect.alphabetical('p.title'), order))
      .orderBy('p.ID', order)
  }

  /** The ids of a page. Those of a category come in the order of its index, which is read no further than the page. */
  function pageIds(query: ProductQuery, { limit, offset, ...filters }: Values) {
    if (query.category_id === undefined || query.order_by !== 'id')
      return ordered(filtered(query, filters), query).select('p.ID').limit(limit).offset(offset)
    const members = db
      .selectFrom(`${t.category_products} as r`)
      .innerJoin(`${t.products} as p`, 'p.ID', 'r.product_id')
      .select('r.product_id as ID')
      .where('r.category_id', '=', filters.category)
    return matching(members, query, filters.pattern)
      .groupBy('r.product_id')
      .orderBy('r.product_id', query.order)
      .limit(limit)
      .offset(offset)
  }

  function pageQuery(query: ProductQuery, select: Select, values: Values, isShallow: boolean) {
    const rows = ordered(allProducts(), query).select(select.map((column) => `p.${column}` as const))
    // Otherwise only ids are skipped, and whole rows are read for the page only.
    const page = isShallow
      ? matching(rows, query, values.pattern).limit(values.limit).offset(values.offset)
      : rows.innerJoin(pageIds(query, values).as('page'), 'page.ID', 'p.ID')
    return page.$castTo<PageRow>()
  }

  type Args = [limit: number, offset: number, category: number, pattern: string]
  const ready = new Map<string, ReturnType<typeof prepared<Args, PageRow>>>()

  /** Rows of a page. The SQL is compiled once for each form of query. */
  async function pageRows(query: ProductQuery, select: Select, values: Values): Promise<PageRow[]> {
    const { type, order_by, order, search, category_id } = query
    const isShallow = order_by === 'id' && category_id === undefined && values.offset <= shallow
    if (query.include) return pageQuery(query, select, values, isShallow).execute()
    const searched = search === undefined ? '' : `search ${asciiEquivalents(search)}`
    const filters = [type, order_by, order, searched, category_id !== undefined]
    const shape = [...filters, isShallow, ...select].join()
    let run = ready.get(shape)
    if (!run) {
      run = prepared((limit, offset, category, pattern) =>
        pageQuery(query, select, { limit, offset, category, pattern }, isShallow),
      )
      ready.set(shape, run)
    }
    return run(db, values.limit, values.offset, values.category, values.pattern)
  }

  function count(query: ProductQuery, values: Values): Promise<number> {
    const { type, include, search, category_id } = query
    return totals.get(JSON.stringify(['products', type, include, search, category_id]), async () => {
      const row = await filtered(query, values)
        .select((eb) => eb.fn.countAll().as('total'))
        .executeTakeFirst()
      return Number(row?.total ?? 0)
    })
  }

  async function page(query: ProductQuery, select: Select): Promise<Page> {
    const { offset, limit, order, category_id = 0, search = '' } = query
    const values = { limit, offset, category: category_id, pattern: dialect.asciiPattern(search) }
    const total = await count(query, values)
    const remaining = total - offset
    // Pages in the second half are closer to the other end.
    if (remaining <= 0 || offset <= remaining) return { rows: await pageRows(query, select, values), total }
    const size = Math.min(limit, remaining)
    const rows = await pageRows({ ...query, order: opposite[order] }, select, {
      ...values,
      limit: size,
      offset: remaining - size,
    })
    return { rows: rows.reverse(), total }
  }

  /**
   * For terms with characters whose case engines fold differently: one pass over the titles that may match, compared
   * here, then the rows of the page by their keys.
   */
  async function foldedPage(query: ProductQuery & { search: string }, select: Select): Promise<Page> {
    const { search, category_id = 0, offset, limit } = query
    const { search: _, ...rest } = query
    const candidates = await ordered(filtered(rest, { category: category_id, pattern: '' }), query)
      .where(dialect.mayContain('p.title', search))
      .select(['p.ID', 'p.title'])
      .execute()
    const ids = candidates.filter((row) => contains(row.title, search)).map((row) => row.ID)
    const page = ids.slice(offset, offset + limit)
    if (page.length === 0) return { rows: [], total: ids.length }
    const rows: PageRow[] = await db.selectFrom(t.products).select(select).where('ID', 'in', page).execute()
    const byId = new Map(rows.map((row) => [row.ID, row]))
    return { rows: page.flatMap((id) => byId.get(id) ?? []), total: ids.length }
  }

  return (query: ProductQuery, select: Select): Promise<Page> =>
    query.search === undefined || /^[ -~]*$/.test(query.search)
      ? page(query, select)
      : foldedPage({ ...query, search: query.search }, select)
}

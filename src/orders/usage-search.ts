// Where a file is used: rows and settings that contain one of its names. The database compares, so that no design is read here;
// it may also find names that are similar.
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../db/connect.ts'
import { type Budget, idRanges, oneAfterAnother } from '../library/usage-scan.ts'
import { generations, type OrderType } from './source.ts'
import { foreignTables } from './tables.ts'

export interface Usages {
  settings: string[]
  print_profiles: { id: number; name: string }[]
  layouts: { id: number; name: string }[]
  design_categories: { id: number; title: string }[]
  products: { id: number; title: string }[]
  orders: { type: OrderType; id: number }[]
  /** Whether all usages are listed. */
  complete: boolean
}

/** Usages in each list. */
const maxListed = 100
/** Limit of the rows that one search reads; in practice its time limit is reached first. */
const maxRows = 20_000_000
/** Rows of a statement: few if each holds a design, because SQLite blocks the process during a statement. */
const designsPerStatement = 400
const metaPerStatement = 5000

type List = Exclude<keyof Usages, 'settings' | 'complete'>

interface Scan {
  list: List
  /** The table that is scanned in ranges of its primary key. */
  table: string
  key: string
  /** Rows of a statement. */
  size: number
  /** The tables of the statement, the first one as `r`. */
  from: RawBuilder<unknown>
  /** Columns of the id and the name that the list shows; the id may be that of a joined table. */
  id: string
  name: RawBuilder<unknown>
  /** The columns that are searched. */
  texts: string[]
  where?: RawBuilder<unknown>
  type?: OrderType
}

/** @param rows how many rows one search reads; tests pass a smaller limit */
export function usageSearch(database: Database, rows = maxRows) {
  const { db, dialect, t } = database
  const { f } = foreignTables(database)
  const table = (name: string) => sql`${sql.table(name)} as r`
  /** The tables whose rows are listed themselves, by their id; each row may hold a design. */
  const listedRows = { key: 'ID', id: 'r.ID', size: designsPerStatement }
  const title = sql.ref('r.title')
  const noName = sql`''`
  /** Cheap ones first. */
  const scans: Scan[] = [
    {
      ...listedRows,
      list: 'print_profiles',
      table: t.print_profiles,
      from: table(t.print_profiles),
      name: sql.ref('r.name'),
      texts: ['r.data'],
    },
    {
      ...listedRows,
      list: 'layouts',
      table: t.user_interfaces,
      from: table(t.user_interfaces),
      name: sql.ref('r.name'),
      texts: ['r.data'],
    },
    {
      ...listedRows,
      list: 'design_categories',
      table: t.designs,
      from: table(t.designs),
      name: title,
      texts: ['r.designs', 'r.options', 'r.thumbnail'],
    },
    {
      ...listedRows,
      list: 'products',
      table: t.products,
      from: table(t.products),
      name: title,
      texts: ['r.options', 'r.thumbnail'],
    },
    {
      ...listedRows,
      list: 'products',
      table: t.views,
      from: sql`${sql.table(t.views)} as r inner join ${sql.table(t.products)} as p on p.ID = r.product_id`,
      id: 'p.ID',
      name: sql.ref('p.title'),
      texts: ['r.elements', 'r.options', 'r.thumbnail'],
    },
    {
      ...listedRows,
      list: 'orders',
      type: 'shortcode',
      table: t.orders,
      from: table(t.orders),
      name: noName,
      texts: ['r.views', 'r.print_order'],
    },
    {
      list: 'orders',
      type: 'wc',
      table: f.itemMeta,
      key: 'meta_id',
      size: metaPerStatement,
      from: sql`${sql.table(f.itemMeta)} as r inner join ${sql.table(f.items)} as i on i.order_item_id = r.order_item_id`,
      id: 'i.order_id',
      name: noName,
      texts: ['r.meta_value'],
      where: sql`r.meta_key in (${sql.join(generations)})`,
    },
    {
      list: 'orders',
      type: 'gf',
      table: f.entryMeta,
      key: 'id',
      size: metaPerStatement,
      from: table(f.entryMeta),
      id: 'r.entry_id',
      name: noName,
      texts: ['r.meta_value'],
    },
  ]

  /** The name is searched first, which is quick; only texts that contain it are searched for the path. */
  const contains = (texts: string[], { name, forms }: Terms) =>
    sql.join(
      texts.map((text) => {
        const ref = sql`replace(${sql.ref(text)}, ${'\\'}, '')`
        const paths = forms.map((form) => dialect.mayContain({ ref }, form))
        return sql`(${dialect.mayContainOneOf(text, [name])} and (${sql.join(paths, sql` or `)}))`
      }),
      sql` or `,
    )

  /** Adds the usages to `found`, by their ids; false if there may be more. */
  async function collect(scan: Scan, terms: Terms, budget: Budget, found: Map<number, string>) {
    const { id, name, from, key, texts, where = sql`1 = 1` } = scan
    const rowKey = sql.ref(`r.${key}`)
    for await (const range of idRanges(database, { table: scan.table, id: key, size: scan.size }, budget)) {
      if (range === 'cut') return false
      const { rows: matching } = await sql<{ id: number; name: string | null }>`
        select distinct ${sql.ref(id)} as id, ${name} as name from ${from}
        where ${rowKey} > ${range.after} and ${rowKey} <= ${range.to} and ${where} and (${contains(texts, terms)})
        limit ${maxListed + 1}`.execute(db)
      for (const row of matching) {
        if (found.size === maxListed && !found.has(Number(row.id))) return false
        found.set(Number(row.id), row.name ?? '')
      }
    }
    return true
  }

  /** The keys of our settings that contain one of the terms, templates of texts and colors among them; one more than are listed. */
  async function settingsWith(terms: Terms): Promise<string[]> {
    const { rows: matching } = await sql<{ key: string }>`
      select option_name as ${sql.ref('key')} from ${sql.table(t.options)}
      where option_name like 'svc!_%' escape '!' and (${contains(['option_value'], terms)})
      order by option_name limit ${maxListed + 1}`.execute(db)
    return matching.map(({ key }) => key)
  }

  async function search(terms: Terms, until: number): Promise<Usages> {
    const budget = { rows, until }
    const settings = await settingsWith(terms)
    const usages: Usages = {
      settings: settings.slice(0, maxListed),
      print_profiles: [],
      layouts: [],
      design_categories: [],
      products: [],
      orders: [],
      complete: settings.length <= maxListed,
    }
    const products = new Map<number, string>()
    for (const scan of scans) {
      const { list, type } = scan
      const found = list === 'products' ? products : new Map<number, string>()
      if (!(await collect(scan, terms, budget, found))) usages.complete = false
      const sorted = [...found].sort(([a], [b]) => a - b)
      if (type) usages.orders.push(...sorted.map(([id]) => ({ type, id })))
      else if (list === 'products' || list === 'design_categories')
        usages[list] = sorted.map(([id, title]) => ({ id, title }))
      else if (list !== 'orders') usages[list] = sorted.map(([id, name]) => ({ id, name }))
    }
    return usages
  }

  return oneAfterAnother(search)
}

export interface Terms {
  /** Searched first: a part of the name that is the same in every encoding. */
  name: string
  /** What a row must contain to count: one of these, without backslashes. */
  forms: string[]
}

/** The longest part of a name that is the same in every encoding. */
export function lastingPart(name: string): string {
  const parts = name.match(/[A-Za-z0-9_-]+/g) ?? ['']
  return parts.reduce((longest, part) => (part.length > longest.length ? part : longest))
}

/** JSON has escapes in place of letters beyond ASCII; their backslashes are not compared. */
export const inJson = (text: string): string =>
  text.replace(/[^ -~]/g, (unit) => `u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)

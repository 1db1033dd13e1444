// The tables whose rows may contain the name of a file, and the condition that a row contains it. The database compares, so that
// Node.js reads no design; it may also find names that are similar.
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Database } from '../db/connect.ts'
import { designKeys, type OrderType } from './source.ts'
import { foreignTables } from './tables.ts'

/** Limit of the rows that one search reads; in practice its time limit is reached first. */
export const maxRows = 20_000_000
/** Rows of a statement on a table whose rows hold designs: few, because SQLite blocks the process during a statement. */
const designsPerStatement = 400
/** Rows of a statement on a table of meta. */
const metaPerStatement = 5000

/** The lists of usages, as `Usages` names them. */
type UsageList = 'print_profiles' | 'layouts' | 'design_categories' | 'products' | 'orders'

/** How one table is searched. */
export interface Scan {
  /** The list that shows its usages. */
  list: UsageList
  /** The table that is scanned in ranges of its primary key. */
  table: string
  /** Its primary key. */
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
  /** Only rows that meet it. */
  where?: RawBuilder<unknown>
  /** Type of the orders, for the list of orders. */
  type?: OrderType
}

/** The scans of one database, and the conditions for them. */
export function usageScans(database: Database) {
  const { dialect, t } = database
  const { f } = foreignTables(database)
  const table = (name: string) => sql`${sql.table(name)} as r`
  /** Properties of scans whose rows are listed themselves by their id; each row may hold a design. */
  const listedRows = { key: 'ID', id: 'r.ID', size: designsPerStatement }
  const title = sql.ref('r.title')
  const noName = sql`''`
  /** In order, cheap ones first. */
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
      where: sql`r.meta_key in (${sql.join(designKeys)})`,
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

  /**
   * SQL: whether one of the columns contains one of the forms. The name is searched first, which is quick; only texts that contain
   * it are searched for the forms.
   */
  const contains = (texts: string[], { name, forms }: Terms) =>
    sql.join(
      texts.map((text) => {
        const ref = sql`replace(${sql.ref(text)}, ${'\\'}, '')`
        const paths = forms.map((form) => dialect.mayContain({ ref }, form))
        return sql`(${dialect.mayContainOneOf(text, [name])} and (${sql.join(paths, sql` or `)}))`
      }),
      sql` or `,
    )

  return {
    scans,
    contains,
    /** SQL: whether an option row is a setting of this API; text templates and colors are among them. */
    isSetting: sql<SqlBool>`option_name like 'svc!_%' escape '!'`,
  }
}

/** What a search looks for. */
export interface Terms {
  /** Searched first: a part of the name that is the same in every encoding. */
  name: string
  /** What a row must contain to count: one of these, without backslashes. */
  forms: string[]
}

/** The longest part of a name that is the same in every encoding. */
export function encodingSafePart(name: string): string {
  const parts = name.match(/[A-Za-z0-9_-]+/g) ?? ['']
  return parts.reduce((longest, part) => (part.length > longest.length ? part : longest))
}

/** A text as JSON stores it, with escapes in place of letters beyond ASCII; without their backslashes, which are not compared. */
export const jsonForm = (text: string): string =>
  text.replace(/[^ -~]/g, (unit) => `u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)

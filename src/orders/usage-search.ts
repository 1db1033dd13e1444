// Finds where a file is used: the rows and settings that contain one of its names. asset-usages.ts and font-usages.ts say which
// names an asset or a font has.
import { sql } from 'kysely'
import type { Database } from '../db/connect.ts'
import { type Budget, idRanges, oneAfterAnother } from '../library/usage-scan.ts'
import type { OrderType } from './source.ts'
import { maxRows, type Scan, type Terms, usageScans } from './usage-scans.ts'

/** Where a file is used, as the API returns it. */
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

/** The most usages in each list. */
const maxListed = 100

/**
 * Returns a function that searches for terms; its calls run one after the other.
 * @param rows how many rows one search reads; tests pass a smaller limit
 */
export function usageSearch(database: Database, rows = maxRows) {
  const { db, t } = database
  const { scans, contains, isSetting } = usageScans(database)

  /** Adds the names of the rows with usages to `names`, by id. @returns false if there may be more */
  async function collectUsages(scan: Scan, terms: Terms, budget: Budget, names: Map<number, string>) {
    const { id, name, from, key, texts, where = sql`1 = 1` } = scan
    const rowKey = sql.ref(`r.${key}`)
    for await (const range of idRanges(database, { table: scan.table, id: key, size: scan.size }, budget)) {
      if (range === 'cut') return false
      const { rows: matching } = await sql<{ id: number; name: string | null }>`
        select distinct ${sql.ref(id)} as id, ${name} as name from ${from}
        where ${rowKey} > ${range.from} and ${rowKey} <= ${range.to} and ${where} and (${contains(texts, terms)})
        limit ${maxListed + 1}`.execute(db)
      for (const row of matching) {
        if (names.size === maxListed && !names.has(Number(row.id))) return false
        names.set(Number(row.id), row.name ?? '')
      }
    }
    return true
  }

  /** The keys of settings that contain one of the terms; at most one more than are listed, which shows that there are more. */
  async function settingsWith(terms: Terms): Promise<string[]> {
    const { rows: matching } = await sql<{ key: string }>`
      select option_name as ${sql.ref('key')} from ${sql.table(t.options)}
      where ${isSetting} and (${contains(['option_value'], terms)})
      order by option_name limit ${maxListed + 1}`.execute(db)
    return matching.map(({ key }) => key)
  }

  /** @param until deadline, on the clock of performance.now() */
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
    // Two scans share this map: products and their views.
    const productNames = new Map<number, string>()
    for (const scan of scans) {
      const { list, type } = scan
      const names = list === 'products' ? productNames : new Map<number, string>()
      if (!(await collectUsages(scan, terms, budget, names))) usages.complete = false
      const sorted = [...names].sort(([a], [b]) => a - b)
      if (type) usages.orders.push(...sorted.map(([id]) => ({ type, id })))
      else if (list === 'products' || list === 'design_categories')
        usages[list] = sorted.map(([id, title]) => ({ id, title }))
      else if (list !== 'orders') usages[list] = sorted.map(([id, name]) => ({ id, name }))
    }
    return usages
  }

  return oneAfterAnother(search)
}

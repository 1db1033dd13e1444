// Which of several assets are used nowhere, found by one search for all of them.
import { sql } from 'kysely'
import type { Database } from '../db/connect.ts'
import { idRanges, oneAfterAnother } from '../library/usage-scan.ts'
import { type AssetName, termsOf } from './asset-usages.ts'
import { maxRows, type Scan, type Terms, usageScans } from './usage-scans.ts'

/**
 * @returns a function that returns the unused ones in their order, or undefined if the search was cut off
 * @param rows how many rows one search reads; tests pass a smaller limit
 */
export function unusedAssets(database: Database, rows = maxRows) {
  const { db, t } = database
  const { scans, contains, isSetting } = usageScans(database)

  /** For each asset a column that is 1 if any of the rows contains one of its names. */
  const columns = (texts: string[], wanted: readonly Terms[]) =>
    sql.join(
      wanted.map(
        (terms, at) => sql`max(case when ${contains(texts, terms)} then 1 else 0 end) as ${sql.id(`u${at}`)}`,
      ),
    )

  const usedIn = (row: Record<string, unknown> | undefined, wanted: readonly Terms[]) =>
    new Set(wanted.filter((_, at) => Number(row?.[`u${at}`] ?? 0) === 1))

  async function usedInSettings(wanted: readonly Terms[]): Promise<Set<Terms>> {
    const { rows: found } = await sql<Record<string, unknown>>`
      select ${columns(['option_value'], wanted)} from ${sql.table(t.options)} where ${isSetting}`.execute(db)
    return usedIn(found[0], wanted)
  }

  async function usedInRange(scan: Scan, range: { after: number; to: number }, wanted: readonly Terms[]) {
    const { from, key, texts, where = sql`1 = 1` } = scan
    const rowKey = sql.ref(`r.${key}`)
    const { rows: found } = await sql<Record<string, unknown>>`
      select ${columns(texts, wanted)} from ${from}
      where ${rowKey} > ${range.after} and ${rowKey} <= ${range.to} and ${where}`.execute(db)
    return usedIn(found[0], wanted)
  }

  async function search<Asset extends AssetName>(assets: readonly Asset[], until: number) {
    const budget = { rows, until }
    const named = assets.map((asset) => ({ asset, terms: termsOf(asset) }))
    let wanted = named.map(({ terms }) => terms)
    const drop = (used: Set<Terms>) => {
      if (used.size > 0) wanted = wanted.filter((terms) => !used.has(terms))
    }
    if (wanted.length > 0) drop(await usedInSettings(wanted))
    for (const scan of scans) {
      for await (const range of idRanges(
        database,
        { table: scan.table, id: scan.key, size: scan.size },
        budget,
      )) {
        if (wanted.length === 0) return []
        if (range === 'cut') return undefined
        drop(await usedInRange(scan, range, wanted))
      }
    }
    const unused = new Set(wanted)
    return named.filter(({ terms }) => unused.has(terms)).map(({ asset }) => asset)
  }

  const queued = oneAfterAnother(search<AssetName>)
  return async <Asset extends AssetName>(assets: readonly Asset[]): Promise<Asset[] | undefined> =>
    (await queued(assets)) as Asset[] | undefined
}

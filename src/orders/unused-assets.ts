// Finds which of several assets are used nowhere, by one search for all of them.
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
  const usageColumns = (texts: string[], candidates: readonly Terms[]) =>
    sql.join(
      candidates.map(
        (terms, index) =>
          sql`max(case when ${contains(texts, terms)} then 1 else 0 end) as ${sql.id(`u${index}`)}`,
      ),
    )

  const usedIn = (row: Record<string, unknown> | undefined, candidates: readonly Terms[]) =>
    new Set(candidates.filter((_, index) => Number(row?.[`u${index}`] ?? 0) === 1))

  async function usedInSettings(candidates: readonly Terms[]): Promise<Set<Terms>> {
    const { rows: usageRows } = await sql<Record<string, unknown>>`
      select ${usageColumns(['option_value'], candidates)} from ${sql.table(t.options)} where ${isSetting}`.execute(
      db,
    )
    return usedIn(usageRows[0], candidates)
  }

  async function usedInRange(
    scan: Scan,
    range: { from: number; to: number },
    candidates: readonly Terms[],
  ): Promise<Set<Terms>> {
    const { from, key, texts, where = sql`1 = 1` } = scan
    const rowKey = sql.ref(`r.${key}`)
    const { rows: usageRows } = await sql<Record<string, unknown>>`
      select ${usageColumns(texts, candidates)} from ${from}
      where ${rowKey} > ${range.from} and ${rowKey} <= ${range.to} and ${where}`.execute(db)
    return usedIn(usageRows[0], candidates)
  }

  async function search<Asset extends AssetName>(assets: readonly Asset[], until: number) {
    const budget = { rows, until }
    const assetsWithTerms = assets.map((asset) => ({ asset, terms: termsOf(asset) }))
    /** The terms of the assets for which no usage was found yet. */
    let unused = assetsWithTerms.map(({ terms }) => terms)
    const drop = (used: Set<Terms>) => {
      if (used.size > 0) unused = unused.filter((terms) => !used.has(terms))
    }
    if (unused.length > 0) drop(await usedInSettings(unused))
    for (const scan of scans) {
      for await (const range of idRanges(
        database,
        { table: scan.table, id: scan.key, size: scan.size },
        budget,
      )) {
        if (unused.length === 0) return []
        if (range === 'cut') return undefined
        drop(await usedInRange(scan, range, unused))
      }
    }
    const unusedTerms = new Set(unused)
    return assetsWithTerms.filter(({ terms }) => unusedTerms.has(terms)).map(({ asset }) => asset)
  }

  const queued = oneAfterAnother(search<AssetName>)
  return async <Asset extends AssetName>(assets: readonly Asset[]): Promise<Asset[] | undefined> =>
    (await queued(assets)) as Asset[] | undefined
}

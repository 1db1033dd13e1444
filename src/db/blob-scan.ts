// Searches stored blobs for strings, in chunks, so that neither the database nor this process is blocked.
import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import { unlessTooLarge } from '../core/errors.ts'
import type { Database } from './connect.ts'

/** Rows per query. Few, because the embedded database blocks everything else meanwhile. */
const chunk = 400

/** What a scan may cost. Several scans may share and use up one budget. */
export interface ScanBudget {
  rows: number
  /** Deadline on the clock of performance.now(). */
  until: number
}

interface Candidate {
  id: number
  title: string
  /** The row's blobs as stored. */
  blobs: (string | null)[]
}

/** Where to search: print profiles, design library, products, or views, which count for their products. */
export type ScanSource = 'print_profiles' | 'designs' | 'products' | 'views'

type Row = { id: number; title: string | null } & Record<`blob${number}`, string | null>

export function blobScan({ db, dialect, t }: Database) {
  const views = sql`${sql.table(t.views)} as r inner join ${sql.table(t.products)} as p on p.ID = r.product_id`
  const sources = {
    print_profiles: { id: 'r.ID', title: 'r.name', blobs: ['r.data'], from: undefined },
    designs: { id: 'r.ID', title: 'r.title', blobs: ['r.designs', 'r.options'], from: undefined },
    products: { id: 'r.ID', title: 'r.title', blobs: ['r.options'], from: undefined },
    views: { id: 'p.ID', title: 'p.title', blobs: ['r.elements', 'r.options'], from: views },
  }

  /**
   * The rows whose blobs may contain one of the terms, ignoring case. Ends with 'cut' when the budget does not suffice for
   * all rows.
   */
  return async function* candidates(
    source: ScanSource,
    terms: readonly string[],
    budget: ScanBudget,
  ): AsyncGenerator<Candidate | 'cut'> {
    const { id, title, blobs, from = sql`${sql.table(t[source])} as r` } = sources[source]
    const columns = blobs.map((blob, at) => sql`${sql.ref(blob)} as ${sql.id(`blob${at}`)}`)
    const matches = blobs.map((blob) => dialect.mayContainOneOf(blob, terms))
    for (let after = 0; ; ) {
      const { rows: ids } = await sql<{ ID: number }>`
        select ID from ${sql.table(t[source])} where ID > ${after} order by ID limit ${chunk}`.execute(db)
      const end = ids.at(-1)?.ID
      if (end === undefined) return
      budget.rows -= ids.length
      if (budget.rows < 0 || performance.now() > budget.until) return yield 'cut'
      const matching = sql<Row>`
        select ${sql.ref(id)} as id, ${sql.ref(title)} as title, ${sql.join(columns)} from ${from}
        where r.ID > ${after} and r.ID <= ${end} and (${sql.join(matches, sql` or `)})`
      const rows = await matching.execute(db).then((found) => found.rows, unlessTooLarge)
      if (rows === undefined) return yield 'cut'
      for (const row of rows) {
        yield {
          id: row.id,
          title: row.title ?? '',
          blobs: blobs.map((_, at) => row[`blob${at}`] ?? null),
        }
      }
      if (ids.length < chunk) return
      after = end
      await setImmediate()
    }
  }
}

// The list of print jobs, newest first, page by page.
import { mapInTurns } from '../core/turns.ts'
import type { Database } from '../db/connect.ts'
import { nearOffset, type PageStart, pageWindows } from '../db/page-windows.ts'
import type { Totals } from '../db/totals.ts'
import { type PrintJob, printJobReads, selectJobs } from './print-job-reads.ts'

/** Which jobs are listed. */
export interface JobQuery {
  /** Exactly this status, byte by byte. */
  status?: string | undefined
  include?: number[] | undefined
}

interface JobSlice {
  limit: number
  offset: number
  /** Whether the details are read. */
  withDetails: boolean
}

/** The pages of one database; `totals` caches the lengths of lists. */
export function printJobPages(database: Database, totals: Totals) {
  const { db, t, dialect, encoder } = database
  const { toJob } = printJobReads(database)
  const windows = pageWindows(db)
  const column = encoder.searched('print_jobs', 'status', 'p.status')

  const matching = ({ status, include }: JobQuery) =>
    db
      .selectFrom(`${t.print_jobs} as p`)
      .$if(status !== undefined, (q) => q.where('p.status', '=', status ?? ''))
      .$if(status !== undefined, (q) => q.where(dialect.sameBytes(column, status ?? '')))
      .$if(include !== undefined, (q) => q.where('p.ID', 'in', include ?? []))

  const listOf = (query: JobQuery) => ({
    name: JSON.stringify(['print_jobs', query.status, query.include]),
    rows: matching(query),
    id: 'p.ID',
    order: 'desc' as const,
  })

  /** The rows of a page that begins at `start`; fewer than `limit` if rows were removed since its `end` was found. */
  async function rowsAt(
    query: JobQuery,
    { limit, withDetails }: Omit<JobSlice, 'offset'>,
    { bound, offset, end }: PageStart,
  ) {
    // Ids are found first: with an empty table of steps MySQL would read all jobs with their blobs to sort them.
    const page = matching(query)
      .select('p.ID')
      .$if(bound !== undefined, (q) => q.where('p.ID', '<', bound ?? 0))
      .$if(end !== undefined, (q) => q.where('p.ID', '>=', end ?? 0))
      .orderBy('p.ID', 'desc')
      .limit(limit)
      .offset(offset)
    return selectJobs(database, db)
      .innerJoin(page.as('page'), 'page.ID', 'j.ID')
      .$if(withDetails, (q) => q.select('j.details'))
      .orderBy('j.ID', 'desc')
      .execute()
  }

  async function read(query: JobQuery, slice: JobSlice): Promise<PrintJob[]> {
    const { limit, offset } = slice
    const start = query.include
      ? { bound: undefined, offset }
      : await windows.start(listOf(query), offset, limit)
    const rows = await rowsAt(query, slice, start)
    if (rows.length === limit || start.end === undefined) return mapInTurns(rows, toJob)
    return mapInTurns(await rowsAt(query, slice, { ...start, end: undefined }), toJob)
  }

  /** The number of jobs on all pages. */
  const count = (query: JobQuery, offset: number) => {
    const list = listOf(query)
    return query.include ? windows.count(list, 0) : totals.get(list.name, () => windows.count(list, offset))
  }

  return {
    newest: (limit: number): Promise<PrintJob[]> => read({}, { limit, offset: 0, withDetails: true }),

    /** A page, and the number of jobs on all pages. */
    async page(query: JobQuery, slice: JobSlice): Promise<{ jobs: PrintJob[]; total: number }> {
      if (slice.offset > nearOffset) {
        // The count comes first, because it checks the windows by which the page is found.
        const total = await count(query, slice.offset)
        return { jobs: await read(query, slice), total }
      }
      const [jobs, total] = await Promise.all([read(query, slice), count(query, slice.offset)])
      return { jobs, total }
    },
  }
}

// Reads print jobs: rows of `svc_print_jobs`, which PHP reads and writes, too, joined with the table of steps, which only this API uses.
// job-data.ts reads the JSON in a row.
import type { Kysely } from 'kysely'
import { turns } from '../core/turns.ts'
import type { Database } from '../db/connect.ts'
import { scannedRows } from '../db/scanned-rows.ts'
import { stateTag } from '../db/state-tag.ts'
import { readStoredJson } from '../db/stored-json.ts'
import type { Tables } from '../db/tables.ts'
import { isoTime } from '../db/time.ts'
import {
  failureOf,
  fileOf,
  type JobFailure,
  type JobFile,
  objectOf,
  orderOf,
  positionsOf,
  preflightOf,
  warningsOf,
} from './job-data.ts'

/** Statuses that this API writes; PHP may have stored others. */
export type JobStatus = 'pending' | 'processing' | 'completed' | 'failed'

/** Whether a job has ended. A failed one may start again with a new notification. */
export const hasEnded = (status: string | null): boolean =>
  status === ('completed' satisfies JobStatus) || status === ('failed' satisfies JobStatus)

/** The step in a row that only links a job of PHP to its order: this API has not worked on the job. */
export const linkedStep = 'linked'

/** A print job as the API returns it, with its file. */
export interface PrintJob extends JobFailure {
  id: number
  guid: string
  status: string
  /** JSON string of an object; null when it cannot be read. */
  details: string | null
  /** Sentences of the renderer about what should be checked before printing. */
  warnings: string[]
  /** Findings of the renderer, as data. */
  preflight: Record<string, unknown>[]
  /** Undefined until a file is stored. */
  file: JobFile | undefined
  /** Places of the printed pages among all pages of the design; undefined if none was left out. */
  positions: number[] | undefined
  created_at: string | null
}

export interface FoundJob {
  resource: PrintJob
  state: string
}

/** The statement that selects jobs, with the rows of the steps table; it has no row for jobs of PHP that are not linked. */
export const selectJobs = ({ t, dialect }: Database, executor: Kysely<Tables>) =>
  executor
    .selectFrom(`${t.print_jobs} as j`)
    .leftJoin(`${t.print_job_steps} as s`, 's.job_id', 'j.ID')
    .select(['j.ID', 'j.guid', 'j.status', 'j.data', 's.error'])
    .select(dialect.epoch('j.created_at').as('created'))

type JobRow = Awaited<ReturnType<ReturnType<typeof selectJobs>['execute']>>[number]

/** The job of a row, without its details, which only some statements select. */
export function jobOf(row: JobRow): Omit<PrintJob, 'details'> {
  const data = objectOf(row.data)
  return {
    id: row.ID,
    guid: row.guid,
    status: row.status ?? '',
    ...failureOf(row.error),
    file: fileOf(data),
    positions: positionsOf(data),
    warnings: warningsOf(data),
    preflight: preflightOf(data),
    created_at: isoTime(row.created),
  }
}

/** The reads of one database; `printJobsRepository` contains them. */
export function printJobReads(database: Database) {
  const { db, t, dialect } = database
  type Row = JobRow & { details?: string | null }

  /** The job of a row; null details if they cannot be read. */
  const toJob = (row: Row): PrintJob => ({
    ...jobOf(row),
    details: readStoredJson(row.details ?? null, '{}') ?? null,
  })

  function withState(row: Row): FoundJob {
    const state = stateTag(row.ID, row.guid, row.status, row.details, row.data, row.error, row.created)
    return { resource: toJob(row), state }
  }

  /** The statement that selects jobs with their details. */
  const selectWhole = (executor = db) => selectJobs(database, executor).select('j.details')

  /** The first job with this GUID; undefined if there is none. */
  async function byGuid(guid: string, executor?: Kysely<Tables>): Promise<FoundJob | undefined> {
    const rows = await selectWhole(executor).where('j.guid', '=', guid).orderBy('j.ID').execute()
    // The collation ignores case and trailing spaces.
    const row = rows.find((candidate) => candidate.guid === guid)
    return row && withState(row)
  }

  async function byId(id: number, executor?: Kysely<Tables>): Promise<FoundJob | undefined> {
    const row = await selectWhole(executor).where('j.ID', '=', id).executeTakeFirst()
    return row && withState(row)
  }

  /** The job with this GUID, otherwise with this id: old GUIDs can be all digits. */
  async function find(idOrGuid: string, executor?: Kysely<Tables>): Promise<FoundJob | undefined> {
    const job = await byGuid(idOrGuid, executor)
    if (job || !/^[1-9]\d{0,15}$/.test(idOrGuid)) return job
    return byId(Number(idOrGuid), executor)
  }

  return {
    selectWhole,
    toJob,
    byGuid,
    byId,
    find,

    /** The files of all jobs, in batches. */
    async *files(): AsyncGenerator<{ id: number; file: JobFile | undefined }[]> {
      for await (const rows of scannedRows({ db }, { table: t.print_jobs, id: 'ID', columns: ['data'] }))
        yield rows.map(({ id, data = null }) => ({ id, file: fileOf(objectOf(data)) }))
    },

    /** The ids of those jobs that are completed, failed or deleted. */
    async ended(ids: number[]): Promise<number[]> {
      const rows = await db.selectFrom(t.print_jobs).select(['ID', 'status']).where('ID', 'in', ids).execute()
      const running = new Set(rows.filter(({ status }) => !hasEnded(status)).map(({ ID }) => ID))
      return ids.filter((id) => !running.has(id))
    },

    /** The newest file by order id and item id, of linked jobs; the item 0 stands for the order itself. */
    async newestFiles(type: string, orderIds: number[]): Promise<Map<number, Map<number, JobFile>>> {
      const newest = new Map<number, Map<number, JobFile>>()
      if (orderIds.length === 0) return newest
      const completed = db
        .selectFrom(`${t.print_job_steps} as s`)
        .innerJoin(`${t.print_jobs} as j`, 'j.ID', 's.job_id')
        .select(['j.details', 'j.data'])
        .where(
          's.order_ref',
          'in',
          orderIds.map((id) => `${type}:${id}`),
        )
        .where('j.status', '=', 'completed' satisfies JobStatus)
        .orderBy('j.ID')
      // The details are read again, because PHP may have changed them since the job was linked.
      const turn = turns()
      for (const { details, data } of await completed.execute()) {
        await turn()
        const order = orderOf(objectOf(details))
        const file = fileOf(objectOf(data))
        if (order?.type !== type || file === undefined) continue
        const items = newest.get(Number(order.orderId)) ?? new Map<number, JobFile>()
        newest.set(Number(order.orderId), items.set(order.itemId, file))
      }
      return newest
    },

    /** Jobs of this export method that have not ended and that no worker has leased, oldest first, with how often each was begun. */
    async abandoned(exportMethod: string, limit: number): Promise<{ job: PrintJob; attempts: number }[]> {
      const rows = await selectWhole()
        .select('s.attempts')
        .where('j.status', 'in', ['pending', 'processing'] satisfies JobStatus[])
        .where('s.lease_until', '<=', dialect.now)
        .where('s.step', '<>', linkedStep)
        .where('j.details', 'like', `%"export_method":"${exportMethod}"%`)
        .orderBy('j.ID')
        .limit(limit)
        .execute()
      return rows.map((row) => ({ job: toJob(row), attempts: Number(row.attempts ?? 0) }))
    },
  }
}

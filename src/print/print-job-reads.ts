// Reads print jobs: rows of `svc_print_jobs`, which PHP reads and writes, too, joined with our table of steps. The JSON in a row:
// `details` name the order and the settings of its export, `data` name the file.
import type { Kysely } from 'kysely'
import { turns } from '../core/turns.ts'
import type { Database } from '../db/connect.ts'
import { stateTag } from '../db/state-tag.ts'
import { readStoredJson } from '../db/stored-json.ts'
import type { Tables } from '../db/tables.ts'
import { isoTime } from '../db/time.ts'
import { scannedRows } from '../db/unreadable.ts'
import { fromJson } from '../json/parse.ts'
import { isObject } from '../json/values.ts'

/** Statuses that this API writes; PHP may have stored others. */
export type JobStatus = 'pending' | 'processing' | 'completed' | 'failed'

/** Whether a job has ended. A failed one may start again with a new notification. */
export const hasEnded = (status: string | null): boolean =>
  status === ('completed' satisfies JobStatus) || status === ('failed' satisfies JobStatus)

/** The step in a row that only links a job of PHP to its order: this API has not worked on the job. */
export const linkedStep = 'linked'

/** A print job as the API returns it, with its file. */
export interface PrintJob {
  id: number
  guid: string
  status: string
  /** JSON string of an object; null when it cannot be read. */
  details: string | null
  error: { code: string; message: string } | null
  /** Codes of the findings for which the renderer refused the design, each once. */
  refusals: string[]
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

/** A job with its state tag. */
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

  const toJob = (row: Row): PrintJob => ({
    ...jobOf(row),
    details: readStoredJson(row.details ?? null, '{}') ?? null,
  })

  function toFound(row: Row): FoundJob {
    const state = stateTag(row.ID, row.guid, row.status, row.details, row.data, row.error, row.created)
    return { resource: toJob(row), state }
  }

  const selectWhole = (executor = db) => selectJobs(database, executor).select('j.details')

  async function byGuid(guid: string, executor?: Kysely<Tables>): Promise<FoundJob | undefined> {
    const rows = await selectWhole(executor).where('j.guid', '=', guid).orderBy('j.ID').execute()
    // The collation ignores case and trailing spaces.
    const row = rows.find((candidate) => candidate.guid === guid)
    return row && toFound(row)
  }

  async function byId(id: number, executor?: Kysely<Tables>): Promise<FoundJob | undefined> {
    const row = await selectWhole(executor).where('j.ID', '=', id).executeTakeFirst()
    return row && toFound(row)
  }

  /** A GUID wins over a numeric id: old GUIDs can be all digits. */
  async function find(idOrGuid: string, executor?: Kysely<Tables>): Promise<FoundJob | undefined> {
    const job = await byGuid(idOrGuid, executor)
    if (job || !/^[1-9]\d{0,15}$/.test(idOrGuid)) return job
    return byId(Number(idOrGuid), executor)
  }

  return {
    whole: selectWhole,
    toJob,
    byGuid,
    byId,
    find,

    /** The files of all jobs, in batches. */
    async *files(): AsyncGenerator<{ id: number; file: JobFile | undefined }[]> {
      for await (const rows of scannedRows({ db }, { table: t.print_jobs, id: 'ID', columns: ['data'] }))
        yield rows.map(({ id, data = null }) => ({ id, file: fileOf(objectOf(data)) }))
    },

    /** Which of the jobs are completed, failed or deleted. */
    async ended(ids: number[]): Promise<number[]> {
      const rows = await db.selectFrom(t.print_jobs).select(['ID', 'status']).where('ID', 'in', ids).execute()
      const open = new Set(rows.filter(({ status }) => !hasEnded(status)).map(({ ID }) => ID))
      return ids.filter((id) => !open.has(id))
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
      // Both are read, because PHP may have changed the details since the job was linked.
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

    /** Jobs of this export method that have not ended and that no worker has leased, oldest first. */
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

/** The file in the data of a job. */
export interface JobFile {
  /** A path of ours or of PHP's, a URL, or a key. */
  local_file: string
  /** Name of the remote storage; absent for files on local disk, as are `location` and `key`. */
  storage?: string
  /** What the storage needs in addition to the key, such as a bucket. */
  location?: string | null
  key?: string
}

/** The order of a job, from its details. */
export interface OrderOfJob {
  type: string
  orderId: string
  /** 0 if orders have no items. */
  itemId: number
}

/** Characters of a provider's variation, which is an id or a few; it goes into the job and to the provider. */
export const maxVariation = 64 * 1024

/** The details of a job, or another JSON object in its row. */
export type Details = Record<string, unknown>

/** The order and item of a job as the steps table stores them, so that an index finds the jobs of an order. */
export function referenceOf(details: Details | null): { order_ref: string; item_id: number } {
  const order = orderOf(details)
  return { order_ref: order ? `${order.type}:${order.orderId}` : '', item_id: order?.itemId ?? 0 }
}

/** The order in the details of a job; undefined when there is none. Jobs of PHP may omit the type, which is then wc. */
export function orderOf(details: Details | null): OrderOfJob | undefined {
  const { order_id, item_id, order_type } = details ?? {}
  const text = String(order_id ?? '')
  if (!/^[A-Za-z0-9_-]{1,40}$/.test(text)) return undefined
  const id = /^\d{1,15}$/.test(text) ? String(Number(text)) : text
  const item = Number(item_id ?? 0)
  const type = typeof order_type === 'string' && /^[a-z]{1,20}$/.test(order_type) ? order_type : 'wc'
  return { type, orderId: id, itemId: Number.isSafeInteger(item) && item > 0 ? item : 0 }
}

/** The object in a stored JSON text; null if it is empty, cannot be read or is no object. */
export function objectOf(stored: string | null | undefined): Details | null {
  const json = readStoredJson(stored ?? null, '{}')
  const value: unknown = json === undefined || !stored ? undefined : fromJson(String(json))
  return isObject(value) ? value : null
}

/** Why a job failed; the error is null where no message is stored. */
function failureOf(stored: string | null): Pick<PrintJob, 'error' | 'refusals'> {
  const { code, message, refusals } = objectOf(stored) ?? {}
  if (typeof message !== 'string') return { error: null, refusals: [] }
  return { error: { code: typeof code === 'string' ? code : '', message }, refusals: stringsIn(refusals) }
}

/** What the renderer reports about a file, which its job stores. */
export interface JobNotes {
  /** Sentences. */
  warnings: readonly string[]
  /** The same findings, as data. */
  preflight: readonly object[]
  /** Places of the printed pages among all pages of the design; absent if none was left out. */
  positions?: readonly number[]
}

function positionsOf(data: Details | null): number[] | undefined {
  const positions = data?.positions
  return Array.isArray(positions) && positions.every(Number.isSafeInteger) ? positions : undefined
}

/** The warnings in the data of a job. */
export const warningsOf = (data: Details | null): string[] => stringsIn(data?.warnings)

const stringsIn = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []

function preflightOf(data: Details | null): Details[] {
  const findings = data?.preflight
  return Array.isArray(findings) ? findings.filter((item) => typeof item?.message === 'string') : []
}

/** The file in the data of a job; undefined until one is stored. */
export function fileOf(data: Details | null): JobFile | undefined {
  const { local_file, storage, location, key } = data ?? {}
  if (typeof local_file !== 'string' || local_file === '') return undefined
  if (typeof storage !== 'string' || typeof key !== 'string') return { local_file }
  return { local_file, storage, location: typeof location === 'string' ? location : null, key }
}

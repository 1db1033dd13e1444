// The progress of each print job, and the lease of the worker that has it: rows of `svc_print_job_steps`. A lease ends by the
// database's clock; each write of a worker succeeds only while it has the lease.
import { noteChange } from '../core/change.ts'
import type { JobErrorCode } from '../core/errors.ts'
import type { Database } from '../db/connect.ts'
import { guard } from '../db/guard.ts'
import { scannedRows } from '../db/scanned-rows.ts'
import type { Written } from '../db/tables.ts'
import { type FileLocation, localLocation } from '../storage/storages.ts'
import { queueDelivery } from './delivery-queue.ts'
import { type Details, type JobFile, type JobNotes, objectOf, referenceOf, warningsOf } from './job-data.ts'
import { noteEnded } from './job-events.ts'
import { leaseWrites } from './lease-writes.ts'
import { type JobStatus, linkedStep } from './print-job-reads.ts'
import { flagOrders } from './stale-orders.ts'

/**
 * Empty: nothing is done. `downloaded`: the file is obtained and its key chosen. `stored`: the file is in the storage. `ordering` and
 * `ordered`: the order at the print provider. `completed`: the job is completed; a failed job keeps its step.
 */
type StepName = '' | 'downloaded' | 'stored' | 'ordering' | 'ordered' | 'completed'

/** How far a job is. */
export interface Step {
  step: StepName
  /** Where the file is stored or will be, from `downloaded` on. */
  file: StepFile | undefined
}

/** The file of a job in the steps table. */
export interface StepFile extends FileLocation {
  key: string
}

/** Why a job failed, as its row stores it. */
export interface JobError {
  code: JobErrorCode
  message: string
  /** Codes of the renderer's refusals, each once. */
  refusals?: string[]
}

/** The steps of one database. @param leaseSeconds after which another worker may take over a job without a sign of life */
export function printJobSteps(database: Database, leaseSeconds: number) {
  const { db, t, dialect, encoder, transaction } = database
  const table = t.print_job_steps
  // The clock counts whole seconds, so a lease of one second could end at once.
  const leases = leaseWrites(database, 'print_job_steps', Math.max(2, Math.ceil(leaseSeconds)))

  /**
   * One worker's lease of a job. Its writes return false once the lease is lost, or the job was deleted by this API; only those that
   * change the data of the job notice that PHP deleted it.
   */
  function leaseOf(jobId: number, owner: string) {
    /** Changes the row and renews the lease. @returns false if the lease is lost */
    const write = (executor: typeof db, change: Written<'print_job_steps'>) =>
      leases.write(executor, { jobId, owner }, change)

    /** Makes the index read the order again: it may have all its print files now, or no longer. */
    async function flagOrder(trx: typeof db): Promise<void> {
      const rows = trx.selectFrom(table).select('order_ref').where('job_id', '=', jobId)
      await flagOrders(database, trx, [(await rows.executeTakeFirst())?.order_ref ?? ''])
    }

    /** Changes the data of the job. @returns false if the job was deleted */
    async function changeData(trx: typeof db, change: (data: Details) => Details): Promise<boolean> {
      const rows = trx.selectFrom(t.print_jobs).select('data').where('ID', '=', jobId)
      const job = await rows.executeTakeFirst()
      if (!job) return false
      const data = encoder.json('print_jobs', 'data', 'data', change(objectOf(job.data) ?? {}))
      await trx.updateTable(t.print_jobs).set({ data }).where('ID', '=', jobId).execute()
      return true
    }

    return {
      renew: () => write(db, {}),

      /** Records that the file is obtained, and where it will be stored. */
      downloaded: ({ key, storage, location }: StepFile) =>
        write(db, { step: 'downloaded', file: key, storage, location }),

      /** Records that the file is stored, and writes it with its notes into the data of the job. */
      stored: (
        file: JobFile,
        { warnings, preflight, positions }: JobNotes = { warnings: [], preflight: [] },
      ) =>
        transaction(async (trx) => {
          if (!(await write(trx, { step: 'stored' }))) return false
          await flagOrder(trx)
          return changeData(trx, (data) => {
            // Nothing of an earlier file may remain.
            for (const name of ['storage', 'location', 'key', 'warnings', 'preflight', 'positions'])
              delete data[name]
            return {
              ...data,
              ...file,
              ...(warnings.length > 0 && { warnings }),
              ...(preflight.length > 0 && { preflight }),
              ...(positions && { positions }),
            }
          })
        }),

      /**
       * Records that this worker now orders at the provider. One job of an order does so at a time: the guard lets workers look one
       * after the other. @returns 'busy' while another job of the order does
       */
      ordering: () =>
        transaction(async (trx): Promise<boolean | 'busy'> => {
          await guard(database, trx, 'print_orders')
          const orderingJob = await trx
            .selectFrom(`${table} as mine`)
            .innerJoin(`${table} as theirs`, 'theirs.order_ref', 'mine.order_ref')
            .select('theirs.job_id')
            .where('mine.job_id', '=', jobId)
            .where('mine.order_ref', '<>', '')
            .where('theirs.job_id', '<>', jobId)
            .where('theirs.step', '=', 'ordering')
            .where('theirs.lease_until', '>', dialect.now)
            .executeTakeFirst()
          return orderingJob ? 'busy' : write(trx, { step: 'ordering' })
        }),

      /** Records that the provider has the order; `notes` become warnings of the job. */
      ordered: (provider_order: string, notes: readonly string[] = []) => {
        const change = { step: 'ordered', provider_order }
        if (notes.length === 0) return write(db, change)
        return transaction(async (trx) => {
          if (!(await write(trx, change))) return false
          return changeData(trx, (data) => ({
            ...data,
            warnings: [...new Set([...warningsOf(data), ...notes])],
          }))
        })
      },

      /** Sets the job's status, with the error if it failed, and ends the lease. `isToDeliver`: whether to queue the delivery of its file. */
      finish: (
        status: Extract<JobStatus, 'completed' | 'failed'>,
        { error, isToDeliver = false }: { error?: JobError; isToDeliver?: boolean } = {},
      ) =>
        transaction(async (trx) => {
          const change = { lease_owner: '', lease_until: 0, error: error ? JSON.stringify(error) : null }
          // The step of a failed job stays: a new notification may resume it.
          if (!(await write(trx, status === 'completed' ? { ...change, step: status } : change))) return false
          const job = trx.updateTable(t.print_jobs).set({ status }).where('ID', '=', jobId)
          await job.execute()
          await flagOrder(trx)
          if (isToDeliver) await queueDelivery(database, trx, jobId)
          noteChange(trx, { resource: 'print_job', action: 'updated', id: jobId })
          await noteEnded(database, trx, jobId, status)
          return true
        }),

      /** Ends the lease, so that the next worker need not wait. The job shows the error, or without one the error until now. */
      async release(error?: JobError) {
        await write(db, { lease_owner: '', lease_until: 0, ...(error && { error: JSON.stringify(error) }) })
      },

      /** Renews the lease and lets it expire, which is the pause before another worker tries; the job shows the error. */
      async letExpire(error?: JobError) {
        await write(db, error ? { error: JSON.stringify(error) } : {})
      },
    }
  }

  return {
    /** Deletes the row of a job that PHP deleted meanwhile. */
    async forget(jobId: number): Promise<void> {
      await db.deleteFrom(table).where('job_id', '=', jobId).execute()
    },

    /** The files that are stored for jobs or will be, a page of rows at a time, for the check of files against rows. */
    async *files(): AsyncGenerator<StepFile[]> {
      const files = { table, id: 'job_id', columns: ['file', 'storage', 'location'] }
      for await (const rows of scannedRows({ db }, files))
        yield rows
          .map(({ file, storage, location }) => fileOfStep({ file, storage, location }))
          .filter((file) => file !== undefined)
    },

    /** The file that is stored for this job or will be; undefined if none is chosen. */
    async fileOf(jobId: number): Promise<StepFile | undefined> {
      const query = db.selectFrom(table).select(['file', 'storage', 'location']).where('job_id', '=', jobId)
      return fileOfStep(await query.executeTakeFirst())
    },

    /**
     * Leases a job for a worker, reads its step, and links the job to the order in its details. A job that was only linked begins with
     * the first step.
     * @param owner a random id of the lease
     * @returns undefined while another worker has the job
     */
    async claim(job: { id: number; details: string | null }, owner: string) {
      const reference = referenceOf(objectOf(job.details))
      const isLeased = await transaction(async (trx) => {
        const rows = trx.selectFrom(table).select('job_id').where('job_id', '=', job.id)
        if (!(await rows.executeTakeFirst())) {
          try {
            const row = { job_id: job.id, ...reference }
            await trx.insertInto(table).values(row).execute()
          } catch (error) {
            // Another worker was faster and has the lease now.
            if (!dialect.isUnique(error)) throw error
          }
        }
        const { numUpdatedRows } = await trx
          .updateTable(table)
          .set(({ eb }) => ({
            lease_owner: owner,
            lease_until: leases.until,
            attempts: eb('attempts', '+', 1),
            step: eb.case().when('step', '=', linkedStep).then('').else(eb.ref('step')).end(),
            ...reference,
          }))
          .where('job_id', '=', job.id)
          .where('lease_until', '<=', dialect.now)
          .executeTakeFirst()
        return numUpdatedRows > 0n
      })
      if (!isLeased) return undefined
      const row = await db
        .selectFrom(table)
        .select(['step', 'file', 'storage', 'location'])
        .where('job_id', '=', job.id)
        .where('lease_owner', '=', owner)
        .executeTakeFirst()
      if (!row) return undefined
      const step: Step = { step: row.step as StepName, file: fileOfStep(row) }
      return { lease: leaseOf(job.id, owner), step }
    },
  }
}

export type PrintJobSteps = ReturnType<typeof printJobSteps>
export type Lease = NonNullable<Awaited<ReturnType<PrintJobSteps['claim']>>>['lease']

/** The file in a row of the steps table; undefined if none is chosen. */
export const fileOfStep = (
  row: Record<'file' | 'storage' | 'location', string | null | undefined> | undefined,
): StepFile | undefined =>
  row?.file == null
    ? undefined
    : { key: row.file, storage: row.storage ?? localLocation.storage, location: row.location ?? null }

/** Whether both are the same file in the same storage, or both undefined. */
export const isSameFile = (a: StepFile | undefined, b: StepFile | undefined) =>
  a?.key === b?.key && a?.storage === b?.storage && a?.location === b?.location

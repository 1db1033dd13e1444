// The progress of each print job and who works on it: leases on the database's clock, by compare-and-swap.
import { noteChange } from '../core/change.ts'
import type { JobErrorCode } from '../core/errors.ts'
import type { Database } from '../db/connect.ts'
import { guard } from '../db/guard.ts'
import type { Written } from '../db/tables.ts'
import { scannedRows } from '../db/unreadable.ts'
import { type FileLocation, localLocation } from '../storage/storages.ts'
import { noteEnded } from './job-events.ts'
import { leaseWrites } from './lease-writes.ts'
import {
  type Details,
  type JobFile,
  type JobNotes,
  type JobStatus,
  linkedStep,
  objectOf,
  referenceOf,
  warningsOf,
} from './print-job-reads.ts'
import { flagOrders } from './stale-orders.ts'

/** '' = nothing is done; downloaded = the key of the file is chosen; then stored, ordering, ordered, completed. */
type StepName = '' | 'downloaded' | 'stored' | 'ordering' | 'ordered' | 'completed'

export interface Step {
  step: StepName
  /** Where the file is stored or will be, from `downloaded` on. */
  file: StepFile | undefined
}

/** The file of a job in the steps table. */
export interface StepFile extends FileLocation {
  key: string
}

/** Why a job failed, as its row keeps it. */
export interface JobError {
  code: JobErrorCode
  message: string
  /** Codes of the renderer's refusals, each once. */
  refusals?: string[]
}

export function printJobSteps(database: Database, leaseSeconds: number) {
  const { db, t, dialect, encoder, transaction } = database
  const table = t.print_job_steps
  // The clock counts whole seconds, so a lease of one second could end at once.
  const leases = leaseWrites(database, 'print_job_steps', Math.max(2, Math.ceil(leaseSeconds)))

  /** In the transaction that completes the job, so that no crash loses it. */
  async function deliverLater(trx: typeof db, jobId: number): Promise<void> {
    const insert = trx.insertInto(t.print_deliveries).values({ job_id: jobId })
    await (dialect.name === 'mysql' ? insert.ignore() : insert.orIgnore()).execute()
  }

  /** One worker's lease of a job. Its writes return false once the lease is lost or the job is deleted. */
  function leaseOf(jobId: number, owner: string) {
    const write = (executor: typeof db, change: Written<'print_job_steps'>) =>
      leases.write(executor, { jobId, owner }, change)

    /** The order may have all its print files now, or not any more. */
    async function markOrder(trx: typeof db): Promise<void> {
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

      /** The download is complete; the file is where it will be stored. */
      downloaded: ({ key, storage, location }: StepFile) =>
        write(db, { step: 'downloaded', file: key, storage, location }),

      /** The file is in the storage; the job's row now says where. */
      stored: (
        file: JobFile,
        { warnings, preflight, positions }: JobNotes = { warnings: [], preflight: [] },
      ) =>
        transaction(async (trx) => {
          if (!(await write(trx, { step: 'stored' }))) return false
          await markOrder(trx)
          return changeData(trx, (others) => {
            // Nothing of an earlier file may remain.
            for (const name of ['storage', 'location', 'key', 'warnings', 'preflight', 'positions'])
              delete others[name]
            return {
              ...others,
              ...file,
              ...(warnings.length > 0 && { warnings }),
              ...(preflight.length > 0 && { preflight }),
              ...(positions && { positions }),
            }
          })
        }),

      /** Admits one job per order to the provider at a time; 'busy' while another job of the same order is there. */
      ordering: () =>
        transaction(async (trx): Promise<boolean | 'busy'> => {
          await guard(database, trx, 'print_orders')
          const other = await trx
            .selectFrom(`${table} as mine`)
            .innerJoin(`${table} as theirs`, 'theirs.order_ref', 'mine.order_ref')
            .select('theirs.job_id')
            .where('mine.job_id', '=', jobId)
            .where('mine.order_ref', '<>', '')
            .where('theirs.job_id', '<>', jobId)
            .where('theirs.step', '=', 'ordering')
            .where('theirs.lease_until', '>', dialect.now)
            .executeTakeFirst()
          return other ? 'busy' : write(trx, { step: 'ordering' })
        }),

      /** The provider has the order; `notes` become warnings of the job. */
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

      /** Sets the job's status, with the error if it failed, and releases the lease; `isDelivered` asks for a copy of the file. */
      finish: (
        status: Extract<JobStatus, 'completed' | 'failed'>,
        { error, isDelivered = false }: { error?: JobError; isDelivered?: boolean } = {},
      ) =>
        transaction(async (trx) => {
          const change = { lease_owner: '', lease_until: 0, error: error ? JSON.stringify(error) : null }
          // A failed job keeps its step: a new notification may resume it.
          if (!(await write(trx, status === 'completed' ? { ...change, step: status } : change))) return false
          const job = trx.updateTable(t.print_jobs).set({ status }).where('ID', '=', jobId)
          await job.execute()
          await markOrder(trx)
          if (isDelivered) await deliverLater(trx, jobId)
          noteChange({ resource: 'print_job', action: 'updated', id: jobId })
          await noteEnded(database, trx, jobId, status)
          return true
        }),

      /** Releases the lease, so that the next worker need not wait; `error` stays visible. */
      async release(error?: JobError) {
        await write(db, { lease_owner: '', lease_until: 0, ...(error && { error: JSON.stringify(error) }) })
      },

      /** Keeps the lease until it expires. */
      async letExpire(error?: JobError) {
        await write(db, error ? { error: JSON.stringify(error) } : {})
      },
    }
  }

  return {
    /** Deletes the row of a job that was deleted meanwhile. */
    async forget(jobId: number): Promise<void> {
      await db.deleteFrom(table).where('job_id', '=', jobId).execute()
    },

    /** The files that jobs have, or are to have; some at a time. */
    async *files(): AsyncGenerator<StepFile[]> {
      const files = { table, id: 'job_id', columns: ['file', 'storage', 'location'] }
      for await (const rows of scannedRows({ db }, files))
        yield rows
          .map(({ file, storage, location }) => fileOfStep({ file, storage, location }))
          .filter((file) => file !== undefined)
    },

    /** The file that this job has, or is to have. */
    async fileOf(jobId: number): Promise<StepFile | undefined> {
      const query = db.selectFrom(table).select(['file', 'storage', 'location']).where('job_id', '=', jobId)
      return fileOfStep(await query.executeTakeFirst())
    },

    /** Leases the job; undefined while another worker has it. */
    async claim(job: { id: number; details: string | null }, owner: string) {
      const reference = referenceOf(objectOf(job.details))
      const taken = await transaction(async (trx) => {
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
      if (!taken) return undefined
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

export const isSameFile = (file: StepFile | undefined, other: StepFile | undefined) =>
  file?.key === other?.key && file?.storage === other?.storage && file?.location === other?.location

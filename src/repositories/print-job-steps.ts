// How far the work on each print job has come, and who is at it: leases on the database's clock, by compare-and-swap.
import { sql, type Updateable } from 'kysely'
import type { Database } from '../db/connect.ts'
import { guard } from '../db/guard.ts'
import type { Tables } from '../db/tables.ts'
import { type JobStatus, objectOf, referenceOf } from './print-jobs.ts'

/** '' nothing is done; downloaded: the key of the file is chosen; stored; ordering; ordered; completed. */
export type StepName = '' | 'downloaded' | 'stored' | 'ordering' | 'ordered' | 'completed'

export interface Step {
  step: StepName
  /** Storage key of the file; from `downloaded` on. */
  file: string | undefined
}

/** One worker's hold on a job; everything it writes fails (false) once the hold is lost or the job is gone. */
export interface Lease {
  renew(): Promise<boolean>
  /** The file is whole on this machine and will be stored under this key. */
  downloaded(file: string): Promise<boolean>
  /** The file is in the storage; `localFile` is what PHP reads. */
  stored(localFile: string, warnings?: readonly string[] | undefined): Promise<boolean>
  /** Takes the turn at the provider for this order; 'busy' while another job of the same order has it. */
  ordering(): Promise<boolean | 'busy'>
  ordered(providerOrder: string): Promise<boolean>
  /** Sets the job's status, with the reason where it failed, and lets go. */
  finish(status: Extract<JobStatus, 'completed' | 'failed'>, error?: JobError): Promise<boolean>
  /** Lets go, so that the next one need not wait; `error` stays to be seen. */
  release(error?: JobError): Promise<void>
}

export interface JobError {
  code: string
  message: string
}

export function printJobSteps(database: Database, leaseSeconds: number) {
  const { db, t, dialect, columns, transaction } = database
  const table = t.print_job_steps
  // At least a second beyond the running one, which the clock does not divide.
  const until = sql<number>`${dialect.now} + ${Math.max(2, Math.ceil(leaseSeconds))}`

  function lease(jobId: number, owner: string): Lease {
    /** Each write prolongs the hold. */
    async function write(
      executor: typeof db,
      change: Updateable<Tables['print_job_steps']>,
    ): Promise<boolean> {
      const { numUpdatedRows } = await executor
        .updateTable(table)
        .set({ lease_until: until, ...change })
        .where('job_id', '=', jobId)
        .where('lease_owner', '=', owner)
        .executeTakeFirst()
      if (numUpdatedRows > 0n) return true
      // A pool of the host may count only rows that were changed, and within one second nothing may have.
      const mine = executor.selectFrom(table).select('job_id').where('job_id', '=', jobId)
      return (await mine.where('lease_owner', '=', owner).executeTakeFirst()) !== undefined
    }

    return {
      renew: () => write(db, {}),
      downloaded: (file) => write(db, { step: 'downloaded', file }),

      stored: (localFile, warnings = []) =>
        transaction(async (trx) => {
          if (!(await write(trx, { step: 'stored' }))) return false
          const job = await trx
            .selectFrom(t.print_jobs)
            .select('data')
            .where('ID', '=', jobId)
            .executeTakeFirst()
          if (!job) return false
          const { warnings: _earlier, ...known } = { ...objectOf(job.data) }
          const data = { ...known, local_file: localFile, ...(warnings.length > 0 && { warnings }) }
          const text = columns.json('print_jobs', 'data', 'data', data)
          await trx.updateTable(t.print_jobs).set({ data: text }).where('ID', '=', jobId).execute()
          return true
        }),

      ordering: () =>
        transaction(async (trx) => {
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

      ordered: (provider_order) => write(db, { step: 'ordered', provider_order }),

      finish: (status, error) =>
        transaction(async (trx) => {
          const change = { lease_owner: '', lease_until: 0, error: error ? JSON.stringify(error) : null }
          // A failed job keeps its step, and may be notified again.
          if (!(await write(trx, status === 'completed' ? { ...change, step: status } : change))) return false
          const job = trx.updateTable(t.print_jobs).set({ status }).where('ID', '=', jobId)
          await job.execute()
          return true
        }),

      async release(error) {
        await write(db, { lease_owner: '', lease_until: 0, ...(error && { error: JSON.stringify(error) }) })
      },
    }
  }

  return {
    /** Removes what a job that was deleted meanwhile has left here. */
    async forget(jobId: number): Promise<void> {
      await db.deleteFrom(table).where('job_id', '=', jobId).execute()
    },

    /** The key of the file that this job has, or is to have. */
    async fileOf(jobId: number): Promise<string | undefined> {
      const row = await db.selectFrom(table).select('file').where('job_id', '=', jobId).executeTakeFirst()
      return row?.file ?? undefined
    },

    /** Takes the job when nobody holds it; undefined while somebody does. */
    async claim(
      job: { id: number; details: string | null },
      owner: string,
    ): Promise<{ lease: Lease; step: Step } | undefined> {
      const reference = referenceOf(job.details)
      const taken = await transaction(async (trx) => {
        const row = await trx
          .selectFrom(table)
          .select('job_id')
          .where('job_id', '=', job.id)
          .executeTakeFirst()
        if (!row) {
          try {
            await trx
              .insertInto(table)
              .values({ job_id: job.id, ...reference })
              .execute()
          } catch (error) {
            // Another one came first, and has it now.
            if (!dialect.isUnique(error)) throw error
          }
        }
        const { numUpdatedRows } = await trx
          .updateTable(table)
          .set(({ eb }) => ({
            lease_owner: owner,
            lease_until: until,
            attempts: eb('attempts', '+', 1),
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
        .select(['step', 'file'])
        .where('job_id', '=', job.id)
        .where('lease_owner', '=', owner)
        .executeTakeFirst()
      if (!row) return undefined
      return {
        lease: lease(job.id, owner),
        step: { step: row.step as StepName, file: row.file ?? undefined },
      }
    },
  }
}

export type PrintJobSteps = ReturnType<typeof printJobSteps>

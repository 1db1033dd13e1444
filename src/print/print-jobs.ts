// Print jobs: rows of `svc_print_jobs`, which PHP reads and writes, too. Each has a row in our table of steps; those of PHP get one
// when they are linked.
import { randomUUID } from 'node:crypto'
import { noteChange } from '../core/change.ts'
import type { Check } from '../core/resource.ts'
import type { Database } from '../db/connect.ts'
import { guard } from '../db/guard.ts'
import { insertedId, resourceWrites } from '../db/repository.ts'
import { currentTime } from '../db/time.ts'
import type { WriteTransaction } from '../db/transaction.ts'
import type { ExportOrder } from './export-request.ts'
import { type Details, objectOf, referenceOf } from './job-data.ts'
import { noteEnded } from './job-events.ts'
import { jobLinks } from './job-links.ts'
import { deleteJobRows } from './job-rows.ts'
import { type JobStatus, linkedStep, type PrintJob, printJobReads } from './print-job-reads.ts'
import type { JobError } from './print-job-steps.ts'
import { flagOrders } from './stale-orders.ts'

/** Reads and writes the print jobs of one database. */
export function printJobsRepository(database: Database) {
  const { t, encoder, transaction } = database
  const reads = printJobReads(database)
  const { selectWhole, byId, find } = reads
  const { remove } = resourceWrites({
    resource: 'print_job',
    find: (ref: string | number, executor) =>
      typeof ref === 'number' ? byId(ref, executor) : find(ref, executor),
    transaction,
  })
  const jsonOf = (details: Details) => encoder.json('print_jobs', 'details', 'details', details)

  const { follow } = jobLinks(database)

  return {
    ...reads,

    /** As `printJobReads` has it, after jobs of PHP are linked. @throws SvcError 503 as `follow` of job-links.ts does */
    async newestFiles(...order: Parameters<typeof reads.newestFiles>) {
      await follow()
      return reads.newestFiles(...order)
    },

    /** Creates a pending job with a GUID that cannot be guessed. */
    create(details: Details): Promise<{ id: number; guid: string }> {
      return transaction((trx) => insert(trx, details))
    },

    /** Deletes the rows of the job, and returns its id; undefined when there is no such job. */
    remove: (idOrGuid: string, check?: Check) =>
      remove(idOrGuid, check, async (trx, { resource: { id, details } }) => {
        await flagOrders(database, trx, [referenceOf(objectOf(details)).order_ref])
        await deleteJobRows(database, trx, [id])
      }),

    /**
     * The job with exactly these details in one of these statuses, or else a new one: a repeated export makes no second file. Jobs of
     * PHP that this API has not worked on do not count. The guard lets calls follow each other, and keeps the order from being erased
     * meanwhile.
     * @param statuses of a job that this call may take over, because no process makes its file, or a lease decides which one does
     * @param order its `check` runs first, its `onJobTaken` last, with the id of the job, found or new; if one throws, there is no job
     */
    takeOrCreate(
      details: Details,
      statuses: JobStatus[],
      { check, onJobTaken }: Pick<ExportOrder, 'check' | 'onJobTaken'> = {},
    ): Promise<PrintJob> {
      return transaction(async (trx) => {
        await guard(database, trx, 'print_orders')
        await check?.(trx)
        const { order_ref, item_id } = referenceOf(details)
        const unfinished = await selectWhole(trx)
          .where('s.order_ref', '=', order_ref)
          .where('s.item_id', '=', item_id)
          .where('s.step', '<>', linkedStep)
          .where('j.status', 'in', statuses)
          .execute()
        const json = jsonOf(details)
        const sameJob = unfinished.find((row) => row.details === json)
        const id = sameJob?.ID ?? (await insert(trx, details)).id
        await onJobTaken?.(trx, id)
        const job = await byId(id, trx)
        if (!job) throw new Error('A print job disappeared while it was created.')
        return job.resource
      })
    },

    /**
     * Sets the next status of a job that is still pending, with the error if it failed.
     * @returns the job, and whether it has moved: not if it was no longer pending; undefined when it is deleted
     */
    moveFromPending(id: number, status: JobStatus, error?: JobError) {
      return transaction(async (trx) => {
        const { numUpdatedRows } = await trx
          .updateTable(t.print_jobs)
          .set({ status })
          .where('ID', '=', id)
          .where('status', '=', 'pending' satisfies JobStatus)
          .executeTakeFirst()
        const hasMoved = numUpdatedRows > 0n
        if (hasMoved) noteChange(trx, { resource: 'print_job', action: 'updated', id })
        if (hasMoved && status === 'failed') await noteEnded(database, trx, id, status)
        if (hasMoved && error) {
          const json = JSON.stringify(error)
          await trx.updateTable(t.print_job_steps).set({ error: json }).where('job_id', '=', id).execute()
        }
        const job = await byId(id, trx)
        return job && { resource: job.resource, hasMoved }
      })
    },
  }

  /** Inserts a pending job with its row in the table of steps. */
  async function insert(trx: WriteTransaction, details: Details): Promise<{ id: number; guid: string }> {
    const guid = randomUUID()
    const row = { guid, details: jsonOf(details), data: null, status: 'pending' satisfies JobStatus }
    const id = await insertedId(trx.insertInto(t.print_jobs).values({ ...row, created_at: currentTime }))
    await trx
      .insertInto(t.print_job_steps)
      .values({ job_id: id, ...referenceOf(details) })
      .execute()
    noteChange(trx, { resource: 'print_job', action: 'created', id })
    return { id, guid }
  }
}

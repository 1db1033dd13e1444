// Print jobs for the desk: the newest of each order, the history of an order, the queue, and cancelling.
import { type SelectQueryBuilder, sql } from 'kysely'
import { noteChange } from '../core/change.ts'
import { mapInTurns } from '../core/turns.ts'
import type { Database } from '../db/connect.ts'
import { type OrderOfJob, objectOf, orderOf } from './job-data.ts'
import { noteEnded } from './job-events.ts'
import { jobLinks } from './job-links.ts'
import { hasEnded, type JobStatus, jobOf, linkedStep, type PrintJob, selectJobs } from './print-job-reads.ts'
import type { JobError } from './print-job-steps.ts'

/** A print job as the desk shows it. */
export interface JobView extends Omit<PrintJob, 'details'> {
  /** The step in the steps table; '' before the first, and for jobs of PHP that this API has not worked on. */
  step: string
  /** Whether a worker holds the lease of the job now. */
  isRunning: boolean
  attempts: number
  /** Undefined if the details name no order. */
  order: OrderOfJob | undefined
  /** The details of the job, which contain the settings of its export; empty if they cannot be read. */
  exportSettings: Record<string, unknown>
}

export interface OrderKey {
  type: string
  id: number
}

/** Maximum jobs of the history of an order, and of each list of the queue. */
const maxJobs = 200

/** Among so many of the newest failed jobs, the queue finds those that no newer job has replaced. */
const maxFailures = 2000

/** The jobs of one database. */
export function jobOverview(database: Database) {
  const { db, t, dialect, transaction } = database

  const select = () =>
    selectJobs(database, db)
      .select(['j.details', 's.step', 's.attempts'])
      .select(sql<number>`case when s.lease_until > ${dialect.now} then 1 else 0 end`.as('held'))
  type Query = ReturnType<typeof select>
  type Row = Query extends SelectQueryBuilder<infer _DB, infer _TB, infer O> ? O : never

  const viewOf = (row: Row): JobView => {
    const details = objectOf(row.details)
    return {
      ...jobOf(row),
      step: row.step === linkedStep ? '' : (row.step ?? ''),
      isRunning: Number(row.held) === 1,
      attempts: Number(row.attempts ?? 0),
      order: orderOf(details),
      exportSettings: details ?? {},
    }
  }
  const viewsOf = async (query: Query) => mapInTurns(await query.execute(), viewOf)

  const refOf = ({ type, id }: OrderKey) => `${type}:${id}`

  /** Links new jobs of PHP to their orders, before jobs are searched by order. */
  const { follow } = jobLinks(database)

  /** SQL: whether there is a newer job for the same item. It joins the jobs, because PHP deletes a job without its row in our table. */
  const isReplaced = () =>
    sql<boolean>`exists (select 1 from ${sql.table(t.print_job_steps)} as n
      inner join ${sql.table(t.print_jobs)} as newer on newer.ID = n.job_id
      where n.order_ref = s.order_ref and n.item_id = s.item_id and n.job_id > s.job_id and s.order_ref <> '')`

  /** The newest jobs with one of these statuses. */
  const byStatus = (...status: JobStatus[]) =>
    select().where('j.status', 'in', status).orderBy('j.ID', 'desc').limit(maxJobs)

  /** The newest failures without a newer job for the same item. Only the `maxFailures` newest failures are searched. */
  function failures() {
    const newest = db
      .selectFrom(`${t.print_jobs} as p`)
      .select('p.ID')
      .where('p.status', '=', 'failed' satisfies JobStatus)
      .orderBy('p.ID', 'desc')
      .limit(maxFailures)
    // The join adds no column, so the statement still returns the rows of `select`.
    const joined = byStatus('failed').innerJoin(newest.as('newest'), 'newest.ID', 'j.ID') as unknown as Query
    return joined.where(({ not }) => not(isReplaced()))
  }

  return {
    /**
     * The newest job of each order and item, by `type:order:item`; the item 0 stands for the order itself.
     * @param options.status the newest with this status instead
     */
    async newest(
      orders: readonly OrderKey[],
      { status }: { status?: JobStatus } = {},
    ): Promise<Map<string, JobView>> {
      if (orders.length === 0) return new Map()
      await follow()
      const refs = new Set(orders.map(refOf))
      const lastIds = db
        .selectFrom(`${t.print_job_steps} as l`)
        .innerJoin(`${t.print_jobs} as p`, 'p.ID', 'l.job_id')
        .select((eb) => eb.fn.max('p.ID').as('last'))
        .where('l.order_ref', 'in', [...refs])
        .$if(status !== undefined, (query) => query.where('p.status', '=', status ?? null))
        .groupBy(['l.order_ref', 'l.item_id'])
      // The join adds no column, so the statement still returns the rows of `select`.
      const newest = select().innerJoin(lastIds.as('newest'), 'newest.last', 'j.ID') as unknown as Query
      const jobs = await viewsOf(newest.orderBy('j.ID'))
      // PHP may have changed the order in the details after the job was linked.
      const ofOrders = jobs.filter(({ order }) => order && refs.has(`${order.type}:${order.orderId}`))
      return new Map(ofOrders.map((job) => [jobKey(job.order), job]))
    },

    /** The newest `maxJobs` jobs of an order, newest first. */
    async history(order: OrderKey): Promise<JobView[]> {
      await follow()
      const linked = select().where('s.order_ref', '=', refOf(order)).orderBy('j.ID', 'desc').limit(maxJobs)
      const jobs = await viewsOf(linked)
      return jobs.filter((job) => job.order?.type === order.type && job.order.orderId === String(order.id))
    },

    /**
     * Jobs that wait, oldest first; jobs that run, that failed and have no newer job for the same item, and the 20 newest completed
     * ones, newest first. Those that wait and run are among the `maxJobs` newest that have not ended.
     */
    async queue() {
      await follow()
      const [open, failed, finished] = await Promise.all([
        viewsOf(byStatus('pending', 'processing')),
        viewsOf(failures()),
        viewsOf(byStatus('completed').limit(20)),
      ])
      return {
        waiting: open.filter(({ isRunning }) => !isRunning).reverse(),
        running: open.filter(({ isRunning }) => isRunning),
        failed,
        finished,
      }
    },

    /** A text that changes whenever one of the `maxJobs` newest jobs changes, for pages that show jobs as they change. */
    async signature(): Promise<string> {
      const last = db.selectFrom(`${t.print_jobs} as p`).select('p.ID').orderBy('p.ID', 'desc').limit(maxJobs)
      const rows = await db
        .selectFrom(`${t.print_jobs} as j`)
        .innerJoin(last.as('last'), 'last.ID', 'j.ID')
        .leftJoin(`${t.print_job_steps} as s`, 's.job_id', 'j.ID')
        .select(['j.ID', 'j.status', 's.step', 's.attempts'])
        .select(sql<number>`case when s.lease_until > ${dialect.now} then 1 else 0 end`.as('held'))
        .orderBy('j.ID', 'desc')
        .execute()
      return rows
        .map(({ ID, status, step, attempts, held }) => [ID, status, step, attempts, held].join())
        .join(';')
    },

    /** The job; undefined when there is none. */
    async find(guid: string): Promise<JobView | undefined> {
      // The collation ignores case and trailing spaces.
      return (await viewsOf(select().where('j.guid', '=', guid))).find((job) => job.guid === guid)
    },

    /**
     * Ends a job that has not ended: it fails with this error, and its worker loses the lease.
     * @returns false if there is no such job, or it has ended
     */
    cancel(guid: string, error: JobError): Promise<boolean> {
      return transaction(async (trx) => {
        const job = await trx
          .selectFrom(t.print_jobs)
          .select(['ID', 'guid', 'status'])
          .where('guid', '=', guid)
          .executeTakeFirst()
        if (!job || job.guid !== guid || hasEnded(job.status)) return false
        const steps = trx.updateTable(t.print_job_steps).where('job_id', '=', job.ID)
        // The lease goes first: its worker locks this row first, too, and finishes the job only with its lease.
        await steps.set({ lease_owner: '', lease_until: 0 }).execute()
        const { numUpdatedRows } = await trx
          .updateTable(t.print_jobs)
          .set({ status: 'failed' satisfies JobStatus })
          .where('ID', '=', job.ID)
          .where('status', 'in', ['pending', 'processing'] satisfies JobStatus[])
          .executeTakeFirst()
        if (numUpdatedRows === 0n) return false
        await steps.set({ error: JSON.stringify(error) }).execute()
        noteChange(trx, { resource: 'print_job', action: 'updated', id: job.ID })
        await noteEnded(database, trx, job.ID, 'failed')
        return true
      })
    },
  }
}

/** The key of the newest job of an item in the map of `newest`. */
export const jobKey = (order: OrderOfJob | undefined): string =>
  order ? `${order.type}:${order.orderId}:${order.itemId}` : ''

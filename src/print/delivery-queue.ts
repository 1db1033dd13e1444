// The deliveries of print files that are due, under way or failed: rows of `svc_print_deliveries`, leased to one process each.
import { type Kysely, sql } from 'kysely'
import type { Database } from '../db/connect.ts'
import { guard } from '../db/guard.ts'
import type { Tables } from '../db/tables.ts'
import { leaseWrites } from './lease-writes.ts'

/** A row that this process may deliver. */
export interface Delivery {
  jobId: number
  attempts: number
  /** The name that an earlier attempt chose once its temporary file was whole; '' before. */
  path: string
}

/** A delivery as pages show it. */
export interface DeliveryView {
  state: 'pending' | 'delivered' | 'failed'
  attempts: number
  /** Below the folder for deliveries. */
  path: string
  error: string
}

/** Seconds between the attempts for one file: about a day in total. */
const pauses = [5, 15, 60, 300, 900, 1800, ...Array.from({ length: 23 }, () => 3600)]
/** Seconds of a lease, which is renewed. */
export const leaseSeconds = 20
const maxError = 250

export function deliveryQueue(database: Database) {
  const { db, t, dialect, transaction } = database
  const table = t.print_deliveries
  const { until, write: writeLeased } = leaseWrites(database, 'print_deliveries', leaseSeconds)

  /** @returns false once the lease is lost */
  const write = (executor: Kysely<Tables>, { jobId }: Delivery, owner: string, change: object) =>
    writeLeased(executor, { jobId, owner }, change)

  const released = { lease_owner: '', lease_until: 0 }

  return {
    /** Leases the delivery that is due first; undefined if none is. */
    async claim(owner: string): Promise<Delivery | undefined> {
      const due = await db
        .selectFrom(table)
        .select('job_id')
        .where('state', '=', 'pending')
        .where('next_at', '<=', dialect.now)
        .where('lease_until', '<=', dialect.now)
        .orderBy('next_at')
        .orderBy('job_id')
        .limit(10)
        .execute()
      for (const { job_id } of due) {
        await db
          .updateTable(table)
          .set({ lease_owner: owner, lease_until: until })
          .where('job_id', '=', job_id)
          .where('state', '=', 'pending')
          .where('lease_until', '<=', dialect.now)
          .execute()
        const row = await db
          .selectFrom(table)
          .select(['attempts', 'path'])
          .where('job_id', '=', job_id)
          .where('lease_owner', '=', owner)
          .executeTakeFirst()
        if (row) return { jobId: job_id, attempts: Number(row.attempts), path: row.path ?? '' }
      }
      return undefined
    },

    renew: (delivery: Delivery, owner: string) => write(db, delivery, owner, {}),

    /**
     * Records the name of the file before it gets it.
     * @param choose the path, with regard to those that other processes are about to use
     * @returns undefined once the lease is lost
     */
    recordPath(
      delivery: Delivery,
      owner: string,
      choose: (others: string[]) => string,
    ): Promise<string | undefined> {
      return transaction(async (trx) => {
        await guard(database, trx, 'print_orders')
        const rows = await trx
          .selectFrom(table)
          .select(['job_id', 'path'])
          .where('state', '=', 'pending')
          .where('lease_until', '>', dialect.now)
          .execute()
        const others = rows.flatMap(({ job_id, path }) => (path && job_id !== delivery.jobId ? [path] : []))
        const path = choose(others)
        return (await write(trx, delivery, owner, { path })) ? path : undefined
      })
    },

    delivered: (delivery: Delivery, owner: string) =>
      write(db, delivery, owner, { ...released, state: 'delivered', error: '' }),

    /** Tries again later, or gives up after a day. @returns whether it gave up */
    async failed(delivery: Delivery, owner: string, message: string): Promise<boolean> {
      const pause = pauses[delivery.attempts]
      await write(db, delivery, owner, {
        ...released,
        attempts: delivery.attempts + 1,
        error: message.slice(0, maxError),
        ...(pause === undefined ? { state: 'failed' } : { next_at: sql<number>`${dialect.now} + ${pause}` }),
      })
      return pause === undefined
    },

    /** For the next process, which need not wait. */
    release: (delivery: Delivery, owner: string) => write(db, delivery, owner, released),

    /** Forgets the delivery of a job that is gone. */
    async forget({ jobId }: Pick<Delivery, 'jobId'>): Promise<void> {
      await db.deleteFrom(table).where('job_id', '=', jobId).execute()
    },

    /** Tries again at once. @returns false if there is nothing to deliver any more */
    async retryNow(jobId: number): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable(table)
        .set({ state: 'pending', next_at: 0, attempts: 0 })
        .where('job_id', '=', jobId)
        .where('state', '<>', 'delivered')
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },

    /** By the ids of jobs. */
    async byJobs(jobIds: readonly number[]): Promise<Map<number, DeliveryView>> {
      if (jobIds.length === 0) return new Map()
      const rows = await db.selectFrom(table).selectAll().where('job_id', 'in', jobIds).execute()
      return new Map(
        rows.map(({ job_id, state, attempts, path, error }) => [
          job_id,
          { state: state as DeliveryView['state'], attempts: Number(attempts), path: path ?? '', error },
        ]),
      )
    },

    /** How many files wait, of how many the last attempt failed, and how many were given up, with the newest reason. */
    async counts() {
      const open = await db
        .selectFrom(table)
        .select((eb) => ['state', eb.fn.countAll().as('count')])
        .select(sql<number>`sum(case when attempts > 0 then 1 else 0 end)`.as('failing'))
        .where('state', 'in', ['pending', 'failed'])
        .groupBy('state')
        .execute()
      const of = (state: string) => open.find((row) => row.state === state)
      const last = await db
        .selectFrom(table)
        .select('error')
        .where('state', 'in', ['pending', 'failed'])
        .where('error', '<>', '')
        .orderBy('job_id', 'desc')
        .limit(1)
        .executeTakeFirst()
      return {
        waiting: Number(of('pending')?.count ?? 0),
        failing: Number(of('pending')?.failing ?? 0),
        failed: Number(of('failed')?.count ?? 0),
        last_error: last?.error ?? null,
      }
    },
  }
}

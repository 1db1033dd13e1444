// The queue of deliveries of print files: rows of `svc_print_deliveries`, each leased to the process that delivers its file
// (deliveries.ts). `queueDelivery` adds a row when a job is completed; job-rows.ts deletes it with its job.
import { type Kysely, sql } from 'kysely'
import type { Database } from '../db/connect.ts'
import { guard } from '../db/guard.ts'
import type { Tables } from '../db/tables.ts'
import { leaseWrites } from './lease-writes.ts'

/** A delivery that this process has leased. */
export interface Delivery {
  jobId: number
  /** How many attempts failed. */
  attempts: number
  /** The path that an earlier attempt recorded when its temporary file was complete; '' before. */
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

/** Seconds after each failed attempt until the next one; after the last the delivery has failed. About a day in total. */
const pauses = [5, 15, 60, 300, 900, 1800, ...Array.from({ length: 23 }, () => 3600)]
/** Seconds of a lease; the process that has it renews it three times as often. */
export const leaseSeconds = 20
/** Characters of a stored message. */
const maxError = 250

/** Queues the delivery of a file. Call it in the transaction that completes the job, so that no crash loses it. */
export async function queueDelivery(
  { t, dialect }: Pick<Database, 't' | 'dialect'>,
  trx: Kysely<Tables>,
  jobId: number,
): Promise<void> {
  const insert = trx.insertInto(t.print_deliveries).values({ job_id: jobId })
  await (dialect.name === 'mysql' ? insert.ignore() : insert.orIgnore()).execute()
}

/**
 * The deliveries of one database. `owner` is a random id of a lease: `renew`, `delivered` and `release` return false, and change
 * nothing, once the lease is lost.
 */
export function deliveryQueue(database: Database) {
  const { db, t, dialect, transaction } = database
  const table = t.print_deliveries
  const { until, write: writeLeased } = leaseWrites(database, 'print_deliveries', leaseSeconds)

  /** Changes a leased row, and renews the lease. @returns false once the lease is lost */
  const write = (executor: Kysely<Tables>, { jobId }: Delivery, owner: string, change: object) =>
    writeLeased(executor, { jobId, owner }, change)

  const noLease = { lease_owner: '', lease_until: 0 }

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
     * Records the path of the file before the file is renamed to it. The guard lets processes choose one after the other, so that
     * each sees the paths that the others have chosen but not used yet; other work under this guard need not be excluded.
     * @param choose returns the path; gets the paths that other leased deliveries have recorded
     * @returns undefined once the lease is lost
     */
    recordPath(
      delivery: Delivery,
      owner: string,
      choose: (pathsOfOthers: string[]) => string,
    ): Promise<string | undefined> {
      return transaction(async (trx) => {
        await guard(database, trx, 'print_orders')
        const rows = await trx
          .selectFrom(table)
          .select(['job_id', 'path'])
          .where('state', '=', 'pending')
          .where('lease_until', '>', dialect.now)
          .execute()
        const path = choose(
          rows.flatMap(({ job_id, path }) => (path && job_id !== delivery.jobId ? [path] : [])),
        )
        return (await write(trx, delivery, owner, { path })) ? path : undefined
      })
    },

    delivered: (delivery: Delivery, owner: string) =>
      write(db, delivery, owner, { ...noLease, state: 'delivered', error: '' }),

    /**
     * Records a failed attempt, unless the lease is lost, and when the next one is due.
     * @returns whether this was the last attempt: the delivery has failed
     */
    async failed(delivery: Delivery, owner: string, message: string): Promise<boolean> {
      const pause = pauses[delivery.attempts]
      await write(db, delivery, owner, {
        ...noLease,
        attempts: delivery.attempts + 1,
        error: message.slice(0, maxError),
        ...(pause === undefined ? { state: 'failed' } : { next_at: sql<number>`${dialect.now} + ${pause}` }),
      })
      return pause === undefined
    },

    /** Ends the lease without a result, so that the next process need not wait. */
    release: (delivery: Delivery, owner: string) => write(db, delivery, owner, noLease),

    /** Removes the delivery of a job that was deleted. */
    async forget({ jobId }: Pick<Delivery, 'jobId'>): Promise<void> {
      await db.deleteFrom(table).where('job_id', '=', jobId).execute()
    },

    /** Makes a delivery due now, with all its attempts. @returns false if the file was delivered, or there is no delivery */
    async retryNow(jobId: number): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable(table)
        .set({ state: 'pending', next_at: 0, attempts: 0 })
        .where('job_id', '=', jobId)
        .where('state', '<>', 'delivered')
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },

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

    /**
     * How many files wait, of how many of these the last attempt failed, how many failed for good, and the message of the
     * newest job that has one.
     */
    async counts() {
      const rows = await db
        .selectFrom(table)
        .select((eb) => ['state', eb.fn.countAll().as('count')])
        .select(sql<number>`sum(case when attempts > 0 then 1 else 0 end)`.as('failing'))
        .where('state', 'in', ['pending', 'failed'])
        .groupBy('state')
        .execute()
      const rowOf = (state: string) => rows.find((row) => row.state === state)
      const lastFailure = await db
        .selectFrom(table)
        .select('error')
        .where('state', 'in', ['pending', 'failed'])
        .where('error', '<>', '')
        .orderBy('job_id', 'desc')
        .limit(1)
        .executeTakeFirst()
      return {
        waiting: Number(rowOf('pending')?.count ?? 0),
        failing: Number(rowOf('pending')?.failing ?? 0),
        failed: Number(rowOf('failed')?.count ?? 0),
        last_error: lastFailure?.error ?? null,
      }
    },
  }
}

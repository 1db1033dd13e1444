// Writes of rows that are leased to one process: each renews the lease, and none succeeds after it is lost.
import { type Kysely, sql } from 'kysely'
import type { Database } from '../db/connect.ts'
import type { Tables } from '../db/tables.ts'

/** The writes of one table: `until` is the end of a lease that begins now. @param seconds length of a lease, by the clock of the database */
export function leaseWrites(
  { t, dialect }: Pick<Database, 't' | 'dialect'>,
  name: 'print_job_steps' | 'print_deliveries',
  seconds: number,
) {
  // The two tables have the columns that are named here in common.
  const table = t[name] as typeof t.print_job_steps
  const until = sql<number>`${dialect.now} + ${seconds}`

  /** Changes the row of a job. @returns false once the lease is lost, or the row is deleted */
  async function write(
    executor: Kysely<Tables>,
    { jobId, owner }: { jobId: number; owner: string },
    change: object,
  ): Promise<boolean> {
    const { numUpdatedRows } = await executor
      .updateTable(table)
      .set({ lease_until: until, ...change })
      .where('job_id', '=', jobId)
      .where('lease_owner', '=', owner)
      .executeTakeFirst()
    if (numUpdatedRows > 0n) return true
    // A pool of the host may count only changed rows, and within the same second none may have changed.
    const row = executor.selectFrom(table).select('job_id').where('job_id', '=', jobId)
    return (await row.where('lease_owner', '=', owner).executeTakeFirst()) !== undefined
  }

  return { until, write }
}

// Deletes print jobs from all tables that name them.
import type { Kysely } from 'kysely'
import type { Database } from '../db/connect.ts'
import type { Tables } from '../db/tables.ts'

/** Deletes jobs with their steps and deliveries, whose paths may contain the name of the customer. Call it in a transaction. */
export async function deleteJobRows(
  { t, tables }: Pick<Database, 't' | 'tables'>,
  trx: Kysely<Tables>,
  ids: readonly number[],
): Promise<void> {
  if (ids.length === 0) return
  await trx.deleteFrom(t.print_job_steps).where('job_id', 'in', ids).execute()
  if (tables.has('print_deliveries'))
    await trx.deleteFrom(t.print_deliveries).where('job_id', 'in', ids).execute()
  await trx.deleteFrom(t.print_jobs).where('ID', 'in', ids).execute()
}

// Which orders have a print file, as a condition of their lists: by our table of steps, and for jobs of PHP, which have no row
// there, by their details.
import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Database } from '../db/connect.ts'
import type { OrderType } from './source.ts'

/** Finished jobs whose file is known. */
const isFinished = sql`j.status = 'completed' and j.data like '%local_file%'`

/**
 * Whether there is a finished print file of an order, or of one of its items.
 * @param item without it, that of the order itself
 */
export function hasPrintFile(
  { t, dialect }: Database,
  type: OrderType,
  order: Expression<unknown>,
  item: Expression<unknown> = sql`0`,
): RawBuilder<SqlBool> {
  const [jobs, steps] = [sql.table(t.print_jobs), sql.table(t.print_job_steps)]
  const detail = (name: string) => dialect.jsonText('j.details', name)
  const number = (name: string) => sql`coalesce(cast(${detail(name)} as signed), 0)`
  const ref = dialect.joined([sql.lit(`${type}:`), order])
  return sql<SqlBool>`(exists (select 1 from ${steps} as s inner join ${jobs} as j on j.ID = s.job_id
      where s.order_ref = ${ref} and s.item_id = ${item} and ${isFinished})
    or (${order}, ${item}) in (select ${number('order_id')}, ${number('item_id')}
      from ${jobs} as j left join ${steps} as s on s.job_id = j.ID
      where s.job_id is null and ${isFinished} and coalesce(nullif(${detail('order_type')}, 'null'), 'wc') = ${sql.lit(type)}))`
}

// Parts of statements that the sources of orders share: print files and digests of designs.
import { hash } from 'node:crypto'
import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Database } from '../db/connect.ts'
import type { OrderType } from './source.ts'

/** SQL of what is read of a stored value for `digestsOf`: its hash, or on SQLite, which has no such function, the value. */
export const digestInput = ({ dialect }: Pick<Database, 'dialect'>, column: string) =>
  dialect.name === 'mysql'
    ? sql<string | null>`sha2(${sql.ref(column)}, 256)`
    : sql<string | null>`${sql.ref(column)}`

/** A digest for each key, of the values of all its rows in their order. */
export function digestsOf(rows: readonly { key: string; value: string | null }[]): Map<string, string> {
  const byKey = Map.groupBy(rows, ({ key }) => key)
  return new Map(
    [...byKey].map(([key, values]) => [
      key,
      hash('sha256', values.map(({ value }) => value ?? '').join('\n')),
    ]),
  )
}

/**
 * SQL: whether there is a finished print file of an order, or of one of its items. The caller first lets
 * `jobLinks` link new jobs to their orders.
 * @param item default: the order itself
 */
export function hasPrintFile(
  { t, dialect }: Database,
  type: OrderType,
  order: Expression<unknown>,
  item: Expression<unknown> = sql`0`,
): RawBuilder<SqlBool> {
  const ref = dialect.joined([sql.lit(`${type}:`), order])
  return sql<SqlBool>`exists (select 1 from ${sql.table(t.print_job_steps)} as s
    inner join ${sql.table(t.print_jobs)} as j on j.ID = s.job_id
    where s.order_ref = ${ref} and s.item_id = ${item} and j.status = 'completed' and j.data like '%local_file%')`
}

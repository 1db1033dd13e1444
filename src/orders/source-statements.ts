// Parts of statements that the sources of orders share: conditions, shortened texts, digests of designs.
import { hash } from 'node:crypto'
import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Database } from '../db/connect.ts'
import type { OrderType } from './source.ts'
import { storedTime } from './tables.ts'

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

/** Characters of a field that are read: the CMS stores names and addresses in any length. */
const maxField = 1000

/** SQL of a column with a text of a customer, cut after `maxField` characters. */
export const shortText = (column: string) =>
  sql<string | null>`substr(${sql.ref(column)}, 1, ${sql.lit(maxField)})`

/** SQL: whether a column with a date and time in UTC is at `since` or later, and before `until`, both in Unix seconds. */
export const isWithin = (
  column: string,
  { since, until }: { since?: number | undefined; until?: number | undefined },
) =>
  sql<SqlBool>`${sql.ref(column)} >= ${timeInRange(since ?? earliest)} and ${sql.ref(column)} < ${timeInRange(until ?? latest)}`

/** The range of a DATETIME column, in Unix seconds. */
const [earliest, latest] = [Date.UTC(1000, 0, 1) / 1000, Date.UTC(9999, 11, 31, 23, 59, 59) / 1000]

const timeInRange = (seconds: number) => storedTime(Math.min(Math.max(seconds, earliest), latest))

/** Ids for SQL's `in`, with 0, which no row has: an empty list is an error on some engines. */
export const idsOf = (include: number[] | undefined) => [...(include ?? []), 0]

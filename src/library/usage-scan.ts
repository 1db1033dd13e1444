// What the searches for usages of colors, fonts and assets share: ranges of ids within a budget, and one search after the other.
import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import { timeLeft } from '../core/deadline.ts'
import type { Database } from '../db/connect.ts'

/** What remains for one search. */
export interface Budget {
  /** Rows that may still be read; `idRanges` reduces it. */
  rows: number
  /** Deadline on the clock of performance.now(). */
  until: number
}

/** Time of the request that the search leaves for the response, in milliseconds. */
const reserve = 500

/** Ids above `after` up to `to`. */
type IdRange = { after: number; to: number }

/**
 * The ids of a table in ranges with `size` rows each, by its numeric primary key; none if the table does not exist. When the budget
 * is used up, it yields 'cut' and ends.
 */
export async function* idRanges(
  { db, dialect }: Pick<Database, 'db' | 'dialect'>,
  { table, id, size }: { table: string; id: string; size: number },
  budget: Budget,
): AsyncGenerator<IdRange | 'cut'> {
  const ref = sql.ref(id)
  for (let after = 0; ; ) {
    const query = sql<{ number: number; last: number | null }>`
      select count(*) as number, max(id) as last from (
        select ${ref} as id from ${sql.table(table)} where ${ref} > ${after} order by ${ref} limit ${size}
      ) as w`
    const [row] = await query.execute(db).then(
      ({ rows }) => rows,
      (error) => {
        if (dialect.isMissingTable(error)) return []
        throw error
      },
    )
    const number = Number(row?.number ?? 0)
    if (number === 0) return
    budget.rows -= number
    if (budget.rows < 0 || performance.now() > budget.until) return yield 'cut'
    const to = Number(row?.last)
    yield { after, to }
    if (number < size) return
    after = to
    await setImmediate()
  }
}

/**
 * Returns a function that runs searches one after the other, so that together they hold at most one connection.
 * @param search receives its deadline, on the clock of performance.now(); the time in which it waited counts, too
 */
export function oneAfterAnother<Query, Result>(search: (query: Query, until: number) => Promise<Result>) {
  let last: Promise<unknown> = Promise.resolve()
  return (query: Query): Promise<Result> => {
    const until = performance.now() + timeLeft(60_000) - reserve
    const start = () => search(query, until)
    const result = last.then(start, start)
    last = result
    return result
  }
}

// What the searches for usages of colors, fonts and assets share: ranges of ids within a budget, and one search after the other.
import { setImmediate } from 'node:timers/promises'
import { timeLeft } from '../core/deadline.ts'
import type { Database } from '../db/connect.ts'
import { idWindows } from '../db/id-windows.ts'

/** What remains for one search. */
export interface Budget {
  /** Rows that may still be read; `idRanges` reduces it. */
  rows: number
  /** Deadline on the clock of performance.now(). */
  until: number
}

/** Time of the request that the search leaves for the response, in milliseconds. */
const reserve = 500

/**
 * The windows of `idWindows`, as long as the budget lasts. When it is used up, it yields 'cut' and ends. Other requests get a turn
 * after each window.
 */
export async function* idRanges(
  database: Pick<Database, 'db' | 'dialect'>,
  { table, id, size }: { table: string; id: string; size: number },
  budget: Budget,
): AsyncGenerator<{ from: number; to: number } | 'cut'> {
  for await (const window of idWindows(database, table, id, { size })) {
    budget.rows -= window.rows
    if (budget.rows < 0 || performance.now() > budget.until) return yield 'cut'
    yield window
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

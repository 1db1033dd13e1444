// Hot queries, which run with nearly every request: their SQL is built once, which costs more than the rest of their work, and MySQL
// prepares it once on each connection.
import type { Compilable, CompiledQuery, Kysely } from 'kysely'
import { errnoOf } from './mysql-errors.ts'
import type { Tables } from './tables.ts'

/** A query whose text is the same for all arguments, so that preparing it pays. */
export interface HotQuery<R = unknown> extends CompiledQuery<R> {
  readonly isHot: true
}

/** Represents an argument while the SQL is built; `hotQuery` finds it among the parameters and puts the argument in its place. */
class Placeholder {
  readonly index: number
  constructor(index: number) {
    this.index = index
  }
}

/**
 * A function that returns a query for its arguments.
 * @param build builds the query; called once for each number of arguments, with placeholders: it must use each argument as one
 *   parameter, and must not look at its value
 */
export function hotQuery<A extends unknown[], R>(build: (...args: A) => Compilable<R>) {
  const compiledByCount = new Map<number, CompiledQuery<R>>()
  return (...args: A): HotQuery<R> => {
    let compiled = compiledByCount.get(args.length)
    if (!compiled) {
      // Placeholders have no type of an argument; `build` only passes them on.
      compiled = build(...(args.map((_, index) => new Placeholder(index)) as A)).compile()
      compiledByCount.set(args.length, compiled)
    }
    const parameters = compiled.parameters.map((value) =>
      value instanceof Placeholder ? args[value.index] : value,
    )
    return { ...compiled, parameters, isHot: true }
  }
}

/** A function that runs the hot query for its arguments and returns the rows. */
export function prepared<A extends unknown[], R>(build: (...args: A) => Compilable<R>) {
  const query = hotQuery(build)
  return async (executor: Kysely<Tables>, ...args: A): Promise<R[]> => {
    const { rows } = await executor.executeQuery<R>(query(...args))
    return rows
  }
}

/** Prepared statements per connection of a pool. The server limits their number for all its clients together. */
const maxPrepared = 50
/** Errors of the server: too many prepared statements, or this statement cannot be prepared. */
const refusals = [1461, 1295]
/** Errors of the server: it no longer knows the prepared statement, or its tables have changed too often. */
const expired = [1243, 1615]
/** Milliseconds without prepared statements after the server refused one. */
const pause = 60_000

/** Decides which hot queries of a pool are prepared on the server: the first `maxPrepared` texts. */
export class PreparedStatements {
  readonly #texts = new Set<string>()
  /** As `performance.now()`. */
  #pausedUntil = 0

  /** Whether to run this query as a prepared statement. */
  has({ sql, isHot }: CompiledQuery & { isHot?: true }): boolean {
    if (!isHot || performance.now() < this.#pausedUntil) return false
    if (this.#texts.size < maxPrepared) this.#texts.add(sql)
    return this.#texts.has(sql)
  }

  /**
   * Whether a statement failed, without effect, because it was prepared: then it can be sent as text.
   * @param unprepare lets the connection prepare the statement anew next time; called if its preparation has expired
   */
  isRefused(error: unknown, unprepare: () => void): boolean {
    const errno = errnoOf(error)
    if (expired.includes(errno)) unprepare()
    else if (refusals.includes(errno)) this.#pausedUntil = performance.now() + pause
    else return false
    return true
  }
}

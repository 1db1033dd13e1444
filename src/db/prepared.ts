// Hot statements: their SQL is built once, which costs more than the rest of their work, and the server prepares it once on
// each connection.
import type { Compilable, CompiledQuery, Kysely } from 'kysely'
import { errnoOf } from './mysql-errors.ts'
import type { Tables } from './tables.ts'

/** A query whose text occurs again and again. */
export interface HotQuery<R = unknown> extends CompiledQuery<R> {
  readonly isHot: true
}

/** Stands for an argument while the SQL is built. */
class Placeholder {
  readonly index: number
  constructor(index: number) {
    this.index = index
  }
}

/**
 * A query by its arguments, each of which must become one parameter and must not be inspected.
 * @param build builds the query; called once per number of arguments
 */
export function hotQuery<A extends unknown[], R>(build: (...args: A) => Compilable<R>) {
  const compiledByCount = new Map<number, CompiledQuery<R>>()
  return (...args: A): HotQuery<R> => {
    let compiled = compiledByCount.get(args.length)
    if (!compiled) {
      compiled = build(...(args.map((_, index) => new Placeholder(index)) as A)).compile()
      compiledByCount.set(args.length, compiled)
    }
    const parameters = compiled.parameters.map((value) =>
      value instanceof Placeholder ? args[value.index] : value,
    )
    return { ...compiled, parameters, isHot: true }
  }
}

/** The rows of a hot read by its arguments. */
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

/** Which hot statements of a pool are prepared on the server. */
export class PreparedStatements {
  readonly #texts = new Set<string>()
  #pausedUntil = 0

  has({ sql, isHot }: CompiledQuery & { isHot?: true }): boolean {
    if (!isHot || performance.now() < this.#pausedUntil) return false
    if (this.#texts.size < maxPrepared) this.#texts.add(sql)
    return this.#texts.has(sql)
  }

  /** Whether a statement failed, without effect, because it was prepared: then it can be sent as text. */
  isRefused(error: unknown, forget: () => void): boolean {
    const errno = errnoOf(error)
    if (expired.includes(errno)) forget()
    else if (refusals.includes(errno)) this.#pausedUntil = performance.now() + pause
    else return false
    return true
  }
}

// Caches the SQL of queries on hot paths, because building it costs more than the rest of their work.
import type { Compilable, CompiledQuery, Kysely } from 'kysely'
import { directOf } from './direct.ts'
import type { Tables } from './tables.ts'

/** Stands for an argument while the SQL is built. */
class Placeholder {
  readonly index: number
  constructor(index: number) {
    this.index = index
  }
}

type Run<A extends unknown[], R> = (executor: Kysely<Tables>, ...args: A) => Promise<R>

/**
 * A query by its arguments, each of which must become one parameter and must not be inspected.
 * @param build builds the query; called once per number of arguments
 */
export function prepared<A extends unknown[], R>(build: (...args: A) => Compilable<R>): Run<A, R[]> {
  const compiled = compiledOnce(build)
  return async (executor, ...args) => {
    const query = compiled(args)
    const direct = directOf(executor)
    if (direct) return (await direct(query.sql, query.parameters)).rows as R[]
    return (await executor.executeQuery(query)).rows
  }
}

/** The same for a write; returns the number of matched rows, or of changed rows if the database reports only these. */
export function preparedWrite<A extends unknown[]>(
  build: (...args: A) => Compilable<unknown>,
): Run<A, bigint> {
  const compiled = compiledOnce(build)
  return async (executor, ...args) => {
    const query = compiled(args)
    const direct = directOf(executor)
    if (direct) return (await direct(query.sql, query.parameters)).matched
    return (await executor.executeQuery(query)).numAffectedRows ?? 0n
  }
}

function compiledOnce<A extends unknown[], R>(build: (...args: A) => Compilable<R>) {
  const texts = new Map<number, CompiledQuery<R>>()
  return (args: A): CompiledQuery<R> => {
    let compiled = texts.get(args.length)
    if (!compiled) {
      compiled = build(...(args.map((_, index) => new Placeholder(index)) as A)).compile()
      texts.set(args.length, compiled)
    }
    const parameters = compiled.parameters.map((value) =>
      value instanceof Placeholder ? args[value.index] : value,
    )
    return { ...compiled, parameters }
  }
}

// Caches the SQL of queries on hot paths, because building it costs more than the rest of their work.
import type { Compilable, CompiledQuery, Kysely } from 'kysely'
import type { Database } from './connect.ts'
import { directOf } from './direct.ts'
import type { Tables } from './tables.ts'
import { together } from './together.ts'
import { retried } from './transaction.ts'

/** Stands for an argument while the SQL is built. */
class Placeholder {
  readonly index: number
  constructor(index: number) {
    this.index = index
  }
}

interface Prepared<A extends unknown[], R> {
  (executor: Kysely<Tables>, ...args: A): Promise<R[]>
  /** The same for `together`. */
  query(...args: A): CompiledQuery<R>
}

/**
 * A query by its arguments, each of which must become one parameter and must not be inspected.
 * @param build builds the query; called once per number of arguments
 */
export function prepared<A extends unknown[], R>(build: (...args: A) => Compilable<R>): Prepared<A, R> {
  const compiled = compiledOnce(build)
  const run = (executor: Kysely<Tables>, ...args: A): Promise<R[]> => {
    const query = compiled(args)
    const direct = directOf(executor)
    if (direct) return direct.rows(query.sql, query.parameters) as Promise<R[]>
    return together(executor, [query]).then(({ rows }) => rows)
  }
  return Object.assign(run, { query: (...args: A) => compiled(args) })
}

type WriteTarget = Pick<Database, 'db' | 'dialect' | 'transaction'>

interface PreparedWrite<A extends unknown[]> {
  (database: WriteTarget, ...args: A): Promise<bigint>
  /** The same as part of a transaction. */
  within(trx: Kysely<Tables>, ...args: A): Promise<bigint>
  /** The same for `together`. */
  query(...args: A): CompiledQuery
}

/**
 * The same for a write that is one statement and no part of a transaction. Once it has failed, it does not take effect
 * later either, whatever lock it still waits for.
 * @returns the number of matched rows, or of changed rows if the database reports only these
 */
export function preparedWrite<A extends unknown[]>(
  build: (...args: A) => Compilable<unknown>,
): PreparedWrite<A> {
  const compiled = compiledOnce(build)
  const within: PreparedWrite<A>['within'] = async (executor, ...args) =>
    (await executor.executeQuery(compiled(args))).numAffectedRows ?? 0n
  const write = async ({ db, dialect, transaction }: WriteTarget, ...args: A) => {
    const query = compiled(args)
    const run = (executor: Kysely<Tables>) => within(executor, ...args)
    // The embedded database does not start a statement whose caller has given up.
    if (!dialect.locksRows) return retried(dialect, () => run(db))
    const matched = await retried(dialect, async () => directOf(db)?.write(query.sql, query.parameters))
    return matched ?? transaction(run)
  }
  return Object.assign(write, { within, query: (...args: A) => compiled(args) })
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
